"""Our own decoders, over sentences with references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.kbest import KBest
from tunesmith.decode.request import Request
from tunesmith.metrics.base import Metric, Segments
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidates import OnlineDecoder, difference_of
from tunesmith.tuning.online.sentence_forest import SentenceForest, require_forest_metric
from tunesmith.types import FloatArray, Stats
from tunesmith.weights import WeightStore

__all__ = ["ModelDecoder"]


@dataclass(frozen=True)
class _KBestCandidates:
    """The k best translations of a sentence; features are computed for those that are asked for."""

    found: KBest
    metric: Metric
    references: tuple[Texts, ...]

    @property
    def scores(self) -> FloatArray:
        return self.found.scores

    @cached_property
    def stats(self) -> Stats:
        blob, offsets = self.found.native.texts()
        texts = Texts(blob, offsets)
        return self.metric.measure(Segments(texts, np.array([0, len(texts)]), self.references))

    def features(self, index: int) -> _native.FeatureVector:
        return self.found.features(index)

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


class ModelDecoder(OnlineDecoder):
    """A model's decoder on one thread. Changed weights re-score a sentence's own options only."""

    def __init__(
        self,
        decoder: AnyDecoder,
        requests: Sequence[Request],
        references: Sequence[Texts],
        metric: Metric,
        nbest: int,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._decoder = decoder
        self._requests = requests
        self._references = references
        self._metric = metric
        self._nbest = nbest
        self._close = close
        self._store = WeightStore()
        self._stale = False

    def __len__(self) -> int:
        return len(self._requests)

    @property
    def dense(self) -> Sequence[str]:
        self._refresh()  # features of the input are dense if the weights have them
        return self._decoder.feature_names

    @property
    def references(self) -> Sequence[Texts]:
        return self._references

    def use(self, store: WeightStore, sentences: Sequence[int]) -> None:
        self._store, self._stale = store, True

    def changed(self, features: _native.FeatureVector) -> None:
        self._stale = True

    def candidates(self, sentence: int) -> _KBestCandidates | None:
        self._refresh()
        found = self._decoder.kbest(self._requests[sentence], self._nbest)
        return _KBestCandidates(found, self._metric, self._of(sentence)) if len(found) else None

    def forest(self, sentence: int) -> SentenceForest | None:
        metric = require_forest_metric(self._metric)
        self._refresh()
        found = self._decoder.scored_forest(self._requests[sentence])
        return SentenceForest(found, metric, self._of(sentence)) if found.forest.node_count else None

    def best(self, sentences: Sequence[int]) -> tuple[Stats, int]:
        self._refresh()
        requests = [self._requests[sentence] for sentence in sentences]
        found = list(self._decoder.translate_all(requests, threads=1))
        texts = Texts.of(each.text if each.found else "" for each in found)
        references = [reference.take(sentences) for reference in self._references]
        stats = self._metric.measure(Segments(texts, np.arange(len(texts) + 1), references))
        return stats.sum(axis=0), sum(not each.found for each in found)

    def source_words(self, sentence: int) -> int:
        return self._requests[sentence].columns

    def close(self) -> None:
        """Let go of the model, which may be removed."""
        self._close()

    def _refresh(self) -> None:
        """Bring the decoder up to date with the store."""
        if self._stale:
            if self._decoder.weights is self._store:
                self._decoder.refresh()
            else:
                self._decoder.weights = self._store
            self._stale = False

    def _of(self, sentence: int) -> tuple[Texts, ...]:
        return tuple(reference.take([sentence]) for reference in self._references)
