"""The result of tuning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.files import PathLike
from tunesmith.metrics.components import Components
from tunesmith.metrics.significance import Interval
from tunesmith.tuning.held_out import HeldOut
from tunesmith.tuning.history import Record
from tunesmith.tuning.output_files import check_replica_files, replica_files
from tunesmith.weights import Weights

__all__ = ["Replica", "TuneResult"]


@dataclass(frozen=True)
class Replica:
    """One run of a method from one seed."""

    seed: int
    weights: Weights
    score: float
    loss: float
    start_loss: float
    history: list[Record] = field(repr=False)
    notes: Mapping[str, object] = field(default_factory=dict)
    improved: bool = True
    """Whether these are better than the start weights; if not, they are the start weights."""
    remarks: tuple[str, ...] = ()
    """What to look at: that the run ended while it improved, or that frozen weights became very small."""


@dataclass(frozen=True, repr=False)
class TuneResult:
    """The weights of the best replica, and everything needed to judge them.

    Scores are the reported metric on the reranked tuning lists, 0 to 1.
    """

    method: str
    metric: str
    """The signature of the metric."""
    label: str
    """The metric as given, such as `0.5*bleu + 0.5*(1-ter)`."""
    baseline: float
    """The score of the first candidates of the lists, before tuning."""
    interval: Interval
    """A bootstrap confidence interval of the score."""
    replicas: tuple[Replica, ...]
    best: Replica
    warnings: tuple[str, ...] = ()
    resumed_after: int = 0
    """Number of iterations of an earlier, killed run."""
    cross_validation: HeldOut | None = None
    """The score of the tuning lists, each chosen by weights tuned without its fold, if asked for."""
    held_out: HeldOut | None = None
    """The scores of the weights and of the baseline on held-out data, if given."""
    components: Components = field(default_factory=dict)
    """What the score is made of: length ratio, brevity penalty and precisions of BLEU; see each metric."""
    baseline_components: Components = field(default_factory=dict)
    start_score: float | None = None
    """The score of given start weights; None without any, and for forests, of which the baseline is this."""
    start_components: Components = field(default_factory=dict)

    @property
    def weights(self) -> Weights:
        """The tuned weights."""
        return self.best.weights

    @property
    def improved(self) -> bool:
        """Whether the weights are better than the start weights, by the method's own objective or by the
        metric; if not, they are the start weights."""
        return self.best.improved

    @property
    def score(self) -> float:
        """The metric on the tuning lists, reranked by the weights."""
        return self.best.score

    @property
    def history(self) -> list[Record]:
        """One record per iteration."""
        return self.best.history

    @property
    def mean(self) -> float:
        """The mean score of the replicas."""
        return float(np.mean([replica.score for replica in self.replicas]))

    @property
    def spread(self) -> float:
        """The standard deviation of the replicas' scores; 0 for a single one."""
        scores = [replica.score for replica in self.replicas]
        return float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything but weights and history, ready for JSON."""
        return {
            "method": self.method,
            "metric": self.metric,
            "improved": self.improved,
            "score": self.score,
            "interval": [self.interval.low, self.interval.high],
            "components": self.components,
            "baseline": self.baseline,
            "baseline_components": self.baseline_components,
            **self._of_start,
            "loss": self.best.loss,
            "start_loss": self.best.start_loss,
            "seed": self.best.seed,
            "iterations": len(self.history),
            "replicas": [{"seed": replica.seed, "score": replica.score} for replica in self.replicas],
            "mean": self.mean,
            "spread": self.spread,
            "notes": dict(self.best.notes),
            "warnings": list(self.warnings),
            **{name: found.to_dict() for name, found in self._estimates.items() if found is not None},
        }

    @property
    def _of_start(self) -> dict[str, Any]:
        if self.start_score is None:
            return {}
        return {"start_score": self.start_score, "start_components": self.start_components}

    @property
    def _estimates(self) -> dict[str, HeldOut | None]:
        return {"cross_validation": self.cross_validation, "held_out": self.held_out}

    def replica_files(self, path: PathLike) -> list[Path]:
        """Return the files that `write` writes beside this one: the weights of each of several replicas."""
        return replica_files(path, len(self.replicas))

    def write(self, path: PathLike) -> None:
        """Write the best weights; of several replicas, the weights of replica N also to `stem.N.suffix`.

        A `.json` file also contains the fields of `to_dict`, without components. A file with the name of a
        replica's that is not one of weights is an InputError.
        """
        check_replica_files(path, len(self.replicas))
        for replica, file in zip(self.replicas, self.replica_files(path), strict=False):
            about = {"method": self.method, "metric": self.metric, "score": replica.score}
            replica.weights.write(file, **about, seed=replica.seed)
        self.weights.write(path, **_without_components(self.to_dict()))

    def __repr__(self) -> str:
        runs = f", {len(self.replicas)} replicas" if len(self.replicas) > 1 else ""
        score = f"{self.label} {self.score:.4f}"
        count = len(self.warnings)
        warned = f", {count} warning{'s' if count > 1 else ''}" if count else ""
        return f"<TuneResult: {self.method}, {score}, {len(self.weights)} weights{runs}{warned}>"


def _without_components(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _without_components(value) if isinstance(value, dict) else value
        for name, value in record.items()
        if name not in ("components", "baseline_components", "start_components")
    }
