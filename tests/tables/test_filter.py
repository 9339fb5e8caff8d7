"""Tables filtered to a text and pruned, against the same in Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables.toy_tables import as_rows, build, random_rows

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.tables import PhraseTable, Pruning, filter_table, prune_table

TEXT = ["ein mann a ab", "", "größe bar z z z ein", "nie gesehen mann"]


def spans(lines: list[str]) -> set[str]:
    words = [line.split() for line in lines]
    return {" ".join(w[i:j]) for w in words for i in range(len(w)) for j in range(i + 1, len(w) + 1)}


@pytest.mark.parametrize("seed", range(3))
def test_filtering_keeps_what_occurs_in_the_text(seed: int, tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(seed, sources=150, reordering=4))
    expected = {key: row for key, row in as_rows(table).items() if key[0] in spans(TEXT)}
    assert expected
    (tmp_path / "text").write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    for given in (TEXT, Sentences.of(TEXT), tmp_path / "text"):
        filtered = filter_table(table, given, tmp_path / "filtered")
        assert as_rows(filtered) == expected
        assert filtered.reordering_models == table.reordering_models


def test_filtering_to_words_that_no_phrase_has_leaves_an_empty_table(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(1))
    empty = filter_table(table, ["nichts davon"], tmp_path / "empty")
    assert len(empty) == 0
    assert list(empty) == []
    assert empty.lookup("ein") == []


def test_a_table_may_be_filtered_in_place(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(2, sources=150))
    before = len(table)
    after = filter_table(table, TEXT, table.path)
    assert 0 < len(after) < before
    assert len(list(table)) == before  # what was mapped stays


@pytest.mark.parametrize(
    "pruning",
    [
        Pruning(min_count=2),
        Pruning(threshold=0.5),
        Pruning(top=2),
        Pruning(min_count=3, threshold=0.1, top=1),
    ],
)
def test_pruning_keeps_what_is_frequent_likely_and_among_the_best(pruning: Pruning, tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(3, sources=150))
    expected = set()
    for source in table.source_phrases():
        pairs = [
            pair
            for pair in table.lookup(source)
            if pair.joint_count >= pruning.min_count and pair.scores["p(e|f)"] >= pruning.threshold
        ]
        expected |= {(source, pair.target) for pair in pairs[: pruning.top]}
    pruned = prune_table(table, tmp_path / "pruned", pruning)
    assert 0 < len(expected) < len(table)
    assert set(as_rows(pruned)) == expected


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(4))
    with pytest.raises(OptionError, match="at least one of"):
        prune_table(table, tmp_path / "pruned", Pruning())
    with pytest.raises(OptionError, match="top must be at least 1"):
        Pruning(top=0)
    with pytest.raises(OptionError, match="threshold must be"):
        Pruning(threshold=float("nan"))
    with pytest.raises(InputError, match="folder does not exist"):
        filter_table(table, TEXT, tmp_path / "none" / "t")
    with pytest.raises(InputError, match="no such file"):
        PhraseTable.open(tmp_path / "none")
