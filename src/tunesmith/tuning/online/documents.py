"""Pseudo-documents: what a shard's sentences are scored together with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import Metric
from tunesmith.types import FloatArray, Stats

__all__ = ["Document", "DocumentKind", "DocumentStart", "open_document"]

DocumentKind: TypeAlias = Literal["chiang", "kbmira"]
DocumentStart: TypeAlias = Literal["average", "zero", "ones"]


class Document(ABC):
    """A decaying sum O of statistics. B of a candidate with statistics c is gain(O + c) times a size."""

    usual_decay: ClassVar[float]
    usual_start: ClassVar[DocumentStart]

    def __init__(
        self,
        metric: Metric,
        state: Sequence[float] | None = None,
        *,
        decay: float | None = None,
        start: DocumentStart | None = None,
    ) -> None:
        """Continue from a `state`, or begin: with zeros, ones, or average sentences, which `begin` takes."""
        self._scorer = metric.scorer()
        self.decay = self.usual_decay if decay is None else decay
        self._start = start or self.usual_start
        self.stats: Stats = np.zeros(metric.width) if self._start == "zero" else np.ones(metric.width)
        self.words = 0.0
        if state is not None:
            self.words, self.stats = float(state[0]), np.array(state[1:], dtype=np.float64)

    @property
    def state(self) -> tuple[float, ...]:
        """All of it as numbers."""
        return (self.words, *self.stats.tolist())

    @property
    @abstractmethod
    def length(self) -> float:
        """The number of sentences that it stands for after many: where it tends to if all are alike."""

    @abstractmethod
    def size(self, words: int) -> float | None:
        """Return the factor of gains for a sentence with this number of source words.

        None: it depends on the candidate, and is the size that the metric gives O + c.
        """

    def gains(self, stats: Stats, words: int) -> FloatArray:
        """Return B of candidates of a sentence with this number of source words."""
        size = self.size(words)
        if size is None:
            return _native.document_gains(stats, self._scorer, self.stats)
        return _native.document_gains(stats, self._scorer, self.stats, size)

    @abstractmethod
    def add(self, *, best: Stats, hope: Stats, words: int) -> None:
        """Add a sentence, of which the statistics of the best candidate and of the hope are given."""

    def begin(self, total: Stats, words: int, sentences: int) -> None:
        """Begin with `length` average sentences, if it does; without any translation, with ones.

        Given is what the start weights translate: statistics and source words summed over a shard.
        """
        if self._start == "average" and sentences:
            share = self.length / sentences
            self.stats, self.words = share * total, share * words


class ChiangDocument(Document):
    """O = decay (O + c) with c of the best translation; B(e) = gain(O + c_e) (O_f + |f|) with O_f the source
    words that the document stands for (Chiang et al. 2008). It begins with 0.9 / (1 - 0.9) = 9 average
    sentences."""

    usual_decay = 0.9
    usual_start = "average"

    @property
    def length(self) -> float:
        return self.decay / (1.0 - self.decay)

    def size(self, words: int) -> float:
        return self.words + words

    def add(self, *, best: Stats, hope: Stats, words: int) -> None:
        self.stats = self.decay * (self.stats + best)
        self.words = self.decay * (self.words + words)


class KbmiraDocument(Document):
    """O = decay O + c with c of the hope; B(e) = gain(O + c_e) size(O + c_e), the size by the metric, such as
    the reference length; begins with ones (Cherry and Foster 2012, and Moses' kbmira)."""

    usual_decay = 0.999
    usual_start = "ones"

    @property
    def length(self) -> float:
        return 1.0 / (1.0 - self.decay)

    def size(self, words: int) -> None:
        return None

    def add(self, *, best: Stats, hope: Stats, words: int) -> None:
        self.stats = self.decay * self.stats + hope


_KINDS: dict[str, type[Document]] = {"chiang": ChiangDocument, "kbmira": KbmiraDocument}


def open_document(
    kind: DocumentKind,
    metric: Metric,
    state: Sequence[float] | None = None,
    *,
    decay: float | None = None,
    start: DocumentStart | None = None,
) -> Document:
    """Return a document, new or with an earlier state; `decay` and `start` default to those of the kind."""
    return _KINDS[kind](metric, state, decay=decay, start=start)
