"""Shards: fixed lists of sentences, each learned from in sequence, and mixed after each iteration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.array_files import read_arrays
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, open_write
from tunesmith.types import IntArray

__all__ = ["Shards", "make_shards"]

_DAMAGED = "{} begins the run anew"


@dataclass(frozen=True, eq=False)
class Shards:
    """The sentences of shard i are `sentences[offsets[i]:offsets[i + 1]]`, ascending, all of the fold
    `folds[i]` (-1: none). Part of every result, and independent of the number of processes."""

    offsets: IntArray
    sentences: IntArray
    folds: IntArray

    def __len__(self) -> int:
        return len(self.folds)

    def __getitem__(self, number: int) -> IntArray:
        """Return the sentences of a shard."""
        found: IntArray = self.sentences[self.offsets[number] : self.offsets[number + 1]]
        return found

    def order(self, number: int, epoch: int, seed: int) -> IntArray:
        """Return the sentences of a shard in the order of an iteration, from 0: random by seed.

        The only shard of a run visits them in the order of a pass of `mira` with the same seed.
        """
        own = self[number]
        shuffled: IntArray = own[np.random.default_rng([seed, epoch, number]).permutation(len(own))]
        return shuffled

    def save(self, path: PathLike) -> None:
        """Write a file that workers read."""
        with open_write(path) as stream:
            np.savez(stream, offsets=self.offsets, sentences=self.sentences, folds=self.folds)

    @classmethod
    def read(cls, path: PathLike) -> Shards:
        """Read what `save` wrote."""
        arrays = read_arrays(path, _DAMAGED, "restart")
        found = [arrays.get(name) for name in ("offsets", "sentences", "folds")]
        if any(each is None or each.dtype != np.int64 or each.ndim != 1 for each in found):
            raise InputError(f"is damaged; {_DAMAGED}", "restart", path=path)
        offsets, sentences, folds = (each for each in found if each is not None)
        ends = [0, *offsets.tolist(), len(sentences)]
        if len(offsets) != len(folds) + 1 or ends != sorted(ends) or sentences.min(initial=0) < 0:
            raise InputError(f"is damaged; {_DAMAGED}", "restart", path=path)
        return cls(offsets, sentences, folds)


def make_shards(
    sentences: int,
    shards: int,
    seed: int = 1,
    folds: Sequence[int] | IntArray | None = None,
    *,
    shuffle: bool = True,
) -> Shards:
    """Divide sentences at random into shards of nearly equal size, at most one per sentence.

    Without `shuffle`, the sentences of a shard follow each other (among those of their fold).

    With `folds`, the jackknife fold of each sentence, a shard has sentences of one fold only: folds get
    shards by their number of sentences, at least one each, and neighboring shards are of the same fold.
    """
    if sentences < 1:
        raise InputError("there are no sentences to learn from")
    if shards < 1:
        raise OptionError("{} must be at least 1, not {found}", "shards", found=shards)
    fold_of = np.full(sentences, -1) if folds is None else np.asarray(folds, dtype=np.int64)
    if len(fold_of) != sentences:
        raise InputError(f"{len(fold_of)} folds for {sentences} sentences")
    drawn = np.random.default_rng([seed, 0, 0, 1]).permutation(sentences)
    shuffled = drawn if shuffle else np.arange(sentences)
    parts: list[IntArray] = []
    of_parts: list[int] = []
    present, sizes = np.unique(fold_of, return_counts=True)
    for fold, size in zip(present.tolist(), _numbers(sizes, shards), strict=True):
        own = shuffled[fold_of[shuffled] == fold]
        parts += [np.sort(part) for part in np.array_split(own, size)]
        of_parts += [fold] * size
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return Shards(offsets, np.concatenate(parts).astype(np.int64), np.array(of_parts, dtype=np.int64))


def _numbers(sizes: IntArray, shards: int) -> list[int]:
    """Return the number of shards of each fold: the largest remaining fold per shard gets the next one."""
    numbers = [1] * len(sizes)
    for _ in range(min(shards, int(sizes.sum())) - len(sizes)):
        open_folds = [i for i, size in enumerate(sizes.tolist()) if numbers[i] < size]
        numbers[max(open_folds, key=lambda i: (sizes[i] / numbers[i], -i))] += 1
    return numbers
