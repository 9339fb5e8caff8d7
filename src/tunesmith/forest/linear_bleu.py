"""Oracles of linear BLEU (Tromble et al. 2008), which are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.context import check_order
from tunesmith.forest.edge_scores import finite_scores
from tunesmith.forest.forest import Forest
from tunesmith.forest.refinement import MAX_EDGES, MAX_NODES, EdgeNumbers, check_limits
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["LinearOracle", "linear_thetas", "oracle_linear"]


@dataclass(frozen=True, eq=False)
class LinearOracle:
    """A derivation, its edges in preorder (the head's, then those of its tails by position)."""

    edges: EdgeNumbers
    score: float


def linear_thetas(
    order: int = 4, *, precision: float = 0.85, ratio: float = 0.72, words: float = 1.0
) -> FloatArray:
    """Return the factors of the length and of the matches of each order in linear BLEU.

    theta_0 = -1 / T and theta_n = 1 / (N T p r^(n - 1)), with T the `words` of a corpus (a mere scale), p
    the `precision` of single words and r the `ratio` of the precision of one order to that of the order
    below, as Tromble et al. (2008) have them for N = 4.
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
    scores: FloatArray | None = None,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> LinearOracle:
    """Return the derivation with the best linear BLEU, plus the model's `scores` of edges if given.

    score = theta_0 * words + sum over n of theta_n * (n-grams of the yield that a reference has)

    Matches are not clipped, so that the score is a sum over edges, and Viterbi finds the best: over the
    forest with nodes split by boundary words, as far as references have these. Negative `thetas` look for the
    worst. A forest without nodes is an InputError.
    """
    if isinstance(references, str):
        raise InputError("the references are a text; expected a list of texts")
    texts = Texts.of(references)
    factors = linear_thetas() if thetas is None else np.ascontiguousarray(thetas, dtype=np.float64)
    if factors.ndim != 1 or not np.isfinite(factors).all():
        raise InputError("the thetas of linear BLEU must be a row of finite numbers")
    given = finite_scores(forest, scores)
    limits = check_limits(max_nodes, max_edges)
    return LinearOracle(
        *_native.linear_bleu_oracle(forest.native, texts.blob, texts.offsets, factors, given, *limits)
    )
