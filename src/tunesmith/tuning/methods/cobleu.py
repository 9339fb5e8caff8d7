"""cobleu: the metric of expected n-gram counts over forests (Pauls, DeNero and Klein 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.base import Metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.objectives.forests.expected_counts import ExpectedCounts
from tunesmith.tuning.annealing import anneal
from tunesmith.tuning.method import METHODS, ForestMethod
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer

__all__ = ["Cobleu"]


@METHODS.register("cobleu")
@dataclass(frozen=True)
class Cobleu(ForestMethod):
    """Maximizes the metric of expected n-gram counts, which consensus decoding uses.

    With BLEU this is CoBLEU. `adaptive` is the paper's gradient ascent, whose step grows on success and
    shrinks on failure; `lbfgs` needs fewer evaluations. `temperatures` above 1 anneal: the scale of
    scores rises to `gamma`, each `cooling` times the one before (Smith and Eisner 2006). `kinks` keeps
    the exact brevity penalty, as in the paper, instead of the smoothed one. Compiled forests beyond
    `memory` are on disk. The loss is of the corpus, not a mean over sentences: penalties are not divided by
    their number, else the objective would approach max-BLEU.
    """

    name: ClassVar[str] = "cobleu"
    summary: ClassVar[str] = "metric of expected n-gram counts over forests, for consensus decoding"
    l2: ClassVar[float] = 1e-3
    per_sentence: ClassVar[bool] = False
    loss: ClassVar[str] = "minus the log of the metric of expected n-gram counts"
    context: ClassVar[int] = 3

    merges: ClassVar[bool] = False  # a derivation found in two rounds would count twice in expectations
    least_improvement: ClassVar[float] = 2e-5  # else the forests of two rounds may alternate forever

    optimizer: SmoothOptimizer = "lbfgs"
    optimizer_iterations: int = 100
    rate: float = 0.1
    gamma: float = 1.0
    temperatures: int = 1
    cooling: float = 3.0
    kinks: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)

    def check_metric(self, metric: Metric) -> None:
        require_ngram_counts(metric, self.name)

    def learn(self, run: Run[ForestPool]) -> Solution:
        objective = ExpectedCounts.build(
            run.data,
            run.metric,
            threads=run.threads,
            gamma=self.gamma,
            kinks=self.kinks,
            memory=self.memory,
        )
        optimizer = smooth_optimizer(self, run.seed)
        found = anneal(run, objective, optimizer, temperatures=self.temperatures, cooling=self.cooling)
        corpus = objective.corpus
        return found.noting(
            edges=corpus.edge_count,
            bytes_per_edge=round(corpus.bytes_per_edge, 1),
            consensus=objective.score(found.weights),
        )
