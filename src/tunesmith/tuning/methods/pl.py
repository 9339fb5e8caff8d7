"""pl: Plackett-Luce tuning of ranked lists (Xia, Zhai and Wang 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.list_objective import gains_of
from tunesmith.objectives.plackett_luce import PlackettLuce, one_per_tie
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.feature_rank import feature_rank
from tunesmith.tuning.grounding import grounded
from tunesmith.tuning.length_search import searched_length
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.resample import resample, richness
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer
from tunesmith.types import BoolArray, IntArray

__all__ = ["Pl"]

SMALLEST_SAMPLE = 30
"""The paper's size of samples. Of 3, loops drift far away in their first rounds (docs/methods.md)."""


@METHODS.register("pl")
@dataclass(frozen=True)
class Pl(Method):
    """Maximizes the likelihood of the best k candidates in their order, with a Gaussian prior.

    The richness r = features / average list size predicts whether the likelihood agrees with the
    metric. If r is below `threshold`, lists are cut to m = features / threshold candidates (at
    least 30), or to `sample`: m/3 best, m/3 worst, the rest drawn from the model with the weights of
    the previous round. Each of the `rounds` samples again and continues from these weights; without
    sampling there is one round. The result reports the rank of the features beside their number:
    where features are sums of others, r overstates what they can fit.

    Of candidates with equal gain, `ties="one"` keeps one, drawn at random, as the paper does; `random` keeps
    all and asks for a random order of them. `length_fix` ranks by length-grounded sentence BLEU;
    `length_search` moves the result to the length with the best corpus metric (`searched_length`).
    """

    name: ClassVar[str] = "pl"
    summary: ClassVar[str] = "Plackett-Luce likelihood of the best k in order"
    sampled: ClassVar[bool] = True
    l2: ClassVar[float] = 1.0
    loss: ClassVar[str] = "minus the mean log-likelihood of the order of the best k"

    k: int = 5
    ties: Literal["one", "random"] = "one"
    length_fix: bool = False
    length_search: bool = True
    resample: Literal["auto", "always", "never"] = "auto"
    threshold: float = 5.0
    sample: int | None = None
    rounds: int = 1
    optimizer: SmoothOptimizer = "lbfgs"
    optimizer_iterations: int = 500
    rate: float = 0.1
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)
        require_at_least(1, self.name, k=self.k, rounds=self.rounds)
        require_positive(self.name, threshold=self.threshold)
        if self.sample is not None:
            require_at_least(2, self.name, sample=self.sample)
        if self.sample is not None and self.resample == "never":
            raise OptionError("{} and {} never exclude each other", "sample", "resample")

    def learn(self, run: Run[Pool]) -> Solution:
        metric = grounded(run.metric) if self.length_fix else run.metric
        gains = gains_of(run.data, metric, run.threads)
        used = one_per_tie(run.data.offsets, gains, run.seed) if self.ties == "one" else None
        size = self.sample_size(run.data, run.space.free, used)
        optimizer = smooth_optimizer(self, run.seed)
        if run.start_given:  # draws depend on the size of weights
            run.size_start(self._objective(run, metric, used))
        weights = run.space.project(run.space.start)
        for round_ in range(1 if size is None else self.rounds):
            rows, drawn = used, {"seed": run.seed, "round_": round_, "threads": run.threads}
            if size is not None:
                rows = resample(run.data, gains, weights, size, among=used, **drawn)
            objective = self._objective(run, metric, rows)
            end = run.minimize(objective, optimizer, start=weights, round=round_ + 1)
            weights = end.weights
        start = run.space.project(run.space.start)
        start_loss = objective.loss(start) + run.space.penalty(start)
        notes = {
            "richness": richness(run.data, run.space.free, used),
            "features": int(np.count_nonzero(run.space.free)),
            "rank": feature_rank(run.data, run.space.free),
            "threshold": self.threshold,
            "resampled": size is not None,
            "list_size": float(np.diff(objective.offsets).mean()),
            "k": self.k,
            "ties": self.ties,
            "length_fix": metric != run.metric,
        }
        found = Solution(weights, end.loss, start_loss, notes, end.unfinished)
        return searched_length(run, found) if self.length_search else found

    def _objective(self, run: Run[Pool], metric: Metric, rows: IntArray | None) -> PlackettLuce:
        pool = run.data if rows is None else run.data.take_rows(rows)
        return PlackettLuce.build(pool, metric, seed=run.seed, threads=run.threads, k=self.k)

    def sample_size(self, pool: Pool, free: BoolArray, used: IntArray | None = None) -> int | None:
        """Return m, or None if whole lists are used."""
        rich = richness(pool, free, used) >= self.threshold
        if self.resample == "never" or (self.resample == "auto" and rich):
            return None
        rule = int(np.count_nonzero(free) / self.threshold)
        return self.sample if self.sample is not None else max(SMALLEST_SAMPLE, rule)
