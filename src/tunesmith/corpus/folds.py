"""Jackknife folds of a corpus: parts that are held out in turn; documents are not split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.clean import count_tokens
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.options import check_option, check_seed
from tunesmith.types import FloatArray, IntArray

__all__ = ["document_folds", "document_numbers", "folds_of_file", "read_folds", "write_folds"]


def document_folds(
    documents: Sequence[str] | None,
    n_sentences: int,
    folds: int = 10,
    seed: int = 1,
    *,
    weights: npt.ArrayLike | None = None,
) -> IntArray:
    """Return the fold, 0 to folds - 1, of each sentence; folds have about equal weight.

    `documents` has one document id per sentence; a document lies in one fold, even if its sentences are
    not contiguous. Greedily, the heaviest document first, each goes to the lightest fold, so that the
    weights of any two folds differ by at most the heaviest document. Without documents, folds are
    contiguous blocks. `weights` has one value per sentence, such as its number of words [default: 1].
    """
    weighed = _check(n_sentences, folds, seed, weights)
    if documents is None:
        if n_sentences < folds:
            raise OptionError(
                "{found} sentences do not make {} {folds}", "folds", found=n_sentences, folds=folds
            )
        return _blocks(weighed, folds)
    if len(documents) != n_sentences:
        raise InputError(
            f"found {len(documents)} document ids for {n_sentences} sentences; expected one per sentence",
            line=min(len(documents), n_sentences) + 1,
        )
    numbers = document_numbers(documents)
    totals = np.bincount(numbers, weights=weighed) if len(numbers) else np.zeros(0)
    if len(totals) < folds:
        raise OptionError(
            "{found} documents do not make {} {folds}; ask for fewer", "folds", found=len(totals), folds=folds
        )
    shuffled = np.random.default_rng(seed).permutation(len(totals))
    fold_of = np.zeros(len(totals), dtype=np.int64)
    loads = np.zeros(folds)
    for document in shuffled[np.argsort(-totals[shuffled], kind="stable")]:
        lightest = int(np.argmin(loads))
        fold_of[document] = lightest
        loads[lightest] += totals[document]
    return fold_of[numbers]


def folds_of_file(
    text: PathLike,
    documents: PathLike | None = None,
    *,
    folds: int = 10,
    balance: Literal["words", "lines"] = "words",
    seed: int = 1,
) -> IntArray:
    """Return the folds of a tokenized file, balanced by words or lines."""
    check_option("folds", "balance", Literal["words", "lines"], balance)
    words: list[IntArray] = []
    names: list[str] = []
    for block in parallel_blocks([text] if documents is None else [text, documents]):
        words.append(count_tokens(block[0]))
        names += block[1] if documents is not None else []
    counts = np.concatenate(words)
    return document_folds(
        names if documents is not None else None,
        len(counts),
        folds,
        seed,
        weights=counts if balance == "words" else None,
    )


def document_numbers(documents: Sequence[str]) -> IntArray:
    """Number documents from 0 in order of appearance; return the document number of each sentence."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in documents], dtype=np.int64)


def write_folds(path: PathLike, fold_of: IntArray) -> None:
    """Write one fold number per line."""
    with open_write(path) as stream:
        stream.write("".join(f"{fold}\n" for fold in fold_of.tolist()).encode())


def read_folds(path: PathLike) -> IntArray:
    """Read one fold number per line."""
    found = []
    for number, line in enumerate(read_lines(path), 1):
        if not (line.isascii() and line.isdigit() and len(line) < 10):
            raise InputError(f"found {line[:60]!r}; expected a fold number", path=path, line=number)
        found.append(int(line))
    if not found:
        raise InputError("the file is empty; expected one fold number per line", path=path)
    return np.array(found, dtype=np.int64)


def _check(n_sentences: int, folds: int, seed: int, weights: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
    check_seed(seed)
    if folds < 2:
        raise OptionError("{} must be at least 2, not {folds}", "folds", folds=folds)
    weighed = np.ones(n_sentences) if weights is None else np.asarray(weights, dtype=np.float64)
    if weighed.shape != (n_sentences,):
        raise InputError(f"found weights of shape {weighed.shape} for {n_sentences} sentences")
    if not (np.isfinite(weighed).all() and (weighed >= 0).all()):
        raise InputError("the weights of sentences must be finite and not negative")
    return weighed


def _blocks(weighed: FloatArray, folds: int) -> IntArray:
    """Cut where the cumulative weight passes each multiple of total / folds; no block is empty."""
    fold = np.arange(folds)
    middles = np.cumsum(weighed) - weighed / 2
    wanted = np.searchsorted(middles, weighed.sum() * fold / folds)
    wanted[0] = 0
    # Each fold starts after the previous one and leaves at least one row per later fold.
    begins = np.minimum(np.maximum.accumulate(wanted - fold) + fold, len(weighed) - folds + fold)
    return np.repeat(fold, np.diff(begins, append=len(weighed)))
