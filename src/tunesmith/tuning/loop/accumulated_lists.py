"""The n-best lists of all rounds of a loop, each candidate once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union
from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric
from tunesmith.texts import Texts
from tunesmith.tuning.loop.accumulated import Accumulated, Round
from tunesmith.tuning.translators.base import Translator
from tunesmith.weights import Weights

__all__ = ["AccumulatedLists"]


class AccumulatedLists(Accumulated):
    """The union of the rounds' lists. New candidates of round N are in the file `N.pool`, and mapped."""

    def __init__(
        self,
        translator: Translator,
        metric: Metric,
        references: Sequence[Texts],
        folder: Path,
        *,
        size: int,
        threads: int,
    ) -> None:
        self._translator = translator
        self._metric = metric
        self._references = references
        self._folder = folder
        self._size = size
        self._threads = threads
        self._union = Union(threads)

    def gather(self, number: int, weights: Weights) -> Round:
        found = self._translator.nbest(weights, self._size)
        best = self._best(found)
        write_mapped(self._union.news(found), self._file(number))
        new = self._add(read_mapped(self._file(number), verify=False))
        return Round(best, {"candidates": self.data.n_candidates, "new": new})

    def recall(self, number: int) -> None:
        self._union = Union(self._threads)
        for each in range(1, number + 1):
            self._add(read_mapped(self._file(each), verify=False))

    def forget(self, number: int) -> None:
        """Keep everything: the union is made of all rounds."""

    @property
    def data(self) -> Pool:
        return self._union.pool

    def _file(self, number: int) -> Path:
        return self._folder / f"{number}.pool"

    def _add(self, found: Pool) -> int:
        numbers = _numbers(found, len(self._references[0]))
        references = tuple(reference.take(numbers) for reference in self._references)
        judged = replace(found, references=references, _stats={})
        judged.stats(self._metric, self._threads)  # cached by the union
        return self._union.add(judged)

    def _best(self, found: Pool) -> Texts:
        """Return the first candidate of each sentence; an empty text if there is none."""
        best = [""] * len(self._references[0])
        assert found.texts is not None
        firsts = found.texts.take(found.offsets[:-1])
        for number, text in zip(_numbers(found, len(best)), firsts, strict=True):
            best[number] = text
        return Texts.of(best)


def _numbers(pool: Pool, sentences: int) -> list[int]:
    """Return the sentence of each list."""
    if pool.texts is None:
        raise InputError("the decoder's lists have no texts; expected a translation per candidate")
    try:
        numbers = [int(name) for name in pool.ids]
    except ValueError:
        numbers = [-1]
    if min(numbers) < 0 or max(numbers) >= sentences or len(np.unique(numbers)) != len(numbers):
        raise InputError(
            f"the decoder's lists have the ids {', '.join(pool.ids[:3])}, ...; expected the numbers of"
            f" {sentences} sentences, from 0, each once"
        )
    return numbers
