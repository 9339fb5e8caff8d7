"""pro: pairwise ranking optimization (Hopkins and May 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.objectives.pairwise import Pairwise
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.options import require_at_least
from tunesmith.tuning.grounding import grounded
from tunesmith.tuning.length_search import searched_length
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution

__all__ = ["Pro"]


@METHODS.register("pro")
@dataclass(frozen=True)
class Pro(Method):
    """Logistic regression on sampled pairs of candidates, by L-BFGS.

    Plain add-one smoothing of sentence BLEU favors short candidates. So `length_search` moves the result to
    the length with the best corpus metric (`searched_length`). `length_fix` switches BLEU, wherever it is
    part of the metric, to the length-grounded smoothing of Nakov, Guzman and Vogel (2012). It is not the
    default, because it selects too long candidates on lists of short sentences.
    With 50 pairs per list the default L2 is a unit Gaussian prior on a likelihood summed over pairs.
    """

    name: ClassVar[str] = "pro"
    summary: ClassVar[str] = "pairwise ranking by logistic regression"
    sampled: ClassVar[bool] = True
    l2: ClassVar[float] = 0.02
    loss: ClassVar[str] = "the mean logistic loss of the sampled pairs"

    samples: int = 5000
    kept: int = 50
    difference: float = 0.05
    length_fix: bool = False
    length_search: bool = True
    optimizer_iterations: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(
            1, self.name, optimizer_iterations=self.optimizer_iterations, samples=self.samples, kept=self.kept
        )
        require_at_least(0, self.name, difference=self.difference)

    def learn(self, run: Run[Pool]) -> Solution:
        metric = grounded(run.metric) if self.length_fix else run.metric
        objective = Pairwise.build(
            run.data,
            metric,
            seed=run.seed,
            threads=run.threads,
            samples=self.samples,
            kept=self.kept,
            difference=self.difference,
        )
        if objective.pairs == 0:
            raise InputError(
                f"no two candidates of a list differ by {self.difference} in {metric.name}; "
                "use a smaller difference, or longer lists"
            )
        optimizer = Lbfgs(iterations=self.optimizer_iterations)
        found = run.minimize(objective, optimizer)
        found = found.noting(pairs=objective.pairs, length_fix=metric != run.metric)
        return searched_length(run, found) if self.length_search else found
