"""Training, development and test parts share no pair."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.split import split, split_files
from tunesmith.errors import InputError, OptionError
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
