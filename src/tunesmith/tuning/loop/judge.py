"""Scores of decoded text."""

from __future__ import annotations

from dataclasses import dataclass, field

from tunesmith.metrics import bootstrap_interval
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.form import warn_of_form
from tunesmith.systems.base import System
from tunesmith.systems.sentences import check_length
from tunesmith.texts import Texts
from tunesmith.tuning.history import Record
from tunesmith.weights import Weights

__all__ = ["DevSet", "Judge"]


@dataclass(frozen=True)
class Judge:
    """A metric and the references of a set of sentences."""

    metric: Metric
    references: tuple[Texts, ...]
    threads: int
    place: str = "the references"
    """The file of the references, for messages."""
    _warned: list[bool] = field(default_factory=list, repr=False, compare=False)

    def __call__(self, texts: Texts) -> Record:
        """Return the score of translations, one per sentence, and its confidence interval."""
        self.check(len(texts))
        if not self._warned:
            self._warned.append(True)
            warn_of_form(texts, self.references)
        stats = self.metric.measure(Segments.of(texts, self.references), self.threads)
        total = stats.sum(axis=0)
        around = bootstrap_interval(self.metric, stats)
        return {
            "score": float(self.metric.score(total)),
            "interval": [around.low, around.high],
            "components": self.metric.components(total),
        }

    def check(self, sentences: int, source: object = None) -> None:
        """Refuse a number of sentences that differs from the references; `source` names their file."""
        place = "the decoder's source" if source is None else source
        check_length(sentences, place, self.references, self.place)


@dataclass(frozen=True)
class DevSet:
    """Held-out sentences, to select weights by."""

    system: System
    judge: Judge

    def score(self, weights: Weights) -> Record:
        """Return the score of their translations under the weights."""
        record = self.judge(self.system.use(weights).best())
        return {f"dev_{key}": value for key, value in record.items()}
