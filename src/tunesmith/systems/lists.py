"""Fixed candidate lists in place of a decoder: only the scores follow the weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.files import PathLike
from tunesmith.metrics.base import Metric, Segments
from tunesmith.systems.base import System
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, Stats
from tunesmith.weights import Weights, WeightStore

__all__ = ["ListSetup", "ListSystem", "dense_names", "distinct"]


@dataclass(frozen=True)
class _ListCandidates:
    """The candidates of a list; rows are in the order of their columns, and so are their differences."""

    lists: ListSystem
    number: int
    metric: Metric
    references: Sequence[Texts]

    @cached_property
    def scores(self) -> FloatArray:
        return self.lists.scores(self.number)

    @property
    def stats(self) -> Stats:
        return self.lists.stats(self.number, self.metric, self.references)

    def features(self, index: int) -> _native.FeatureVector:
        return self.lists.vector(*self.lists.row(self.number, index))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the difference in the order of columns, so that sums over it equal those of `mira`."""
        plus_columns, plus_values = self.lists.row(self.number, plus)
        minus_columns, minus_values = self.lists.row(self.number, minus)
        columns = np.concatenate([plus_columns, minus_columns])
        values = np.concatenate([plus_values, -minus_values])
        order, places = np.unique(columns, return_inverse=True)
        summed = np.zeros(len(order))
        np.add.at(summed, places, values)
        kept = summed != 0
        return self.lists.vector(order[kept], summed[kept])


class ListSystem(System):
    """The lists of a pool, one per sentence: batch learning with online updates. `source_words` of a sentence
    are those of `sources`, or 1 if the pool has none."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._numbers = np.zeros(0, dtype=np.uint32)
        self._stats: dict[tuple[int, str], Stats] = {}

    def __len__(self) -> int:
        return len(self.pool)

    @property
    def start(self) -> Weights:
        return Weights(dict.fromkeys(self.pool.feature_names, 0.0))

    @property
    def details(self) -> Mapping[str, object]:
        rows, texts, digest = self.pool.features, self.pool.texts, hashlib.blake2b(digest_size=16)
        of_texts = () if texts is None else (texts.offsets, texts.blob)
        for array in (self.pool.offsets, rows.offsets, rows.columns, rows.values, *of_texts):
            digest.update(array.tobytes())
        return {"lists": digest.hexdigest(), "features": list(rows.names)}

    @property
    def dense(self) -> Sequence[str]:
        return dense_names(self.pool)

    @property
    def known(self) -> Sequence[str]:
        return self.pool.feature_names

    def use(self, weights: Mapping[str, float], sentences: Iterable[int] | None = None) -> Self:
        """Read weights from a store, which gets a record for every feature of the lists."""
        store = weights if isinstance(weights, WeightStore) else WeightStore.of(weights)
        names = list(self.pool.feature_names)
        missing = [name for name, number in zip(names, store.find(names).tolist(), strict=True) if number < 0]
        store.set(missing, np.zeros(len(missing)))
        self._numbers = store.find(names).astype(np.uint32)
        return super().use(store, sentences)

    def nbest(self, size: int) -> Pool:
        """Return the `size` best texts of each list."""
        assert self.pool.texts is not None
        ranked = [np.argsort(-self.scores(number), kind="stable") for number in self.sentences]
        begins = self.pool.offsets[[*self.sentences]].tolist()
        rows = np.concatenate([begin + order for begin, order in zip(begins, ranked, strict=True)])
        names = tuple(map(str, range(len(ranked))))
        offsets = np.cumsum([0, *map(len, ranked)]).astype(np.int64)
        features = self.pool.features.take(rows)
        return distinct(Pool(names, offsets, features, self.pool.texts.take(rows))).head(size)

    def translations(self) -> Iterator[str]:
        assert self.pool.texts is not None
        for number in self.sentences:
            yield self.pool.texts[int(self.pool.offsets[number]) + int(np.argmax(self.scores(number)))]

    def measured(self, metric: Metric, references: Sequence[Texts]) -> tuple[Stats, int]:
        total = np.zeros(metric.width)
        for number in self.sentences:
            own = [reference.take([number]) for reference in references]
            found = self.candidates(number, 0, metric, own)
            total += found.stats[int(np.argmax(found.scores))]
        return total, 0

    def candidates(
        self, sentence: int, size: int, metric: Metric, references: Sequence[Texts]
    ) -> _ListCandidates:
        """Return a whole list, whatever the size."""
        return _ListCandidates(self, sentence, metric, references)

    def source_words(self, sentence: int) -> int:
        sources = self.pool.sources
        return 1 if sources is None else len(sources[sentence].split())

    def scores(self, number: int) -> FloatArray:
        """Return the scores of a list under the weights of the store."""
        assert isinstance(self.weights, WeightStore)
        rows, (begin, end) = self.pool.features, self.pool.offsets[number : number + 2].tolist()
        return _native.store_scores(
            rows.offsets, rows.columns, rows.values, begin, end, self._numbers, self.weights.native
        )

    def stats(self, number: int, metric: Metric, references: Sequence[Texts]) -> Stats:
        """Return the statistics of a list; computed once per metric, given the same references."""
        key = number, metric.signature
        if key not in self._stats:
            begin, end = self.pool.offsets[number : number + 2].tolist()
            texts = None if self.pool.texts is None else self.pool.texts.take(range(begin, end))
            scores = {name: column[begin:end] for name, column in self.pool.scores.items()}
            self._stats[key] = metric.measure(Segments(texts, np.array([0, end - begin]), references, scores))
        return self._stats[key]

    def row(self, number: int, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Return columns and values of a candidate of a list."""
        rows, row = self.pool.features, int(self.pool.offsets[number]) + index
        entries = slice(int(rows.offsets[row]), int(rows.offsets[row + 1]))
        return rows.columns[entries], rows.values[entries]

    def vector(self, columns: np.ndarray, values: np.ndarray) -> _native.FeatureVector:
        """Return a vector of named features in the given order."""
        names = self.pool.feature_names
        return _native.FeatureVector.of([names[column] for column in columns.tolist()], values)


@dataclass(frozen=True)
class ListSetup(Setup):
    """Candidate lists of files, with references; see `Pool.read`."""

    lists: tuple[PathLike, ...]
    references: tuple[PathLike, ...]
    format: str | None = None

    def open(self, size: int | None = None, fold: int | None = None) -> ListSystem:
        pool = Pool.read(list(self.lists), references=list(self.references), format=self.format)
        return ListSystem(pool if size is None else pool.head(size))

    def read_references(self) -> tuple[Texts, ...]:
        return tuple(self.open().pool.references)

    @property
    def details(self) -> Mapping[str, object]:
        return {"lists": [*map(str, self.lists)], "references": [*map(str, self.references)]}

    @property
    def start(self) -> Mapping[str, float]:
        return self.system.start


def dense_names(pool: Pool) -> list[str]:
    """Return the names of the features that all candidates have."""
    dense = pool.features.dense.tolist()
    return [name for name, everywhere in zip(pool.feature_names, dense, strict=True) if everywhere]


def distinct(pool: Pool) -> Pool:
    """Return the pool with the first candidate of each text per list."""
    assert pool.texts is not None
    kept: list[int] = []
    texts, offsets = list(pool.texts), pool.offsets.tolist()
    for begin, end in pairwise(offsets):
        first: dict[str, int] = {}
        for row in range(begin, end):
            first.setdefault(texts[row], row)
        kept += first.values()
    return pool if len(kept) == len(texts) else pool.take_rows(kept)
