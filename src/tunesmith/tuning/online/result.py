"""The result of online learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.tuning.history import Record
from tunesmith.tuning.warn import none_scores_better

__all__ = ["OnlineResult"]


@dataclass(frozen=True, repr=False)
class OnlineResult:
    """Where the selected weights are, and the history: record i is of epoch i, 0 of the start weights.

    A record's `score` is of the tuning set, `online_score` of its translations while the weights changed, and
    `select_score` of the set that weights are selected by; all are 0 to 1.
    """

    update: str
    metric: str
    """The signature of the metric."""
    weights: Path
    chosen: int
    """The epoch whose weights are selected; 0 is the start."""
    history: list[Record] = field(repr=False)
    stopped: str
    """Why the run ended."""
    folder: Path
    shards: int
    warnings: tuple[str, ...] = ()
    resumed_after: int = 0
    """Number of epochs of an earlier run."""

    @property
    def record(self) -> Record:
        """The record of the selected weights."""
        return self.history[self.chosen]

    @property
    def changed(self) -> bool:
        """Whether the selected weights are not those of the start."""
        return self.chosen > 0

    @property
    def why_start(self) -> str | None:
        """Why the selected weights are those of the start; None if they are not."""
        return None if self.changed else none_scores_better("select", "epoch")

    def __repr__(self) -> str:
        features = self.record["features"]
        return f"<OnlineResult: epoch {self.chosen} of {len(self.history) - 1}, {features} features>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        return {
            "update": self.update,
            "metric": self.metric,
            "weights": str(self.weights),
            "chosen": self.chosen,
            "changed": self.changed,
            "why_start": self.why_start,
            "shards": self.shards,
            "stopped": self.stopped,
            "warnings": list(self.warnings),
            "resumed_after": self.resumed_after,
            "history": self.history,
        }
