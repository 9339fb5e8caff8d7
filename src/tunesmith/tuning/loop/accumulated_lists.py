"""The n-best lists of all rounds of a loop, each candidate once."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith import _native
from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union
from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric
from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.tuning.loop.accumulated import Accumulated, Round
from tunesmith.weights import Weights

__all__ = ["AccumulatedLists"]


class AccumulatedLists(Accumulated):
    """The union of the rounds' lists. New candidates of round N are in the file `N.pool`, and mapped."""

    def __init__(
        self,
        system: System,
        metric: Metric,
        references: Sequence[Texts],
        folder: Path,
        *,
        size: int,
        threads: int,
    ) -> None:
        self._system = system
        self._metric = metric
        self._references = references
        self._folder = folder
        self._sentences = len(references[0])
        self._size = size
        self._threads = threads
        self._union = Union(threads)

    def gather(self, number: int, weights: Weights) -> Round:
        best: dict[int, str] = {}
        news = self._union.news_of_parts(self._parts(weights, best))
        write_mapped(news, self._file(number))
        del news
        _native.release_idle_memory()  # of decoding
        new = self._add(read_mapped(self._file(number), verify=False))
        texts = Texts.of(best.get(sentence, "") for sentence in range(self._sentences))
        return Round(texts, {"candidates": self.data.n_candidates, "new": new})

    def recall(self, number: int) -> None:
        self._union = Union(self._threads)
        for each in range(1, number + 1):
            self._add(read_mapped(self._file(each), verify=False))

    def forget(self, number: int) -> None:
        """Keep all files: the union is made of all rounds. Its pool is made anew when asked for."""
        self._union.drop_pool()

    @property
    def data(self) -> Pool:
        return self._union.pool

    def _file(self, number: int) -> Path:
        return self._folder / f"{number}.pool"

    def _add(self, found: Pool) -> int:
        numbers = _numbers(found, self._sentences)
        references = tuple(reference.take(numbers) for reference in self._references)
        judged = replace(found, references=references, _stats={})
        judged.stats(self._metric, self._threads)  # cached by the union
        return self._union.add(judged)

    def _parts(self, weights: Weights, best: dict[int, str]) -> Iterator[Pool]:
        """Yield the decoder's lists in parts; note the first candidate of each sentence in `best`."""
        for found in self._system.use(weights).nbest_parts(self._size):
            numbers = _numbers(found, self._sentences, best)
            assert found.texts is not None
            best.update(zip(numbers, found.texts.take(found.offsets[:-1]), strict=True))
            yield found


def _numbers(pool: Pool, sentences: int, known: Container[int] = ()) -> list[int]:
    """Return the sentence of each list; an InputError if that is not a number, or one of the `known`."""
    if pool.texts is None:
        raise InputError("the decoder's lists have no texts; expected a translation per candidate")
    try:
        numbers = [int(name) for name in pool.ids]
    except ValueError:
        numbers = [-1]
    is_valid = min(numbers) >= 0 and max(numbers) < sentences and len(set(numbers)) == len(numbers)
    if not is_valid or any(number in known for number in numbers):
        raise InputError(
            f"the decoder's lists have the ids {', '.join(pool.ids[:3])}, ...; expected the numbers of"
            f" {sentences} sentences, from 0, each once"
        )
    return numbers
