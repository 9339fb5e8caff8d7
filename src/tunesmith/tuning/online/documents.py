"""Pseudo-documents: what a shard's sentences are scored together with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import Metric
from tunesmith.types import FloatArray, Stats

__all__ = ["Document", "DocumentKind", "open_document"]

DocumentKind: TypeAlias = Literal["chiang", "kbmira"]


class Document(ABC):
    """A decaying sum O of statistics. B of a candidate with statistics c is gain(O + c) times a size."""

    decay: ClassVar[float]

    def __init__(self, metric: Metric, state: Sequence[float] | None = None) -> None:
        """Continue from a `state`, or begin."""
        self._scorer = metric.scorer()
        self.stats: Stats = np.ones(metric.width)
        self.words = 0.0
        if state is not None:
            self.words, self.stats = float(state[0]), np.array(state[1:], dtype=np.float64)

    @property
    def state(self) -> tuple[float, ...]:
        """All of it as numbers."""
        return (self.words, *self.stats.tolist())

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

    @abstractmethod
    def begin(self, total: Stats, words: int, sentences: int) -> None:
        """Begin with what the start weights translate: statistics and source words summed over a shard."""


class ChiangDocument(Document):
    """O = 0.9 (O + c) with c of the best translation; B(e) = gain(O + c_e) (O_f + |f|) with O_f the source
    words that the document stands for (Chiang et al. 2008). It begins with 0.9 / (1 - 0.9) = 9 average
    sentences, which is where it tends to if all sentences are alike."""

    decay = 0.9

    def size(self, words: int) -> float:
        return self.words + words

    def add(self, *, best: Stats, hope: Stats, words: int) -> None:
        self.stats = self.decay * (self.stats + best)
        self.words = self.decay * (self.words + words)

    def begin(self, total: Stats, words: int, sentences: int) -> None:
        """Begin with 9 average sentences; without any translation, with ones."""
        if sentences:
            number = self.decay / (1.0 - self.decay)
            self.stats, self.words = number * total / sentences, number * words / sentences


class KbmiraDocument(Document):
    """O = 0.999 O + c with c of the hope; B(e) = gain(O + c_e) size(O + c_e), the size by the metric, such as
    the reference length; begins with ones (Cherry and Foster 2012, and Moses' kbmira)."""

    decay = 0.999

    def size(self, words: int) -> None:
        return None

    def add(self, *, best: Stats, hope: Stats, words: int) -> None:
        self.stats = self.decay * self.stats + hope

    def begin(self, total: Stats, words: int, sentences: int) -> None:
        """Keep the ones."""


_KINDS: dict[str, type[Document]] = {"chiang": ChiangDocument, "kbmira": KbmiraDocument}


def open_document(kind: DocumentKind, metric: Metric, state: Sequence[float] | None = None) -> Document:
    """Return a document of a kind, new or with an earlier state."""
    return _KINDS[kind](metric, state)
