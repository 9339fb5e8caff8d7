"""A system and what its translations are judged by: what an online learner learns from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from tunesmith.distribute.kept import kept
from tunesmith.metrics.base import Metric
from tunesmith.systems.base import System
from tunesmith.systems.candidates import Candidates
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.tuning.online.sentence_forest import SentenceForest, require_forest_metric

__all__ = ["JudgedSystem"]


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
        return self.system.candidates(sentence, self.nbest, self.metric, self._of(sentence))

    def forest(self, sentence: int) -> SentenceForest | None:
        """Translate a sentence, and return all derivations; None if it has none."""
        metric = require_forest_metric(self.metric)
        found = self.system.forest(sentence)
        return None if found is None else SentenceForest(found, metric, self._of(sentence))

    def _of(self, sentence: int) -> tuple[Texts, ...]:
        return tuple(reference.take([sentence]) for reference in self.references)
