"""Posterior probabilities and expected counts of the n-grams of a forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest import (
    Derivation,
    Forest,
    NgramIncidence,
    Refinement,
    kept_edges,
    log_partition,
    ngram_incidence,
    posteriors,
    refine_context,
    refine_to_target,
    trim,
    viterbi,
)
from tunesmith.types import BoolArray, FloatArray

__all__ = ["NgramPosteriors", "best_of_yield", "localize", "scaled"]

POSTERIORS = (0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
"""Posterior thresholds tried in turn to prune a forest, until it is small enough."""


@dataclass(frozen=True, eq=False)
class NgramPosteriors:
    """A forest whose n-grams are local to edges; edge e is a copy of edge `origins[e]` of the given forest.

    `scores` are model scores, `scaled` the log weights of the distribution: p(d) = exp(scaled(d)) / Z.
    `pruned` says that the given forest had too many edges, so that some of its derivations are left out.
    """

    forest: Forest
    origins: npt.NDArray[np.uint32]
    scores: FloatArray
    scaled: FloatArray
    incidence: NgramIncidence
    pruned: bool = False

    @cached_property
    def edges(self) -> FloatArray:
        """Expected number of uses of each edge per derivation."""
        return posteriors(self.forest, self.scaled).edges

    @cached_property
    def counts(self) -> FloatArray:
        """E[c_g] of each n-gram g."""
        return self.incidence.expected(self.edges)

    @cached_property
    def words(self) -> float:
        """The expected number of words."""
        return float(self.edges @ self.incidence.edge_words)

    def presence(self, threads: int = 1) -> FloatArray:
        """Return the probability that a yield contains n-gram g. Exact, in O(edges x n-grams).

        It is at most E[c_g], and equal if no yield has g twice (Blackwood et al. 2010 for lattices).
        """
        ngrams = self.incidence
        return _native.ngram_presence(
            self.forest.native, self.scaled, ngrams.offsets, ngrams.ids, len(ngrams.ngrams), threads
        )

    def best(self, rewards: FloatArray) -> tuple[tuple[int, ...], float]:
        """Return the derivation with the highest sum of rewards (edges of the given forest), and that sum.

        Edges with a score of -inf stay forbidden.
        """
        found = viterbi(self.forest, np.where(np.isneginf(self.scores), -np.inf, rewards))
        return self.original(found.edges), found.score

    def original(self, edges: tuple[int, ...]) -> tuple[int, ...]:
        """Return the edges of the given forest that these are copies of."""
        return tuple(self.origins[list(edges)].tolist())


def scaled(scores: FloatArray, scale: float) -> FloatArray:
    """Return scores times the scale; -inf (forbidden) stays -inf even at scale 0."""
    return np.where(np.isneginf(scores), -np.inf, scale * np.where(np.isneginf(scores), 0.0, scores))


def localize(
    forest: Forest, scores: FloatArray, order: int, *, scale: float, max_edges: int
) -> NgramPosteriors:
    """Split nodes until n-grams of up to `order` words are local to edges, unless they already are.

    A forest that would get more than `max_edges` edges is pruned first, by the lowest of `POSTERIORS` that
    is enough, or else to its best derivation.
    """
    weighed = scaled(scores, scale)
    if log_partition(forest, weighed) == -np.inf:
        raise InputError("the forest has no derivation to choose: it is empty, or all scores are -inf")
    refined, pruned = _refine(forest, weighed, order, max_edges)
    origins, incidence = refined.origins, ngram_incidence(refined.forest, order)
    return NgramPosteriors(refined.forest, origins, scores[origins], weighed[origins], incidence, pruned)


def best_of_yield(forest: Forest, scores: FloatArray, edges: tuple[int, ...]) -> Derivation:
    """Return the highest-scoring derivation with the same yield as the given one."""
    given = Derivation(forest, edges, 0.0)
    refined = refine_to_target(forest, given.words)
    best = viterbi(refined.forest, scores[refined.origins])
    return Derivation(forest, tuple(refined.origins[list(best.edges)].tolist()), best.score)


def _refine(forest: Forest, scores: FloatArray, order: int, max_edges: int) -> tuple[Refinement, bool]:
    """Return the refinement, and whether the forest was pruned for it."""
    for posterior in POSTERIORS:
        keep = _kept(forest, scores, posterior)
        smaller = forest if keep is None else trim(forest, keep)
        if smaller.edge_count > max_edges:
            continue
        try:
            refined = refine_context(smaller, order, max_edges=max_edges)
        except InputError:  # it would grow too much
            continue
        return (refined, False) if keep is None else (_through(keep, refined), not keep.all())
    keep = np.zeros(forest.edge_count, dtype=np.bool_)
    keep[list(viterbi(forest, scores).edges)] = True
    return _through(keep, refine_context(trim(forest, keep), order)), True


def _kept(forest: Forest, scores: FloatArray, posterior: float) -> BoolArray | None:
    return None if posterior == 0 else kept_edges(forest, scores, posterior=posterior)


def _through(keep: BoolArray, refined: Refinement) -> Refinement:
    """Return the refinement with origins numbered as before pruning."""
    return Refinement(refined.forest, np.flatnonzero(keep).astype(np.uint32)[refined.origins])
