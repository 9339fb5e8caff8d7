"""pl: Plackett-Luce tuning of ranked lists (Xia, Zhai and Wang 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.list_objective import gains_of
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.optimizer_choice import SmoothOptimizer, check_smooth_optimizer, smooth_optimizer
from tunesmith.tuning.recipe import RECIPES, Recipe, Solution, Task
from tunesmith.tuning.resample import resample, richness
from tunesmith.types import BoolArray

__all__ = ["PlackettLuceRecipe"]

SMALLEST_SAMPLE = 3
"""One of the best, one of the worst, one drawn from the model."""


@RECIPES.register("pl")
@dataclass(frozen=True)
class PlackettLuceRecipe(Recipe):
    """Maximizes the likelihood of the best k candidates in their order, with a Gaussian prior.

    The richness r = features / average list size says whether the likelihood goes along with the
    metric. Where r is below `threshold`, lists are cut to m = features / threshold candidates (at
    least 3), or to `sample`: m/3 best, m/3 worst, the rest drawn from the model with the weights of
    the last round. Each of the `rounds` draws anew and goes on from there; without sampling one
    round is all there is to do.
    """

    name: ClassVar[str] = "pl"
    summary: ClassVar[str] = "Plackett-Luce likelihood of the best k in order"
    sampled: ClassVar[bool] = True
    l2: ClassVar[float] = 1.0
    loss: ClassVar[str] = "minus the mean log-likelihood of the order of the best k"

    k: int = 5
    resample: Literal["auto", "always", "never"] = "auto"
    threshold: float = 5.0
    sample: int | None = None
    rounds: int = 1
    optimizer: SmoothOptimizer = "lbfgs"
    iterations: int = 500
    rate: float = 0.1
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(
            1, self.name, k=self.k, rounds=self.rounds, iterations=self.iterations, batch=self.batch
        )
        require_positive(self.name, threshold=self.threshold, rate=self.rate)
        check_smooth_optimizer(self.name, self.optimizer)
        if self.sample is not None:
            require_at_least(2, self.name, sample=self.sample)
        if self.sample is not None and self.resample == "never":
            raise OptionError("a sample size and resample='never' exclude each other")

    def run(self, task: Task) -> Solution:
        gains = gains_of(task.pool, task.metric, task.threads)
        size = self.sample_size(task.pool, task.space.free)
        optimizer = smooth_optimizer(
            self.optimizer, iterations=self.iterations, rate=self.rate, batch=self.batch, seed=task.seed
        )
        weights = task.space.project(task.space.start)
        for round_ in range(1 if size is None else self.rounds):
            pool = task.pool
            if size is not None:
                rows = resample(
                    pool, gains, weights, size, seed=task.seed, round_=round_, threads=task.threads
                )
                pool = pool.take_rows(rows)
            objective = PlackettLuce.build(pool, task.metric, seed=task.seed, threads=task.threads, k=self.k)
            state = task.minimize(objective, optimizer, start=weights, round=round_ + 1)
            weights = state.weights
        start = task.space.project(task.space.start)
        start_loss = objective.loss(start) + task.space.penalty(start)
        notes = {
            "richness": richness(task.pool, task.space.free),
            "threshold": self.threshold,
            "resampled": size is not None,
            "list_size": float(np.diff(pool.offsets).mean()),
            "k": self.k,
        }
        return Solution(weights, state.loss, start_loss, notes)

    def sample_size(self, pool: Pool, free: BoolArray) -> int | None:
        """Return m, or None if the lists are to be used whole."""
        rich = richness(pool, free) >= self.threshold
        if self.resample == "never" or (self.resample == "auto" and rich):
            return None
        rule = int(np.count_nonzero(free) / self.threshold)
        return self.sample if self.sample is not None else max(SMALLEST_SAMPLE, rule)
