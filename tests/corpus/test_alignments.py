"""Word alignments and their text form."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError

LINKS = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8), min_size=1, max_size=6
)
BITEXT = Bitext(Sentences.of(["a b", "c"]), Sentences.of(["x y z", "w"]))


def raw(links: list[tuple[int, int]], offsets: list[int]) -> Alignments:
    return Alignments(np.array(links, np.int32).reshape(-1, 2), np.array(offsets, np.int64))


@given(LINKS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_text_is_read_sorted_without_repeats_and_written_again(
    tmp_path: Path, pairs: list[list[tuple[int, int]]]
) -> None:
    text = "".join(" ".join(f"{i}-{j}" for i, j in pair) + "\n" for pair in pairs)
    (tmp_path / "in").write_text(text)
    found = Alignments.read(tmp_path / "in")
    assert [[tuple(link) for link in pair.tolist()] for pair in found] == [
        sorted(set(pair)) for pair in pairs
    ]
    assert found == Alignments.of(pairs)
    found.write(tmp_path / "out.gz")
    assert Alignments.read(tmp_path / "out.gz") == found
    assert list(found.lines()) == [" ".join(f"{i}-{j}" for i, j in sorted(set(pair))) for pair in pairs]


@given(LINKS, LINKS)
def test_concatenated_alignments_are_those_of_all_parts(
    first: list[list[tuple[int, int]]], second: list[list[tuple[int, int]]]
) -> None:
    parts = [Alignments.of(first), Alignments.of(second)]
    assert Alignments.concatenate(parts) == Alignments.of([*first, *second])


@pytest.mark.parametrize(
    "line",
    ["0-", "-1", "0", "0-1-2", "a-b", "0--1", "0-1 x", "99999999999-0", "0-1|S", "0:1", "+1-0", "0-1\t1-1"],
)
def test_what_is_not_a_link_is_refused_with_the_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "bad").write_text(f"0-0\n{line}\n")
    with pytest.raises(InputError, match=r"bad:2: found .* expected a link") as caught:
        Alignments.read(tmp_path / "bad")
    assert caught.value.line == 2


def test_dos_line_ends_empty_lines_and_extra_spaces_are_read(tmp_path: Path) -> None:
    (tmp_path / "dos").write_bytes(b"1-0 0-0 \r\n\r\n  0-0")
    assert Alignments.read(tmp_path / "dos") == Alignments.of([[(0, 0), (1, 0)], [], [(0, 0)]])


def test_bad_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"0-0\n\xff\n")
    with pytest.raises(InputError, match="bad:2: not UTF-8"):
        Alignments.read(tmp_path / "bad")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        Alignments.read(tmp_path / "empty")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"0-0\n" * 99)[:-3])
    with pytest.raises(InputError, match="truncated"):
        Alignments.read(tmp_path / "cut.gz")


def test_links_within_their_pair_pass() -> None:
    Alignments.of([[(1, 2), (0, 0)], [(0, 0)]]).check(BITEXT)
    Alignments.of([[], []]).check(BITEXT)


@pytest.mark.parametrize(
    ("links", "offsets", "line", "message"),
    [
        ([(0, 0), (0, 1)], [0, 1, 2], 2, "tokenized differently"),
        ([(2, 0)], [0, 1, 1], 1, "found the link 2-0 for 2 source and 3 target words"),
        ([(0, 3)], [0, 1, 1], 1, "0-3"),
        ([(1, 0), (0, 0)], [0, 2, 2], 1, "not sorted"),
        ([(0, 1), (0, 0)], [0, 2, 2], 1, "not sorted"),
        ([(0, 0), (0, 0)], [0, 2, 2], 1, "one is repeated"),
    ],
)
def test_links_that_do_not_fit_are_refused_with_the_line(
    links: list[tuple[int, int]], offsets: list[int], line: int, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        raw(links, offsets).check(BITEXT)
    assert caught.value.line == line


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="expected as many"):
        Alignments.of([[]]).check(BITEXT)
    for offsets in ([0, 2, 1], [0, 1, 5], [1, 1, 1], []):
        with pytest.raises(InputError):
            raw([(0, 0)], offsets).check(BITEXT)
    with pytest.raises(InputError, match=r"shape \(1, 3\)"):
        Alignments(np.zeros((1, 3), np.int32), np.array([0, 1, 1])).check(BITEXT)


def test_the_peers_alignment_comes_back_byte_for_byte_but_for_order(shared_data: Path) -> None:
    path = shared_data / "moses" / "aligned.grow-diag-final-and.gz"
    found = Alignments.read(path)
    theirs = gzip.decompress(path.read_bytes()).decode().splitlines()
    assert len(found) == len(theirs) == 29_000
    for ours, line in zip(found.lines()[:2000], theirs, strict=False):
        assert sorted(ours.split()) == sorted(line.split())


@given(LINKS, st.data())
def test_pairs_are_taken_in_any_order(pairs: list[list[tuple[int, int]]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(pairs) - 1), max_size=10))
    assert Alignments.of(pairs).take(rows) == Alignments.of([pairs[row] for row in rows])
    for row in (-1, len(pairs)):
        with pytest.raises(InputError, match="outside"):
            Alignments.of(pairs).take([row])


def test_masks_take_pairs() -> None:
    pairs = Alignments.of([[(0, 0)], [], [(1, 2)]])
    assert pairs.take([False, False, True]) == Alignments.of([[(1, 2)]])
    for rows in ([True], [0.5]):
        with pytest.raises(InputError):
            pairs.take(rows)


def test_arrays_that_are_no_alignments_are_refused_at_once() -> None:
    one = np.zeros((1, 2), np.int32)
    for links, offsets in (
        (one, [0, 2]),
        (one, [0, 1, 0, 1]),
        (one, [1, 1]),
        (one, []),
        (one - 1, [0, 1]),
        (np.zeros((1, 3), np.int32), [0, 1]),
        (np.zeros(2, np.int32), [0, 1]),
    ):
        with pytest.raises(InputError):
            Alignments(links, np.array(offsets, np.int64))
    with pytest.raises(InputError, match="below 2"):
        Alignments.of([[(0, 1 << 31)]])


def test_a_file_is_checked_against_its_bitext(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0\n0-99\n" + "\n" * (len(BITEXT) - 2))
    with pytest.raises(InputError, match=r"links:2: found the link 0-99"):
        Alignments.read(path, BITEXT)
