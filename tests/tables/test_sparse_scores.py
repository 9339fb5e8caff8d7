"""Sparse scores of phrase tables: read, kept by every operation, and written back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.tables.toy_tables import build, random_rows, write

from tunesmith.container import Container
from tunesmith.corpus import Sentences
from tunesmith.errors import InputError
from tunesmith.tables import (
    PhraseTable,
    Pruning,
    filter_table,
    interpolate_tables,
    merge_tables,
    prune_table,
    read_moses_table,
    write_moses_table,
)
from tunesmith.tables.phrase_table import KIND, VERSION

LINES = [
    "a b ||| A ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| dom_talks 2.5 |||",
    "a ||| A ||| 0.5 0.5 0.9 0.5 ||| 0-0 ||| 1 1 1 ||| |||",
    "a ||| B ||| 0.5 0.5 0.1 0.5 ||| 0-0 ||| 1 1 1 ||| dom_news 1 rare -0.25 |||",
    "c ||| C ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| dom_news 1 rare -0.25 |||",
]
SPARSE = {
    ("a", "A"): {},
    ("a", "B"): {"dom_news": 1, "rare": -0.25},
    ("a b", "A"): {"dom_talks": 2.5},
    ("c", "C"): {"dom_news": 1, "rare": -0.25},
}


def read(folder: Path, lines: list[str], name: str = "table", **options) -> PhraseTable:
    return read_moses_table(write(folder / f"{name}.txt", lines), folder / f"{name}.bin", **options)


def sparse(table: PhraseTable) -> dict[tuple[str, str], dict[str, float]]:
    return {(pair.source, pair.target): dict(pair.sparse) for pair in table}


def test_sparse_scores_come_back_line_for_line(tmp_path: Path) -> None:
    told: list[str] = []
    table = read(tmp_path, LINES, progress=told.append)
    assert sparse(table) == SPARSE
    assert table.sparse_names == ("dom_talks", "dom_news", "rare")
    assert any("3 pairs have sparse scores" in line for line in told)
    write_moses_table(table, tmp_path / "again")
    assert (tmp_path / "again").read_text().splitlines() == LINES
    PhraseTable.open(table.path, verify=True)


def test_a_table_without_them_has_no_section_for_them(tmp_path: Path) -> None:
    plain = [line.partition("||| dom")[0].removesuffix(" |||") + " ||| |||" for line in LINES]
    table = read(tmp_path, plain)
    assert table.sparse_names == ()
    assert not any("sparse" in name for name in Container.open(table.path, KIND, VERSION).arrays)
    with_rows = read(tmp_path, LINES, "sparse")
    ours = Container.open(table.path, KIND, VERSION).arrays
    theirs = Container.open(with_rows.path, KIND, VERSION).arrays
    assert {name for name in theirs if name not in ours} == {
        "sparse.rows",
        "sparse.scores",
        "sparse.offsets",
        "sparse.names.blob",
        "sparse.names.offsets",
        "sparse.names.slots",
    }
    assert all((ours[name] == theirs[name]).all() for name in ours)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("dom", "the sparse score 'dom' has no value"),
        ("dom one", "the sparse score 'dom' is 'one'; expected a finite number"),
        ("dom 1e99", "expected a finite number"),
        ("dom 1 dom 2", "a sparse score of a phrase pair occurs twice"),
    ],
)
def test_malformed_sparse_scores_are_refused_with_their_line(
    field: str, message: str, tmp_path: Path
) -> None:
    lines = [LINES[1], f"b ||| B ||| 0.5 0.5 0.5 0.5 ||| ||| 1 1 1 ||| {field} |||"]
    with pytest.raises(InputError, match=rf"table\.txt:2: .*{message}"):
        read(tmp_path, lines)


def test_filtering_and_pruning_keep_the_scores_of_what_they_keep(tmp_path: Path) -> None:
    table = read(tmp_path, LINES)
    filtered = filter_table(table, Sentences.of(["c d"]), tmp_path / "filtered.bin")
    assert sparse(filtered) == {("c", "C"): SPARSE["c", "C"]}
    assert filtered.sparse_names == ("dom_news", "rare")
    pruned = prune_table(table, tmp_path / "pruned.bin", Pruning(top=1))
    assert sparse(pruned) == {key: row for key, row in SPARSE.items() if key != ("a", "B")}


def test_merging_keeps_them_and_interpolation_refuses_them(tmp_path: Path) -> None:
    first = read(tmp_path, [LINES[3]], "first")
    second = read(tmp_path, LINES, "second")
    merged = merge_tables([first, second], tmp_path / "merged.bin")
    assert sparse(merged) == SPARSE
    assert merged.sparse_names[:2] == ("dom_news", "rare")
    with pytest.raises(InputError, match=r"first\.bin: has sparse scores, .* cannot be interpolated"):
        interpolate_tables([first, second], [0.5, 0.5], tmp_path / "mixed.bin")


def test_properties_are_counted_and_dropped(tmp_path: Path) -> None:
    told: list[str] = []
    lines = [line + " {{Tree [X]}}" for line in LINES]
    assert sparse(read(tmp_path, lines, progress=told.append)) == SPARSE
    assert any("dropped 4 fields of properties" in line for line in told)


def test_tables_of_random_pairs_are_as_before(tmp_path: Path) -> None:
    rows = random_rows(3, reordering=6)
    assert all(pair.sparse == {} for pair in build(tmp_path, rows))


def test_a_damaged_table_gives_an_error_or_other_values_but_never_a_crash(tmp_path: Path) -> None:
    whole, broken = bytearray(read(tmp_path, LINES).path.read_bytes()), tmp_path / "broken"
    draw = random.Random(1)
    refused = 0
    for _ in range(400):
        content = whole.copy()
        for _ in range(draw.choice([1, 8])):
            content[draw.randrange(len(content))] = draw.choice([0, 0x7F, 0xFF, draw.randrange(256)])
        broken.write_bytes(content)
        try:
            sparse(PhraseTable.open(broken))
        except InputError:
            refused += 1
    assert refused > 50
