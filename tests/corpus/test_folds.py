"""Jackknife folds keep documents whole and weigh about the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.folds import document_folds, folds_of_file, read_folds, write_folds
from tunesmith.errors import InputError, OptionError
from tunesmith.files import read_lines


@given(st.data())
def test_documents_are_whole_and_folds_differ_by_at_most_a_document(data: st.DataObject) -> None:
    documents = [str(n) for n in data.draw(st.lists(st.integers(0, 12), min_size=3, max_size=60))]
    different = len(set(documents))
    if different < 2:
        return
    folds = data.draw(st.integers(2, different))
    weights = np.array(
        data.draw(st.lists(st.integers(0, 9), min_size=len(documents), max_size=len(documents)))
    )
    found = document_folds(documents, len(documents), folds, weights=weights)
    assert all(
        len({f for d, f in zip(documents, found, strict=True) if d == name}) == 1 for name in documents
    )
    totals = np.bincount(found, weights=weights, minlength=folds)
    heaviest = max(weights[[d == name for d in documents]].sum() for name in documents)
    assert totals.max() - totals.min() <= heaviest


@given(st.data())
def test_without_documents_folds_are_blocks_none_of_them_empty(data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.integers(0, 9), min_size=2, max_size=50)))
    folds = data.draw(st.integers(2, len(weights)))
    found = document_folds(None, len(weights), folds, weights=weights)
    assert (np.diff(found) >= 0).all()
    assert set(found.tolist()) == set(range(folds))


def test_blocks_of_equal_sentences_differ_by_at_most_one() -> None:
    sizes = np.bincount(document_folds(None, 1003, 10))
    assert sizes.max() - sizes.min() <= 1


def test_the_same_seed_gives_the_same_folds() -> None:
    documents = [str(number // 5) for number in range(200)]
    assert np.array_equal(document_folds(documents, 200, seed=3), document_folds(documents, 200, seed=3))
    assert not np.array_equal(document_folds(documents, 200, seed=3), document_folds(documents, 200, seed=4))


def test_europarl_folds_have_about_as_many_lines(shared_data: Path) -> None:
    documents = read_lines(shared_data / "europarl-fr-en.train.docs.xz")
    sizes = np.bincount(document_folds(documents, len(documents)))
    assert len(sizes) == 10
    assert sizes.max() - sizes.min() < 0.01 * sizes.mean()


def test_folds_are_written_and_read(tmp_path: Path) -> None:
    folds = document_folds(None, 30, 4)
    write_folds(tmp_path / "folds.gz", folds)
    assert np.array_equal(read_folds(tmp_path / "folds.gz"), folds)
    (tmp_path / "bad").write_text("1\n-1\n")
    with pytest.raises(InputError, match="bad:2"):
        read_folds(tmp_path / "bad")
    (tmp_path / "none").write_text("")
    with pytest.raises(InputError, match="empty"):
        read_folds(tmp_path / "none")


def test_folds_of_a_file_balance_words_or_lines(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b c d e f g h\n" + "a\n" * 8)
    assert folds_of_file(tmp_path / "text", folds=2).tolist() == [0] + [1] * 8
    by_lines = folds_of_file(tmp_path / "text", folds=2, balance="lines")
    assert np.bincount(by_lines).tolist() in ([4, 5], [5, 4])
    (tmp_path / "docs").write_text("d\n" * 8)
    with pytest.raises(InputError, match="no partner"):
        folds_of_file(tmp_path / "text", tmp_path / "docs", folds=2)


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 2"):
        document_folds(None, 10, 1)
    with pytest.raises(OptionError, match="do not make"):
        document_folds(None, 3, 4)
    with pytest.raises(OptionError, match="documents do not make"):
        document_folds(["a"] * 10, 10, 2)
    with pytest.raises(InputError, match="document ids") as caught:
        document_folds(["a", "b"], 3, 2)
    assert caught.value.line == 3
    for bad in ([1.0], [1.0, float("nan")], [1.0, -1.0]):
        with pytest.raises(InputError, match="weights"):
            document_folds(None, 2, 2, weights=bad)
