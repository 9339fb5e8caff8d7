"""Noise: how much, what kinds, and what it must leave alone."""

import random

import pytest

from tunesmith.generated import generate
from tunesmith.generated.grammar.tokens import NOTHING, Tokens, link
from tunesmith.generated.noise import KINDS

N = 2000


def tokens(text: str) -> Tokens:
    out = Tokens()
    for number, word in enumerate(text.split()):
        out.put(word, number)
    return out


@pytest.mark.slow
def test_noise_touches_about_as_many_pairs_as_asked() -> None:
    clean = list(generate(N, noise=0))
    noisy = list(generate(N, noise=0.2))
    touched = sum(a != b for a, b in zip(clean, noisy, strict=True))
    assert 0.15 * N < touched < 0.22 * N


@pytest.mark.slow
def test_more_noise_touches_the_same_pairs_and_more() -> None:
    clean, some, more = (list(generate(N, noise=noise)) for noise in (0, 0.1, 0.3))
    for a, b, c in zip(clean, some, more, strict=True):
        assert b in (a, c)


def test_noise_leaves_further_references_clean() -> None:
    for clean, noisy in zip(
        generate(300, references=3, noise=0), generate(300, references=3, noise=1), strict=True
    ):
        assert noisy.references[1:] == clean.references[1:]


def test_links_of_noisy_pairs_stay_in_range() -> None:
    for pair in generate(1000, noise=1):
        source, target = len(pair.source.split()), len(pair.target.split())
        assert all(0 <= i < source and 0 <= j < target for i, j in pair.alignment)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_noise_changes_something(kind: str) -> None:
    draw = random.Random(3).random
    german, english = "Wir lesen heute keine Zeitungen .", "We read no papers today ."
    changed = 0
    for _ in range(50):
        source, target = tokens(german), tokens(english)
        KINDS[kind][0](source, target, draw, lambda: tokens("Something else entirely ."))
        assert len(source.words) == len(source.anchors)
        assert len(target.words) == len(target.anchors)
        assert source.words and target.words
        changed += (" ".join(source.words), " ".join(target.words)) != (german, english)
    assert changed > 25


def test_a_misaligned_pair_has_no_links() -> None:
    source, target = tokens("Wir lesen ."), tokens("We read .")
    KINDS["misaligned"][0](source, target, random.Random(1).random, lambda: tokens("It rains ."))
    assert target.words == ["It", "rains", "."]
    assert set(target.anchors) == {NOTHING}
    assert link(source, target) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_noise_survives_sentences_of_one_word(kind: str) -> None:
    draw = random.Random(2).random
    for _ in range(20):
        source, target = tokens("Ja"), tokens("Yes")
        KINDS[kind][0](source, target, draw, lambda: tokens("No"))
        assert source.words and target.words
