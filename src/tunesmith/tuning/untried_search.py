"""What trials of the search are compared with: the start weights, and no option tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.metrics import MetricSpec, get_metric
from tunesmith.systems.base import fingerprint_of
from tunesmith.threads import thread_count
from tunesmith.tuning.loop.judge import DevSet
from tunesmith.tuning.loop.start_settings import start_settings
from tunesmith.tuning.loop.text_sets import digest_of, select_set, target_side
from tunesmith.weights import Weights

__all__ = ["UntriedSearch"]


@dataclass(frozen=True)
class UntriedSearch:
    """A select set, with a decoder under the search without the options tried, and the start weights."""

    select: DevSet
    start: Weights

    @classmethod
    def of(
        cls,
        model: PathLike,
        source: PathLike,
        references: PathLike | Sequence[PathLike],
        metric: MetricSpec = "bleu",
        *,
        start: Mapping[str, float] | None = None,
        search: Mapping[str, Any] | None = None,
        templates: Sequence[Template] = (),
        input_format: str | None = None,
        prepare: bool = False,
        threads: int | None = None,
    ) -> UntriedSearch:
        """Open the model of a directory over the select set; other arguments are those of `tune_model`."""
        cores = thread_count(threads)
        opening = {
            "options": search,
            "templates": templates,
            "input_format": input_format,
            "prepare": prepare,
            "threads": threads,
        }
        target, measure = target_side(model, prepare, cores), get_metric(metric)
        select = select_set(
            source, references, model, start, opening, measure=measure, cores=cores, target=target
        )
        return cls(select, select.system.start if start is None else Weights(start))

    @property
    def digest(self) -> str:
        """A digest of what the score depends on."""
        judge = self.select.judge
        return fingerprint_of(
            {
                "decoder": self.select.system.fingerprint,
                "references": digest_of(judge.references),
                "metric": judge.metric.signature,
                **start_settings(self.start),
            }
        )

    def score(self) -> float:
        """Return the score of the translations, 0 to 1."""
        return float(self.select.score(self.start)["dev_score"])

    def show(self, score: float) -> str:
        """Return a score as text, in the unit of the metric."""
        return self.select.judge.metric.show(score)
