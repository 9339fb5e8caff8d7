"""Our truecaser gives what sacremoses' port of Moses' truecaser gives."""

from __future__ import annotations

import itertools
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacremoses import MosesDetruecaser, MosesTruecaser

from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.corpus.truecase import CasingCounts, Truecaser, detruecase
from tunesmith.errors import InputError

WORDS = ["the", "The", "THE", "cat", "Cat", "i", "I", "é", "É", "1", "中"]
TOKENS = st.sampled_from([*WORDS, *".:?!(\"'[-,", "&apos;"])
LINES = st.lists(st.lists(TOKENS, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=8)


def by_sacremoses(lines: list[str]) -> MosesTruecaser:
    moses = MosesTruecaser()
    moses.train([line.split(" ") for line in lines])
    return moses


def europarl(shared_data: Path) -> list[str]:
    with lzma.open(shared_data / "europarl-fr-en.dev.en.xz", "rt", encoding="utf-8", newline="\n") as stream:
        lines = [line.strip() for line in itertools.islice(stream, 1500)]
    return [line for line in Tokenizer("en").tokenize(lines) if line and "<" not in line and "|" not in line]


@given(LINES)
def test_counts_are_those_of_sacremoses(lines: list[str]) -> None:
    expected = by_sacremoses(lines).model
    found = Truecaser.train(lines)
    assert found.casings == {word: dict(forms) for word, forms in expected["casing"].items()}
    assert found.best == expected["best"]


@given(LINES, LINES)
def test_lines_are_truecased_as_by_sacremoses_that_keeps_known_forms(
    train: list[str], test: list[str]
) -> None:
    moses = by_sacremoses(train)
    expected = [moses.truecase(line, return_str=True, use_known=True) for line in test]
    assert list(Truecaser.train(train).apply(test)) == expected


@given(LINES)
def test_detruecasing_is_that_of_sacremoses(lines: list[str]) -> None:
    moses = MosesDetruecaser()
    assert detruecase(lines) == [moses.detruecase(line, return_str=True) for line in lines]


def test_europarl_is_truecased_as_by_sacremoses(shared_data: Path) -> None:
    lines = europarl(shared_data)
    moses = by_sacremoses(lines[:1000])
    expected = [moses.truecase(line, return_str=True, use_known=True) for line in lines]
    assert list(Truecaser.train(lines[:1000]).apply(lines)) == expected
    assert expected != lines


def test_models_are_exchanged_with_sacremoses(tmp_path: Path) -> None:
    lines = ["He saw the Cat and a cat and the cat .", "We met Anna : The end", "Oh , I know I do"]
    ours = Truecaser.train(lines)
    ours.save(tmp_path / "ours")
    moses = by_sacremoses(lines)
    moses.save_model(str(tmp_path / "theirs"))
    assert (tmp_path / "ours").read_text() == (tmp_path / "theirs").read_text()
    assert Truecaser.load(tmp_path / "theirs") == ours
    assert "cat (2/3) Cat (1)\n" in (tmp_path / "ours").read_text()


def test_counting_in_parts_is_counting_at_once() -> None:
    lines = ["A b C", "a B c", "d ! E f"]
    counts = CasingCounts()
    for line in lines:
        counts.add([line])
    assert counts.truecaser() == Truecaser.train(lines)


def test_sentences_within_a_line_and_marks_before_them_are_known() -> None:
    truecaser = Truecaser.train(["x the house", "x said Anna"])
    assert truecaser('" The house ! The Anna') == '" the house ! the Anna'
    assert truecaser("ANNA HOUSE Unknown") == "Anna house Unknown"
    assert truecaser("") == ""


def test_markup_is_not_counted() -> None:
    assert Truecaser.train(["a <b> C <d>"]).casings == {"c": {"C": 1}}


@pytest.mark.parametrize("line", ["word", "word (x)", "word (1/2) other", "", "word (1/2) other 3"])
def test_a_damaged_model_is_refused_with_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "model"
    path.write_text(f"good (1/1)\n{line}\n")
    with pytest.raises(InputError, match="expected forms and counts") as caught:
        Truecaser.load(path)
    assert caught.value.line == 2


def test_only_ascii_spaces_separate_forms_in_a_model(tmp_path: Path) -> None:
    casings = {"a\u3000b": {"A\u3000b": 2}, "c\u00a0": {"C\u00a0": 1}}
    Truecaser(casings).save(tmp_path / "model")
    assert Truecaser.load(tmp_path / "model").casings == casings
