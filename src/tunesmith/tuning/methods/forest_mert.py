"""Minimum error rate training over forests: the corpus metric of all derivations, by exact line search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.pool import ForestPool
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.expected_statistics import smooth_guide
from tunesmith.objectives.forests.expected_counts import ExpectedCounts
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.smooth_starts import smooth_starts
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.method import METHODS, ForestMethod
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.scouts import Scouts
from tunesmith.tuning.tune_options import Selected
from tunesmith.types import FloatArray

__all__ = ["ForestMert"]

STARTS = 2
"""Number of results of the scouts from which forests are searched."""

AXES = 20
"""Maximum number of axes along which competing derivations are counted at the end."""


@METHODS.register("forest-mert")
@dataclass(frozen=True)
class ForestMert(ForestMethod):
    """Hypergraph MERT (Macherey et al. 2008; Kumar et al. 2009): MERT over all derivations of forests.

    First, n-best lists of the forests are searched, which is fast, from the best weights and `scouts` other
    starts; the lists then grow by the best translations of the forests under the weights found, in at most
    `turns` turns. The search of the forests starts from the two results that are best on the forests;
    `restarts` searches follow the first. A line is searched up to where scores change along it by `reach`
    times their own standard deviation: forests contain few translations for weights beyond. `guided`: the
    scouts also start from the optimum of the metric of expected counts over the forests, and searches from
    smooth optima of the lists, along their gradient, too. Forests beyond `memory` are read again for each
    line.
    """

    name: ClassVar[str] = "forest-mert"
    summary: ClassVar[str] = "exact line search on the corpus metric of all derivations of forests"

    loss: ClassVar[str] = "minus the metric of the best derivations (error rates unchanged)"
    scale_free: ClassVar[bool] = True
    sizes_frozen: ClassVar[bool] = False
    selects: ClassVar[Selected] = "metric"
    most_features: ClassVar[int | None] = 50
    density: ClassVar[float] = 200.0

    scouts: int = 10
    turns: int = 10
    restarts: int = 1
    variant: Literal["powell", "och"] = "powell"
    directions: int = 5
    guided: bool = True
    rounds: int = 50
    reach: float | None = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        counts = {name: getattr(self, name) for name in ("scouts", "turns", "restarts", "directions")}
        require_at_least(0, self.name, **counts)
        require_at_least(1, self.name, rounds=self.rounds)
        if self.reach is not None:
            require_positive(self.name, reach=self.reach)

    def learn(self, run: Run[ForestPool]) -> Solution:
        """Search lists, then forests from where that led; the result sums to 1 in absolute value."""
        objective = ForestError.build(
            run.data,
            run.metric,
            seed=run.seed,
            threads=run.threads,
            around=run.space.start,
            memory=self.memory,
        )

        def guide(lists: Pool) -> SmoothObjective | None:
            return smooth_guide(lists, run.metric, run.threads) if self.guided else None

        # Given weights are a better start than distant random ones.
        explore = 1 if run.space.start[run.space.free].any() else LineSearch.explore
        search = LineSearch(
            guide(objective.lists),
            self.scouts,
            self.variant,
            self.directions,
            self.rounds,
            explore=explore,
            seed=run.seed,
            threads=run.threads,
        )
        scouts = Scouts(search, self.turns, guide)
        starts = scouts.ends(objective, run.space, STARTS, self._hints(run, objective))
        # Threads share the sentences of one search, not the searches: each start is a step from the best.
        search = replace(
            search,
            restarts=self.restarts,
            reach=self.reach,
            explore=1 if starts else explore,
            starts=starts,
            batch=1,
            threads=1,
        )
        solution = run.minimize(objective, search)
        return replace(solution, notes=_notes(objective, solution, run))

    def _hints(self, run: Run[ForestPool], objective: ForestError) -> list[FloatArray]:
        """Return the optimum of the metric of expected counts; nothing if the metric has none."""
        if not (self.guided and self.turns):
            return []
        try:
            counts = ExpectedCounts.build(run.data, run.metric, threads=run.threads, memory=self.memory)
            return smooth_starts(counts, objective, run.space)[-1:]
        except (OptionError, InputError):  # such as a forest that is too large to be split by contexts
            return []


def _notes(objective: ForestError, solution: Solution, run: Run[ForestPool]) -> dict[str, object]:
    """Return the number of edges, and the mean number of lines of envelopes along axes at the solution.

    They depend only on the solution, so that a resumed run reports the same.
    """
    scores = objective.scores(solution.weights)
    axes = [int(axis) for axis in np.flatnonzero(run.space.free)[:AXES]]
    lines = [objective.winners(scores, axis).lines / len(run.data) for axis in axes]
    return {
        "edges": run.data.edge_count,
        "bytes_per_edge": round(objective.bytes_per_edge, 1),
        "lines": round(float(np.mean(lines)), 2) if lines else 1.0,
    }
