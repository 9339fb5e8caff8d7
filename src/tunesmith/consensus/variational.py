"""Variational decoding (Li, Eisner and Khudanpur 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule
from tunesmith.consensus.ngram_posteriors import NgramPosteriors, best_of_yield, localize
from tunesmith.errors import OptionError
from tunesmith.forest import Forest, Scores, edge_scores
from tunesmith.forest.context import check_order
from tunesmith.options import require_at_least
from tunesmith.types import BoolArray, FloatArray

__all__ = ["VariationalConsensus"]


@CONSENSUS.register("variational")
@dataclass(frozen=True)
class VariationalConsensus(ConsensusRule):
    """Choose the yield that is most likely under n-gram models of the distribution.

    argmax over e of sum over n of theta_n * log q_n(e) + penalty * words(e) + viterbi * scale * score(d)

    q_n is the n-gram model of order n that minimizes KL(p || q_n): q_n(w | h) = E[c(h w)] / E[c(h)], with
    <s> and </s> around sentences. It sums over all derivations of a yield, where Viterbi takes the best.
    `weights` are the thetas of orders 1, 2, ... (default: 1 for `order`, 0 below); `viterbi` mixes in the
    model score of d, the best derivation with yield e, and `penalty` offsets the bias toward short yields.
    O(edges). Forests with more than `max_edges` edges are pruned.
    """

    name: ClassVar[str] = "variational"
    order: int = 4
    weights: tuple[float, ...] = ()
    viterbi: float = 0.0
    penalty: float = 0.0
    max_edges: int = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)
        require_at_least(1, self.name, max_edges=self.max_edges)
        require_at_least(0, self.name, viterbi=self.viterbi)
        if self.weights and (len(self.weights) != self.order or not np.isfinite(self.weights).all()):
            raise OptionError(
                f"{self.name}: weights must be a finite number for each of {self.order} orders,"
                f" not {self.weights}"
            )

    @property
    def context(self) -> int:
        return self.order - 1

    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        array = edge_scores(forest, scores)
        scale = self.scale_for(forest, array)
        native, begin, end = _native.with_borders(forest.native)
        posteriors = localize(Forest(native), array, self.order, scale=scale, max_edges=self.max_edges)
        rewards = posteriors.incidence.rewards(self._values(posteriors, begin, end))
        if self.viterbi > 0:
            scaled = np.where(np.isneginf(posteriors.scaled), 0.0, posteriors.scaled)
            rewards = rewards + self.viterbi * scaled
        edges, value = posteriors.best(rewards)
        best = best_of_yield(forest, array, edges)
        return Chosen(best.text, best, value, posteriors.pruned)

    def _values(self, posteriors: NgramPosteriors, begin: int, end: int) -> FloatArray:
        """Return the reward of each n-gram.

        A yield has one term per word and order, and one for </s>. The term of order n depends on at most the
        last n words; n-grams that begin with <s> serve for all longer orders.
        """
        ngrams, lengths = posteriors.incidence.ngrams, posteriors.incidence.lengths
        thetas = np.array(self.weights or [0.0] * (self.order - 1) + [1.0])
        longer = np.append(np.cumsum(thetas[::-1])[::-1], 0.0)
        begins = ngrams[:, 0] == begin
        factors = np.where(begins, longer[lengths - 1], thetas[lengths - 1])
        factors[begins & (lengths == 1)] = 0.0  # <s> is given
        values = np.zeros(len(factors))
        np.multiply(factors, _log_conditionals(posteriors, begins), out=values, where=factors != 0)
        values[(lengths == 1) & ~begins & (ngrams[:, 0] != end)] += self.penalty
        return values


def _log_conditionals(posteriors: NgramPosteriors, begins: BoolArray) -> FloatArray:
    """Return log q(w | h) of each n-gram h w: its expected count over that of all n-grams h *.

    -inf if the expected count underflows to 0.
    """
    ngrams, lengths = posteriors.incidence.ngrams, posteriors.incidence.lengths
    counts = posteriors.counts
    logs = np.full(len(counts), -np.inf)
    for length in range(1, posteriors.incidence.order + 1):
        # A unigram model does not generate <s>.
        rows = np.flatnonzero((lengths == length) & (counts > 0) & ~(begins & (length == 1)))
        if len(rows) == 0:
            continue
        _, group = np.unique(ngrams[rows, : length - 1], axis=0, return_inverse=True)
        group = group.reshape(-1)
        totals = np.bincount(group, weights=counts[rows])
        logs[rows] = np.log(counts[rows]) - np.log(totals[group])
    return logs
