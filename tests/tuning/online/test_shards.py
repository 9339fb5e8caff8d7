"""Shards: every sentence once, nearly equal sizes, one fold each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.errors import InputError, OptionError
from tunesmith.tuning.online.shards import Shards, make_shards


@given(
    sentences=st.integers(1, 60), shards=st.integers(1, 12), folds=st.integers(0, 4), seed=st.integers(0, 9)
)
def test_shards_divide_the_sentences_and_cross_no_fold(
    sentences: int, shards: int, folds: int, seed: int
) -> None:
    fold_of = None if folds == 0 else np.arange(sentences) * 7 % folds
    found = make_shards(sentences, shards, seed, fold_of)
    assert sorted(found.sentences.tolist()) == list(range(sentences))
    present = 1 if fold_of is None else len(set(fold_of.tolist()))
    assert len(found) == max(min(shards, sentences), present)
    for number in range(len(found)):
        own = found[number].tolist()
        assert own == sorted(own) != []
        assert {-1 if fold_of is None else fold_of[sentence] for sentence in own} == {found.folds[number]}
        assert sorted(found.order(number, 3, seed).tolist()) == own
    if fold_of is None:
        sizes = np.diff(found.offsets)
        assert sizes.max() - sizes.min() <= 1
    assert (np.diff(found.folds) >= 0).all()  # the shards of a fold follow each other


def test_without_shuffling_shards_are_parts_of_the_file_or_of_its_folds() -> None:
    shards = make_shards(7, 3, shuffle=False)
    assert [shards[number].tolist() for number in range(3)] == [[0, 1, 2], [3, 4], [5, 6]]
    folded = make_shards(6, 3, 5, [1, 0, 1, 0, 1, 0], shuffle=False)
    assert [folded[number].tolist() for number in range(3)] == [[1, 3], [5], [0, 2, 4]]


def test_shards_are_read_as_they_were_written(tmp_path: Path) -> None:
    shards = make_shards(10, 3, 1, [0, 1] * 5)
    shards.save(tmp_path / "shards.npz")
    again = Shards.read(tmp_path / "shards.npz")
    for name in ("offsets", "sentences", "folds"):
        assert getattr(again, name).tolist() == getattr(shards, name).tolist()
    (tmp_path / "shards.npz").write_bytes(b"PK")
    with pytest.raises(InputError, match="damaged"):
        Shards.read(tmp_path / "shards.npz")


def test_no_sentences_or_no_shards_are_refused() -> None:
    with pytest.raises(InputError, match="no sentences"):
        make_shards(0, 1)
    with pytest.raises(OptionError, match="shards must be at least 1"):
        make_shards(3, 0)
