"""MIRA on forests: hope and fear from all derivations, and passive-aggressive steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith.errors import OptionError
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.forests.forest_hope_fear import ForestHopeFear, require_bleu
from tunesmith.optimizers.passive_aggressive import PassiveAggressive
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.method import METHODS, ForestMethod
from tunesmith.tuning.run import Run, Solution

__all__ = ["ForestMira"]


@METHODS.register("forest-mira")
@dataclass(frozen=True)
class ForestMira(ForestMethod):
    """Lattice MIRA (Cherry and Foster 2012), on forests of either decoder, with averaged weights.

    Compiled forests beyond `memory` are on disk.
    """

    name: ClassVar[str] = "forest-mira"
    summary: ClassVar[str] = "large-margin passes over forests for BLEU; fast, any number of features"

    loss: ClassVar[str] = (
        "minus the metric of the translations that the averaged weights rank first (error rates unchanged)"
    )

    c: float = 0.01
    decay: float = 0.999
    epochs: int = 60
    oracle: Literal["linear", "beam"] = "linear"
    beam: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, epochs=self.epochs, beam=self.beam)
        require_positive(self.name, c=self.c)
        if not 0 <= self.decay <= 1:
            wrong = {"owner": self.name, "value": self.decay}
            raise OptionError("{owner}: {} must be between 0 and 1, not {value}", "decay", **wrong)

    def check_metric(self, metric: Metric) -> None:
        require_bleu(metric)

    def learn(self, run: Run[ForestPool]) -> Solution:
        """Make the passes; the best average on the tuning forests wins."""
        objective = ForestHopeFear.build(
            run.data,
            run.metric,
            threads=run.threads,
            decay=self.decay,
            oracle=self.oracle,
            beam=self.beam,
            memory=self.memory,
        )
        solution = run.minimize(objective, PassiveAggressive(self.c, self.epochs, run.seed))
        edges, size = objective.compiled.edge_count, objective.bytes_per_edge
        return solution.noting(edges=edges, bytes_per_edge=round(size, 1))
