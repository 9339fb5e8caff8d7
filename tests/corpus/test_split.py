"""Training, development and test parts share no pair, and unless allowed no source and no target."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run

from tunesmith.corpus.line_keys import line_keys
from tunesmith.corpus.linked import linked_groups
from tunesmith.corpus.split import Split, split, split_files
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.files import read_lines


def digests(numbers: list[int]) -> list[bytes]:
    return [str(number).encode() for number in numbers]


@given(st.lists(st.integers(0, 30), min_size=20, max_size=60), st.integers(0, 1000))
def test_parts_have_their_sizes_and_no_pair_in_common(numbers: list[int], seed: int) -> None:
    if len(set(numbers)) < 10:
        return
    parts = split(digests(numbers), dev=3, test=4, seed=seed)
    assert (len(parts.dev), len(parts.test)) == (3, 4)
    texts = [{numbers[row] for row in rows} for rows in (parts.train, parts.dev, parts.test)]
    assert not (texts[0] & texts[1] or texts[0] & texts[2] or texts[1] & texts[2])
    everything = np.concatenate([parts.train, parts.dev, parts.test, parts.dropped])
    assert sorted(everything.tolist()) == list(range(len(numbers)))
    assert {numbers[row] for row in parts.dropped} <= texts[1] | texts[2]


@given(st.lists(st.integers(0, 40), min_size=40, max_size=80), st.integers(0, 1000))
def test_documents_stay_whole_and_share_no_pair(numbers: list[int], seed: int) -> None:
    documents = [str(row // 4) for row in range(len(numbers))]
    try:
        parts = split(digests(numbers), dev=8, test=10, documents=documents, seed=seed)
    except InputError as error:  # all pairs of a part may be in another
        assert "another part" in str(error)
        return
    where = {int(row): name for name in ("train", "dev", "test") for row in getattr(parts, name)}
    for name in set(documents):
        assert len({where[row] for row, d in enumerate(documents) if d == name and row in where}) <= 1
    assert len(parts.dev) <= 8
    assert len(parts.test) <= 10
    texts = [{numbers[row] for row in getattr(parts, name)} for name in ("train", "dev", "test")]
    assert not (texts[0] & texts[1] or texts[0] & texts[2] or texts[1] & texts[2])


def test_fractions_are_of_all_pairs_and_the_seed_chooses() -> None:
    everything = digests(list(range(1000)))
    parts = split(everything, dev=0.1, test=0.02, seed=5)
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (880, 100, 20)
    again, other = (
        split(everything, dev=0.1, test=0.02, seed=5),
        split(everything, dev=0.1, test=0.02, seed=6),
    )
    assert np.array_equal(parts.dev, again.dev)
    assert not np.array_equal(parts.dev, other.dev)
    assert len(split(everything, dev=0, test=0).train) == 1000


@pytest.mark.parametrize(("dev", "test"), [(-1, 1), (1.5, 1), (5, 5), (float("nan"), 1), (0.5, 0.5)])
def test_sizes_that_do_not_fit_are_refused(dev: float, test: float) -> None:
    with pytest.raises(OptionError):
        split(digests(list(range(10))), dev=dev, test=test)


def test_documents_that_do_not_fit_are_refused() -> None:
    numbers = digests(list(range(10)))
    with pytest.raises(OptionError, match="no document has 2"):
        split(numbers, dev=0, test=2, documents=["a"] * 5 + ["b"] * 5)
    with pytest.raises(InputError, match="document ids"):
        split(numbers, dev=0, test=2, documents=["a"])


def test_files_are_split_with_their_documents(tmp_path: Path) -> None:
    (tmp_path / "all.de").write_text("".join(f"s{n}\n" for n in range(50)))
    (tmp_path / "all.en").write_text("".join(f"t{n}\n" for n in range(50)))
    (tmp_path / "ids").write_text("".join(f"d{n // 5}\n" for n in range(50)))
    parts = split_files(
        tmp_path / "all.de", tmp_path / "all.en", tmp_path / "p", dev=5, test=10, documents=tmp_path / "ids"
    )
    for name in ("train", "dev", "test"):
        rows = getattr(parts, name).tolist()
        assert read_lines(tmp_path / f"p.{name}.de") == [f"s{n}" for n in rows]
        assert read_lines(tmp_path / f"p.{name}.en") == [f"t{n}" for n in rows]
        assert read_lines(tmp_path / f"p.{name}.docs") == [f"d{n // 5}" for n in rows]
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (35, 5, 10)
    assert not list(tmp_path.glob(".*"))


def test_nothing_is_written_where_a_side_is_shorter(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\n" * 5)
    (tmp_path / "b").write_text("x\n" * 4)
    with pytest.raises(InputError, match="no partner") as caught:
        split_files(tmp_path / "a", tmp_path / "b", tmp_path / "p", dev=1, test=1)
    assert caught.value.line == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_cannot_be_read_twice_and_an_output_that_is_an_input_are_refused(tmp_path: Path) -> None:
    for name in ("p.train.de", "p.train.en"):
        (tmp_path / name).write_text("".join(f"s{n}\n" for n in range(50)))
    os.mkfifo(tmp_path / "pipe")
    for source in ("-", tmp_path / "pipe"):
        with pytest.raises(OptionError, match="cannot be read twice"):
            split_files(source, tmp_path / "p.train.en", tmp_path / "q", dev=5, test=5)
    with pytest.raises(OptionError, match="is an input"):
        split_files(tmp_path / "p.train.de", tmp_path / "p.train.en", tmp_path / "p", dev=5, test=5)
    assert len(read_lines(tmp_path / "p.train.de")) == 50


def split_lines(sources: list[str], targets: list[str], dev: float, test: float, **options: object) -> Split:
    pairs = [f"{source}\n{target}".encode() for source, target in zip(sources, targets, strict=True)]
    lines = line_keys(sources), line_keys(targets)
    return split(pairs, dev=dev, test=test, lines=lines, **options)  # type: ignore[arg-type]


def lines_in(parts: Split, side: list[str]) -> list[set[str]]:
    return [{side[row] for row in getattr(parts, name)} for name in ("train", "dev", "test")]


PAIRS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=20, max_size=60)


@given(PAIRS, st.integers(0, 1000))
@pytest.mark.filterwarnings("ignore::tunesmith.errors.TunesmithWarning")
def test_no_source_and_no_target_is_in_two_parts(pairs: list[tuple[int, int]], seed: int) -> None:
    sides = [[f"s{s}" for s, _ in pairs], [f"t{t}" for _, t in pairs]]
    try:
        parts = split_lines(*sides, dev=3, test=4, seed=seed)
    except OptionError as error:  # all pairs may be linked
        assert "none is left" in str(error) or "stay together" in str(error)
        return
    assert len(parts.dev) <= 3
    assert len(parts.test) <= 4
    for side in sides:
        train, dev, test = lines_in(parts, side)
        assert not (train & dev or train & test or dev & test)
    everything = np.concatenate([parts.train, parts.dev, parts.test, parts.dropped])
    assert sorted(everything.tolist()) == list(range(len(pairs)))
    held_out = {pairs[row] for row in (*parts.dev, *parts.test)}
    assert {pairs[row] for row in parts.dropped} <= held_out  # repeats of the same pair only


@given(PAIRS)
def test_groups_are_the_connected_components(pairs: list[tuple[int, int]]) -> None:
    found = linked_groups(*(np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True)))
    expected = list(range(len(pairs)))
    for _ in pairs:  # spread the smallest row number until nothing changes
        for a, left in enumerate(pairs):
            for b, right in enumerate(pairs):
                if left[0] == right[0] or left[1] == right[1]:
                    expected[a] = expected[b] = min(expected[a], expected[b])
    order = {row: number for number, row in enumerate(sorted(set(expected)))}
    assert found.tolist() == [order[row] for row in expected]


def test_lines_are_equal_if_only_case_space_and_controls_differ() -> None:
    keys = line_keys(["Don't go.", "don 't  go .", "DO\u00a0N'T GO\x01.", "do go .", "", " \t"])
    assert len(set(keys[:3].tolist())) == 1
    assert keys[3] != keys[0]
    assert keys[4:].tolist() == [0, 0]


def test_empty_lines_link_nothing() -> None:
    parts = split_lines([""] * 20, [f"t{n}" for n in range(20)], dev=4, test=5)
    assert (len(parts.train), len(parts.dev), len(parts.test), parts.largest_group) == (11, 4, 5, 1)


def test_sizes_are_met_exactly_if_small_groups_are_left() -> None:
    sources = [f"s{min(n, 900)}" for n in range(1000)]  # one group of 100, 900 single pairs
    parts = split_lines(sources, [f"t{n}" for n in range(1000)], dev=50, test=60)
    assert (len(parts.train), len(parts.dev), len(parts.test), parts.largest_group) == (890, 50, 60, 100)
    assert set(range(900, 1000)) <= set(parts.train.tolist())


def test_a_part_that_groups_do_not_fill_is_warned_of_and_an_empty_one_refused() -> None:
    sources, targets = [f"s{n // 7}" for n in range(70)], [f"t{n}" for n in range(70)]
    with pytest.warns(TunesmithWarning, match=r"test has 14 pairs instead of 20: .* group left has 7"):
        assert len(split_lines(sources, targets, dev=0, test=20).test) == 14
    with pytest.raises(OptionError, match=r"smallest group has 7; .* allow_overlap"):
        split_lines(sources, targets, dev=5, test=0)


def test_documents_stay_whole_and_lose_the_lines_of_other_parts() -> None:
    sources, targets = [f"s{n % 87}" for n in range(100)], [f"t{n % 83}" for n in range(100)]
    documents = [f"d{n // 10}" for n in range(100)]
    parts = split_lines(sources, targets, dev=10, test=10, documents=documents)
    for side in (sources, targets):
        train, dev, test = lines_in(parts, side)
        assert not (train & dev or train & test or dev & test)
    assert len(parts.test) == 10
    assert len(parts.dropped) > 0


def test_the_command_keeps_lines_in_one_part_unless_overlap_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "all.de").write_text("".join(f"s{min(n, 30)}\n" for n in range(50)))
    (tmp_path / "all.en").write_text("".join(f"t{n}\n" for n in range(50)))
    files = ("--source", "all.de", "--target", "all.en", "--dev", 5, "--test", 10)
    done = run("corpus", "split", *files, "-o", "apart", folder=tmp_path)
    assert done.stderr.splitlines()[0] == "train 35, dev 5, test 10, dropped 0"
    assert "20 pairs, linked by sources or targets that they share, are too many" in done.stderr
    assert "s30" not in read_lines(tmp_path / "apart.test.de") + read_lines(tmp_path / "apart.dev.de")
    done = run("corpus", "split", *files, "--allow-overlap", "-o", "mixed", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "train 35, dev 5, test 10, dropped 0\n")
    pairs = [f"s{min(n, 30)}\nt{n}\n".encode() for n in range(50)]
    without = split(pairs, dev=5, test=10)  # what is drawn if only pairs are compared
    assert read_lines(tmp_path / "mixed.test.en") == [f"t{n}" for n in without.test.tolist()]
