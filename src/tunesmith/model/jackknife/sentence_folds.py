"""Which fold of a model's training text each sentence of an input is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tunesmith.corpus.blocks import read_blocks
from tunesmith.corpus.line_keys import EMPTY, LineKeys, line_keys
from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_lines
from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.types import IntArray

__all__ = ["OTHER", "SentenceFolds", "fold_rows", "pair_keys", "read_sentence_folds", "sentence_folds"]

OTHER = -1
"""In place of a fold: a sentence that is not of the training text; the whole model translates it."""

_MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class SentenceFolds:
    """The fold of each sentence, or `OTHER`; `repeated` sentence pairs are in several folds.

    The first fold of a repeated pair is left out: its copies stay, as they do for new text that is not new.
    """

    fold_of: IntArray
    repeated: int = 0

    @property
    def is_sorted(self) -> bool:
        """Whether the sentences of each fold follow each other, so that each fold is opened once."""
        return len(self.runs) == len(np.unique(self.fold_of))

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The ranges [begin, end) of neighboring sentences of the same fold."""
        cuts = (np.flatnonzero(np.diff(self.fold_of)) + 1).tolist()
        bounds = [0, *cuts, len(self.fold_of)]
        return list(pairwise(bounds)) if len(self.fold_of) else []

    @property
    def messages(self) -> list[str]:
        """What a user should know: sentences without a fold, and pairs in several."""
        others, count = int((self.fold_of == OTHER).sum()), len(self.fold_of)
        found = []
        if others:
            found.append(
                f"{others:,} of {count:,} sentences are not in the training text: the whole model translates"
                " them"
            )
        if self.repeated:
            found.append(
                f"{self.repeated:,} of {count:,} sentence pairs are in several folds: only the first is left"
                " out"
            )
        return found


def fold_rows(fold_of: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield each fold with the rows of its sentences, in the order of their first rows."""
    folds, first = np.unique(fold_of, return_index=True)
    for fold in folds[np.argsort(first)].tolist():
        yield fold, np.flatnonzero(fold_of == fold)


def read_sentence_folds(path: PathLike, models: FoldModels) -> IntArray:
    """Read one fold number per sentence; `-` is a sentence that is not of the training text."""
    count = int(models.fold_of_pairs.max()) + 1
    found = []
    for number, line in enumerate(read_lines(path), 1):
        is_fold = line.isascii() and line.isdigit() and len(line) < 10 and int(line) < count
        if not is_fold and line != "-":
            raise InputError(
                f"found {line[:40]!r}; expected a fold from 0 to {count - 1}, or - for other text",
                path=path,
                line=number,
            )
        found.append(int(line) if is_fold else OTHER)
    return np.array(found, dtype=np.int64)


def sentence_folds(
    models: FoldModels,
    sources: Sequence[str],
    targets: Sequence[str] | None = None,
    given: IntArray | None = None,
) -> SentenceFolds:
    """Return the fold of each sentence, `given` or looked up by its source and, if known, its target.

    Lines are compared by `line_keys`. If the input is the training text, line by line, nothing is ambiguous;
    otherwise a source without a target that is in several folds is an InputError: any choice could leave
    its own translation in the model. So is a given fold that is not one of those that the sentence is in,
    and an input without any sentence of the training text. O(n log n) in the training text.
    """
    if given is not None and len(given) != len(sources):
        raise InputError(f"there are {len(given)} folds for {len(sources)} sentences; expected one each")
    own = pair_keys(line_keys(sources), None if targets is None else line_keys(targets))
    known = _training_keys(models, with_targets=targets is not None)
    folds = models.fold_of_pairs
    if given is None and np.array_equal(own, known):
        return SentenceFolds(folds)
    occurrences = _Occurrences.of(known, folds)
    begins, ends = occurrences.find(own)
    if given is not None:
        _check_given(given, occurrences, begins, ends)
        return SentenceFolds(given)
    found = ends > begins
    if len(own) and not found.any():
        raise InputError("none of the sentences is in the model's training text", path=models.model)
    several = occurrences.are_several(begins, ends)
    if targets is None and several.any():
        row = int(np.flatnonzero(several)[0])
        where = sorted(set(occurrences.folds[begins[row] : ends[row]].tolist()))
        raise InputError(
            f"the sentence {sources[row][:60]!r} is in the folds {', '.join(map(str, where))} of the training"
            " text; name the fold of each sentence by {}",
            "folds",
            line=row + 1,
        )
    fold_of = np.full(len(own), OTHER, dtype=np.int64)
    fold_of[found] = occurrences.folds[begins[found]]
    return SentenceFolds(fold_of, int(several.sum()))


def pair_keys(sources: LineKeys, targets: LineKeys | None) -> LineKeys:
    """Return the keys of sources, or of pairs; an empty source has no partner."""
    if targets is None:
        return sources
    pairs = sources * _MIXER + targets
    pairs[sources == EMPTY] = EMPTY
    return pairs


def _training_keys(models: FoldModels, *, with_targets: bool) -> LineKeys:
    sides = [
        np.concatenate([line_keys(block) for block in read_blocks(models.home / name)])
        for name in ((SOURCE, TARGET) if with_targets else (SOURCE,))
    ]
    return pair_keys(sides[0], sides[1] if with_targets else None)


@dataclass(frozen=True, eq=False)
class _Occurrences:
    """The keys of the training text, sorted, and their folds; equal keys are in the order of the text."""

    keys: LineKeys
    folds: IntArray

    @classmethod
    def of(cls, keys: LineKeys, folds: IntArray) -> _Occurrences:
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], folds[order])

    def find(self, wanted: LineKeys) -> tuple[IntArray, IntArray]:
        """Return the range of each wanted key; empty if there is none."""
        begins = np.searchsorted(self.keys, wanted, "left")
        ends = np.where(wanted == EMPTY, begins, np.searchsorted(self.keys, wanted, "right"))
        return begins.astype(np.int64), ends.astype(np.int64)

    def are_several(self, begins: IntArray, ends: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return whether each range has several folds."""
        changes = np.concatenate([[0], np.cumsum(np.diff(self.folds) != 0)])
        last = np.maximum(ends - 1, begins)
        bound = len(changes) - 1
        several = changes[np.minimum(last, bound)] != changes[np.minimum(begins, bound)]
        return np.asarray(several & (ends > begins))


def _check_given(given: IntArray, occurrences: _Occurrences, begins: IntArray, ends: IntArray) -> None:
    """Refuse a sentence whose fold is another one: its own translation would stay in the model."""
    first = occurrences.folds[np.minimum(begins, len(occurrences.folds) - 1)]
    for row in np.flatnonzero((ends > begins) & (first != given) & (given != OTHER)).tolist():
        folds = occurrences.folds[begins[row] : ends[row]]
        if given[row] not in folds:
            raise InputError(
                f"the sentence is in fold {folds[0]} of the training text, not in fold {given[row]}",
                line=row + 1,
            )
