"""Minimum Bayes risk over forests with linear BLEU (Tromble et al. 2008; Kumar et al. 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule
from tunesmith.consensus.ngram_posteriors import best_of_yield, localize
from tunesmith.forest import Forest, Scores, edge_scores, linear_thetas
from tunesmith.options import require_at_least

__all__ = ["LinearConsensus"]


@CONSENSUS.register("linear")
@dataclass(frozen=True)
class LinearConsensus(ConsensusRule):
    """Choose among all yields of a forest the one with the highest expected linear BLEU.

    argmax over e of theta_0 * words(e) + sum over g of theta_|g| * c_g(e) * P(g)

    with P(g) the probability that a yield contains the n-gram g of up to `order` words, or with posterior
    "counts" its expected count, which is cheaper and equal if no yield repeats g. The score is a sum over
    edges once n-grams are local to them, so Viterbi finds the exact maximum. The thetas follow from
    `precision` and `ratio` (see `linear_thetas`). O(edges x n-grams) for presence, O(edges) for counts.
    Forests with more than `max_edges` edges are pruned.
    """

    name: ClassVar[str] = "linear"
    order: int = 4
    precision: float = 0.85
    ratio: float = 0.72
    posterior: Literal["presence", "counts"] = "presence"
    max_edges: int = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        linear_thetas(self.order, precision=self.precision, ratio=self.ratio)
        require_at_least(1, self.name, max_edges=self.max_edges)

    @property
    def context(self) -> int:
        return self.order - 1

    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        array = edge_scores(forest, scores)
        scale = self.scale_for(forest, array)
        posteriors = localize(forest, array, self.order, scale=scale, max_edges=self.max_edges)
        likely = posteriors.presence() if self.posterior == "presence" else posteriors.counts
        thetas = linear_thetas(self.order, precision=self.precision, ratio=self.ratio)
        ngrams = posteriors.incidence
        rewards = thetas[0] * ngrams.edge_words + ngrams.rewards(thetas[ngrams.lengths] * likely)
        edges, value = posteriors.best(rewards)
        best = best_of_yield(forest, array, edges)
        return Chosen(best.text, best, value, posteriors.pruned)
