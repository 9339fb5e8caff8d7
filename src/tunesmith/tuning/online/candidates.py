"""What an online learner asks a system: the candidates of a sentence, measured against its references."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from tunesmith import _native
from tunesmith.distribute.kept import kept
from tunesmith.metrics.base import Metric
from tunesmith.systems import candidates as systems
from tunesmith.systems.base import System
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.tuning.online.sentence_forest import SentenceForest, require_forest_metric
from tunesmith.types import FloatArray, Stats

__all__ = ["Candidates", "JudgedSystem"]


class Candidates(systems.Vectors, Protocol):
    """The translations of a sentence, at least one, under the weights when it was translated."""

    @property
    def scores(self) -> FloatArray:
        """The model scores."""
        ...

    @property
    def stats(self) -> Stats:
        """The statistics of the metric, one row each."""
        ...

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the features of one candidate minus those of another, without zeros."""
        ...


@dataclass(frozen=True)
class _Judged:
    """The candidates of a system, with the metric and the references of the sentence."""

    found: systems.Candidates
    metric: Metric
    references: Sequence[Texts]

    @property
    def scores(self) -> FloatArray:
        return self.found.scores

    @cached_property
    def stats(self) -> Stats:
        return self.found.stats(self.metric, self.references)

    def features(self, index: int) -> _native.FeatureVector:
        return self.found.features(index)

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return self.found.difference(plus, minus)


@dataclass(frozen=True)
class JudgedSystem:
    """A system, with references of all of its sentences, a metric, and the length of lists."""

    system: System
    references: Sequence[Texts]
    metric: Metric
    nbest: int

    @classmethod
    def opened(cls, setup: Setup, metric: Metric, nbest: int, fold: int) -> JudgedSystem:
        """Return what this process has open, opening it if that is another one."""

        def open_(stack: ExitStack) -> JudgedSystem:
            references = setup.read_references()
            return cls(stack.enter_context(setup.open(nbest, fold)), references, metric, nbest)

        return kept((setup, metric, nbest, fold), open_)

    def candidates(self, sentence: int) -> Candidates | None:
        """Translate a sentence into a list of candidates; None if it has no translation."""
        found = self.system.candidates(sentence, self.nbest)
        return None if found is None else _Judged(found, self.metric, self._of(sentence))

    def forest(self, sentence: int) -> SentenceForest | None:
        """Translate a sentence, and return all derivations; None if it has none."""
        metric = require_forest_metric(self.metric)
        found = self.system.forest(sentence)
        return None if found is None else SentenceForest(found, metric, self._of(sentence))

    def _of(self, sentence: int) -> tuple[Texts, ...]:
        return tuple(reference.take([sentence]) for reference in self.references)
