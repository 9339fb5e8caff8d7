"""Pairs depend on seed and number alone."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.errors import OptionError
from tunesmith.generated import generate


def test_the_same_call_gives_the_same_pairs() -> None:
    assert list(generate(50, references=4)) == list(generate(50, references=4))


def test_a_pair_does_not_depend_on_how_many_are_asked_for() -> None:
    assert list(generate(80))[:30] == list(generate(30))


def test_a_range_can_be_made_in_pieces() -> None:
    whole = list(generate(60, seed=3, first=1000))
    pieces = [*generate(25, seed=3, first=1000), *generate(35, seed=3, first=1025)]
    assert pieces == whole


def test_seeds_name_different_corpora() -> None:
    ours = {pair.source for pair in generate(200, seed=1)}
    theirs = {pair.source for pair in generate(200, seed=2)}
    assert len(ours & theirs) < 20


def test_large_numbers_do_not_repeat_small_ones() -> None:
    assert list(generate(20, first=1 << 40)) != list(generate(20))


def test_a_reference_does_not_depend_on_how_many_are_asked_for() -> None:
    for two, four in zip(generate(60, references=2), generate(60, references=4), strict=True):
        assert four.references[:2] == two.references
        assert len(four.references) == 4


def test_the_first_reference_is_the_target() -> None:
    for pair in generate(60, references=3):
        assert pair.references[0] == pair.target


def test_references_are_different_translations() -> None:
    pairs = list(generate(300, references=4))
    different = sum(len(set(pair.references)) > 1 for pair in pairs)
    assert different > 0.8 * len(pairs)


def test_lowercase_changes_case_only() -> None:
    for cased, lower in zip(generate(50), generate(50, lowercase=True), strict=True):
        assert lower.source == cased.source.lower()
        assert lower.references == tuple(text.lower() for text in cased.references)
        assert lower.alignment == cased.alignment


def test_sentences_begin_with_a_capital_and_end_with_a_mark() -> None:
    for pair in generate(300, noise=0):
        for text in (pair.source, pair.target):
            assert text[0].isupper()
            assert text.endswith((" .", " !", " ?"))


def test_tokens_are_separated_by_single_spaces() -> None:
    for pair in generate(300, noise=0):
        for text in (pair.source, pair.target):
            tokens = text.split(" ")
            assert all(tokens)
            assert not any("," in token and len(token) > 1 for token in tokens)


def test_sentences_have_3_to_40_words_and_some_are_long() -> None:
    lengths = [len(pair.source.split()) for pair in generate(3000, noise=0)]
    assert min(lengths) == 3
    assert 30 < max(lengths) <= 40
    assert 9 < sum(lengths) / len(lengths) < 15


def test_no_pairs_is_an_empty_corpus() -> None:
    assert list(generate(0)) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("seed", -1),
        ("seed", 2**63),
        ("first", -1),
        ("references", 0),
        ("references", 5),
        ("noise", -0.1),
        ("noise", 1.5),
    ],
)
def test_senseless_options_are_refused_at_once(option: str, value: float) -> None:
    with pytest.raises(OptionError, match=option):
        generate(1, **{option: value})  # type: ignore[arg-type]


def test_a_negative_number_of_pairs_is_refused() -> None:
    with pytest.raises(OptionError, match="n must be"):
        generate(-1)


@given(seed=st.integers(0, (1 << 63) - 1), first=st.integers(0, 1 << 60))
@settings(max_examples=60, deadline=None)
def test_any_seed_and_number_give_a_well_formed_pair(seed: int, first: int) -> None:
    (pair,) = generate(1, seed=seed, first=first, references=4, noise=0)
    source, target = pair.source.split(" "), pair.target.split(" ")
    assert all(source) and all(target) and len(pair.references) == 4
    assert pair.alignment
    assert all(i < len(source) and j < len(target) for i, j in pair.alignment)


@pytest.mark.process
def test_pairs_do_not_depend_on_the_hash_seed() -> None:
    program = "from tunesmith.generated import generate; print(list(generate(50, references=4)))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": value, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for value in ("0", "7")
    }
    assert len(printed) == 1
