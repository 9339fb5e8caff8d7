"""Lexicon and tables of Multi30k, beside those that Moses made of the same alignment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract import Lexicon, build_table, count_phrases
from tunesmith.files import read_lines
from tunesmith.tables import write_moses_table


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> tuple[Bitext, Alignments]:
    bitext = Bitext.read(shared_data / "multi30k.train.de.xz", shared_data / "multi30k.train.en.xz")
    return bitext, Alignments.read(shared_data / "moses" / "aligned.grow-diag-final-and.gz")


def numbers(field: str) -> list[float]:
    return [float(value) for value in field.split()]


def test_the_lexicon_equals_moses_to_the_printed_digits(
    shared_data: Path, corpus: tuple[Bitext, Alignments], tmp_path: Path
) -> None:
    Lexicon.estimate(*corpus).write_moses(tmp_path / "lex")
    for name in ("lex.e2f", "lex.f2e"):
        ours, theirs = read_lines(tmp_path / name), read_lines(shared_data / "moses" / f"{name}.xz")
        assert sorted(ours) == sorted(theirs)


@pytest.mark.slow
def test_tables_equal_moses_on_every_pair(
    shared_data: Path, corpus: tuple[Bitext, Alignments], tmp_path: Path
) -> None:
    counts = count_phrases(*corpus, path=tmp_path / "counts", orientation_events="moses")
    table = build_table(counts, Lexicon.estimate(*corpus), tmp_path / "table")
    write_moses_table(table, tmp_path / "phrases", tmp_path / "reordering")

    ours = read_lines(tmp_path / "phrases")
    theirs = read_lines(shared_data / "moses" / "phrase-table.full.xz")
    assert len(ours) == len(theirs) == 791_367
    # Most lines are equal as bytes; the last of six digits may be rounded otherwise, because Moses multiplies
    # what it has printed before.
    different = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    assert len(different) < 1000
    for a, b in different:
        left, right = a.split(" ||| "), b.split(" ||| ")
        assert left[:2] + left[3:] == right[:2] + right[3:]  # phrases, alignment, counts
        assert numbers(left[2]) == pytest.approx(numbers(right[2]), rel=1e-4)

    name = "reordering-table.hier-mslr-bidirectional-fe.full.xz"
    ours, theirs = read_lines(tmp_path / "reordering"), read_lines(shared_data / "moses" / name)
    assert len(ours) == len(theirs)
    different = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    assert len(different) < 1000  # probabilities are floats here, and half a unit of print off
    for a, b in different:
        left, right = a.split(" ||| "), b.split(" ||| ")
        assert left[:2] == right[:2]
        assert numbers(left[2]) == pytest.approx(numbers(right[2]), abs=1.5e-6)
