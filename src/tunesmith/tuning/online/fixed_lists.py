"""Fixed candidate lists in place of a decoder: only the scores follow the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidates import OnlineDecoder
from tunesmith.types import FloatArray, Stats
from tunesmith.weights import WeightStore

__all__ = ["FixedLists", "dense_names"]


def dense_names(pool: Pool) -> list[str]:
    """Return the names of the features that all candidates have."""
    dense = pool.features.dense.tolist()
    return [name for name, everywhere in zip(pool.feature_names, dense, strict=True) if everywhere]


@dataclass(frozen=True)
class _ListCandidates:
    """The candidates of a list; rows are in the order of their columns, and so are their differences."""

    lists: FixedLists
    begin: int
    end: int

    @cached_property
    def scores(self) -> FloatArray:
        return self.lists.scores(self.begin, self.end)

    @property
    def stats(self) -> Stats:
        stats: Stats = self.lists.stats[self.begin : self.end]
        return stats

    def features(self, index: int) -> _native.FeatureVector:
        return self.lists.vector(*self.lists.row(self.begin + index))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the difference in the order of columns, so that sums over it equal those of `mira`."""
        plus_columns, plus_values = self.lists.row(self.begin + plus)
        minus_columns, minus_values = self.lists.row(self.begin + minus)
        columns = np.concatenate([plus_columns, minus_columns])
        values = np.concatenate([plus_values, -minus_values])
        order, places = np.unique(columns, return_inverse=True)
        summed = np.zeros(len(order))
        np.add.at(summed, places, values)
        kept = summed != 0
        return self.lists.vector(order[kept], summed[kept])


class FixedLists(OnlineDecoder):
    """The lists of a pool, one per sentence: batch learning with online updates. `source_words` of a sentence
    are those of `sources`, or 1 if the pool has none."""

    def __init__(self, pool: Pool, metric: Metric, threads: int = 1) -> None:
        self.pool = pool
        self.metric = metric
        self.stats = pool.stats(metric, threads)
        self._store: WeightStore | None = None
        self._numbers = np.zeros(0, dtype=np.uint32)

    def __len__(self) -> int:
        return len(self.pool)

    @property
    def dense(self) -> Sequence[str]:
        return dense_names(self.pool)

    @property
    def references(self) -> Sequence[Texts]:
        return self.pool.references

    def use(self, store: WeightStore, sentences: Sequence[int]) -> None:
        """Read weights from a store, which gets a record for every feature of the lists."""
        names = list(self.pool.feature_names)
        missing = [name for name, number in zip(names, store.find(names).tolist(), strict=True) if number < 0]
        store.set(missing, np.zeros(len(missing)))
        self._store = store
        self._numbers = store.find(names).astype(np.uint32)

    def changed(self, features: _native.FeatureVector) -> None:
        """Do nothing: scores are computed when they are asked for."""

    def candidates(self, sentence: int) -> _ListCandidates:
        begin, end = self.pool.offsets[sentence : sentence + 2].tolist()
        return _ListCandidates(self, begin, end)

    def best(self, sentences: Sequence[int]) -> tuple[Stats, int]:
        total = np.zeros(self.metric.width)
        for sentence in sentences:
            found = self.candidates(sentence)
            total += found.stats[int(np.argmax(found.scores))]
        return total, 0

    def source_words(self, sentence: int) -> int:
        sources = self.pool.sources
        return 1 if sources is None else len(sources[sentence].split())

    def scores(self, begin: int, end: int) -> FloatArray:
        """Return the scores of candidates under the weights of the store."""
        assert self._store is not None
        rows = self.pool.features
        return _native.store_scores(
            rows.offsets, rows.columns, rows.values, begin, end, self._numbers, self._store.native
        )

    def row(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Return columns and values of a candidate."""
        rows = self.pool.features
        entries = slice(int(rows.offsets[index]), int(rows.offsets[index + 1]))
        return rows.columns[entries], rows.values[entries]

    def vector(self, columns: np.ndarray, values: np.ndarray) -> _native.FeatureVector:
        """Return a vector of named features in the given order."""
        names = self.pool.feature_names
        return _native.FeatureVector.of([names[column] for column in columns.tolist()], values)
