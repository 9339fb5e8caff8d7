"""The result of tuning with a decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.tuning.history import Record
from tunesmith.tuning.loop.stopping import judged, updated
from tunesmith.tuning.warn import none_scores_better, nothing_better
from tunesmith.weights import Weights

__all__ = ["LoopResult"]


@dataclass(frozen=True, repr=False)
class LoopResult:
    """The selected weights, and the history of rounds.

    Scores are of decoded text, 0 to 1. Record i of the `history`, from 1, is of the weights that round i
    decoded with: the first is of the start weights, the last of the last weights.
    """

    method: str
    metric: str
    """The signature of the metric."""
    label: str
    """The metric as given, such as `0.5*bleu + 0.5*(1-ter)`."""
    weights: Weights
    chosen: int
    """The round whose weights are selected; 0 is the start."""
    history: list[Record] = field(repr=False)
    stopped: str
    """Why the loop stopped."""
    folder: Path
    warnings: tuple[str, ...] = ()
    resumed_after: int = 0
    """Number of rounds of an earlier run."""
    best: int | None = None
    """The round whose weights score best, by the select set if any; `select="metric"` selects them."""

    @property
    def scores(self) -> list[float]:
        """The score of the tuning set before each round, and after the last."""
        return [record["score"] for record in self.history]

    @property
    def iterations(self) -> int:
        """The number of rounds with learning."""
        return sum("loss" in record for record in self.history)

    @property
    def changed(self) -> bool:
        """Whether the selected weights are not those of the start."""
        return any("loss" in record and updated(record) for record in self.history[: self.chosen])

    @property
    def why_start(self) -> str | None:
        """Why the selected weights are those of the start; None if they are not."""
        if self.changed:
            return None
        if not any("loss" in record and updated(record) for record in self.history):
            return nothing_better(self.method)
        return none_scores_better("tuning" if self.select_score is None else "select")

    @property
    def baseline(self) -> float:
        """The score of the start weights."""
        return self.scores[0]

    @property
    def record(self) -> Record:
        """The record of the selected weights."""
        return self.history[min(self.chosen, len(self.history) - 1)]

    @property
    def score(self) -> float:
        """The score of the chosen weights on the tuning set."""
        return float(self.record["score"])

    @property
    def interval(self) -> tuple[float, float]:
        """The bootstrap confidence interval (95%) of the score."""
        low, high = self.record["interval"]
        return low, high

    @property
    def better(self) -> int | None:
        """The round whose weights score better than the selected ones; None if none do."""
        if self.best is None or judged(self.history[self.best]) == judged(self.record):
            return None
        return self.best

    @property
    def select_score(self) -> float | None:
        """The score of the chosen weights on the select set; None without one."""
        return self.record.get("dev_score")  # the name in the files of runs

    def to_dict(self) -> dict[str, Any]:
        """Return everything but weights and history, ready for JSON."""
        return {
            "method": self.method,
            "metric": self.metric,
            "changed": self.changed,
            "why_start": self.why_start,
            "score": self.score,
            "interval": list(self.interval),
            "components": self.record.get("components", {}),
            "select_score": self.select_score,
            "baseline": self.baseline,
            "baseline_components": self.history[0].get("components", {}),
            "iterations": self.iterations,
            "chosen": self.chosen,
            "stopped": self.stopped,
            "scores": self.scores,
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        return (
            f"<LoopResult: {self.method}, {self.label} {self.score:.4f} after {self.iterations} iterations,"
            f" {len(self.weights)} weights>"
        )
