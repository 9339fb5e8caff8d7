"""Minimum error rate training: the corpus metric itself, by exact line search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from tunesmith.candidates.pool import Pool
from tunesmith.errors import Message
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.expected_statistics import smooth_guide
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.near_start import nearest_to_start
from tunesmith.optimizers.space import Space
from tunesmith.options import require_at_least
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.tune_options import Selected

__all__ = ["Mert"]


@METHODS.register("mert")
@dataclass(frozen=True)
class Mert(Method):
    """MERT (Och 2003): corpus error, exact line search along axes and random directions, restarts.

    `guided` starts searches at optima of the metric of expected statistics, from smooth to sharp, and adds to
    each round a search along their gradient; both find better weights in less time than random starts.
    `allowance` keeps weights near the start (in a loop, near those of the round before): the score may lose
    this many standard errors of its gain over the start on these lists. What a weight gains by moving far is
    often within chance. With 0, nothing is given up.
    """

    name: ClassVar[str] = "mert"
    summary: ClassVar[str] = "exact line search on the corpus metric; best with up to about thirty features"

    loss: ClassVar[str] = (
        "minus the metric of the candidates that the weights rank first (error rates unchanged)"
    )
    scale_free: ClassVar[bool] = True
    sizes_frozen: ClassVar[bool] = False
    selects: ClassVar[Selected] = "metric"
    most_features: ClassVar[int | None] = 50
    gone: ClassVar[Mapping[str, object]] = {"slack": 0.0}

    restarts: int = 20
    variant: Literal["powell", "och"] = "powell"
    directions: int = 5
    guided: bool = True
    rounds: int = 50
    allowance: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(
            0, self.name, restarts=self.restarts, directions=self.directions, allowance=self.allowance
        )
        require_at_least(1, self.name, rounds=self.rounds)

    def without_effect(self, space: Space) -> Message | None:
        """Return that the allowance has no effect if no free weight starts anywhere but at 0."""
        if not self.allowance or space.project(space.start)[space.free].any():
            return None
        return Message(
            "the {} of {owner} had no effect: there are no start weights to stay near; give {}",
            "allowance",
            "start",
            owner=self.name,
        )

    def learn(self, run: Run[Pool]) -> Solution:
        """Search from the start and `restarts` other points; the result is L1-normalized."""
        objective = CorpusError.build(run.data, run.metric, threads=run.threads)
        optimizer = LineSearch(
            smooth_guide(run.data, run.metric) if self.guided else None,
            self.restarts,
            self.variant,
            self.directions,
            self.rounds,
            seed=run.seed,
            threads=run.threads,
        )
        found = run.minimize(objective, optimizer)
        if not (self.allowance and found.loss < found.start_loss):
            return found
        weights, loss = nearest_to_start(objective, run.space, found.weights, self.allowance)
        return replace(found, weights=weights, loss=loss).noting(best_loss=found.loss)
