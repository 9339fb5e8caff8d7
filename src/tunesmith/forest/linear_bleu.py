"""Exact oracles of linear BLEU (Tromble et al. 2008)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.context import check_order
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.references import reference_texts
from tunesmith.forest.refinement import MAX_EDGES, MAX_NODES, check_limits
from tunesmith.forest.scores import Scores, model_scores
from tunesmith.types import FloatArray

__all__ = ["linear_thetas", "oracle_linear"]


def linear_thetas(
    order: int = 4, *, precision: float = 0.85, ratio: float = 0.72, words: float = 1.0
) -> FloatArray:
    """Return the factors of the length and of the matches of each order in linear BLEU.

    theta_0 = -1 / T and theta_n = 1 / (N T p r^(n - 1)), with T the `words` of a corpus (only a scale), p
    the unigram `precision` and r the `ratio` of the precisions of successive orders (Tromble et al. 2008,
    for N = 4).
    """
    if not (0 < precision <= 1 and 0 < ratio <= 1 and words > 0):
        raise OptionError(
            f"precision and ratio must be above 0 and at most 1 and words above 0, "
            f"not {precision}, {ratio} and {words}"
        )
    powers = ratio ** np.arange(check_order(order))
    return np.concatenate([[-1.0 / words], 1.0 / (order * words * precision * powers)])


def oracle_linear(
    forest: Forest,
    references: Sequence[str],
    thetas: FloatArray | None = None,
    *,
    scores: Scores | None = None,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> Derivation:
    """Return the derivation with the best linear BLEU, plus the model's `scores` if given.

    score = theta_0 * words + sum over n of theta_n * (n-grams of the yield that a reference has)

    Matches are not clipped, so the score is a sum over edges and Viterbi is exact, over the forest with nodes
    split by boundary words that occur in references. Negative `thetas` find the worst derivation. An empty
    forest, or scores that forbid all derivations, are an InputError.
    """
    texts = reference_texts(references)
    factors = linear_thetas() if thetas is None else np.ascontiguousarray(thetas, dtype=np.float64)
    if factors.ndim != 1 or not np.isfinite(factors).all():
        raise InputError("the thetas of linear BLEU must be a vector of finite numbers")
    score, edges = _native.linear_bleu_oracle(
        forest.native,
        texts.blob,
        texts.offsets,
        factors,
        model_scores(forest, scores),
        *check_limits(max_nodes, max_edges),
    )
    return Derivation(forest, tuple(edges.tolist()), score)
