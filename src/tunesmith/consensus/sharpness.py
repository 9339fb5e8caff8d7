"""The default scale of scores: the one that gives the distribution of a sentence a fixed sharpness.

Most tuning methods fix only the order of translations; the size of their weights is arbitrary (MERT's sum
to 1), so exp(score) is far too flat or too sharp. The entropy of p(d) proportional to exp(s * score(d)),

    H(s) = log Z(s) - s * E[score],    dH/ds = -s * Var[score],

falls with s (for strings of a list with duplicates, nearly so). The scale is the s with

    H(s) = min(ENTROPY_A_WORD * words, H(0) / 2)    for a forest, with the words of its best derivation,
    H(s) = LIST_SHARE * H(0)                        for a list, if the rule compares candidates by a metric.

which does not depend on the size of the weights. In a forest, the number of derivations grows exponentially
with its words; H(0) / 2 is for forests with few derivations, and for lists if the rule adds up rewards of
n-grams. A list contains only the best translations, so a metric should use nearly all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tunesmith.consensus.ngram_posteriors import scaled
from tunesmith.forest import Forest, entropy, expectation, viterbi
from tunesmith.types import FloatArray, IntArray

__all__ = ["ENTROPY_A_WORD", "LIST_SHARE", "list_entropy", "sharp_list_scale", "sharp_scale"]

ENTROPY_A_WORD = 0.2
"""Nats. Chosen among 0.05, 0.1, 0.2, 0.3 and 0.5 on held-out text (experiments/consensus), for `fast` and
`linear` over the forests of three tuned systems: up to 0.2 they are as good as Viterbi on average, above
worse. A safe value, not the best one for every rule and model."""

LIST_SHARE = 0.9
"""Chosen among 0.5, 0.7, 0.8, 0.9, 0.95 and nearly 1 on the same text, for `fast` and `mbr` over the 100 best
of each system: 0.9 gains 0.1 BLEU on average, from -0.25 to 0.36; nearly 1 loses 0.2. `linear` and
`variational` lost 0.1 to 0.8 by it in an earlier comparison."""

SCALES = (1e-3, 1e6)
"""Search range of the scale, relative to 1 / standard deviation of scores at scale 0."""

STEPS = 12
TOLERANCE = 0.02
"""Relative, of the entropy; choices do not depend on a higher precision."""

ROUNDING = 1e-9
"""Scores that differ by less than this, relatively, are treated as equal."""


def sharp_scale(forest: Forest, scores: FloatArray) -> float:
    """Return the scale of the module's formula for a forest; 1 if all scores are equal.

    About ten bisections, one pass over the forest each. A forest without derivations is an InputError.
    """
    values = np.where(np.isneginf(scores), 0.0, scores)
    words = len(viterbi(forest, scores).words)
    flat = expectation(forest, scaled(scores, 0.0), values)
    return _scale(
        lambda scale: entropy(forest, scaled(scores, scale)),
        wanted=min(ENTROPY_A_WORD * max(words, 1), flat.log_partition / 2),
        spread=math.sqrt(flat.variance),
        largest=float(np.abs(values).max()),
    )


def sharp_list_scale(scores: FloatArray, strings: IntArray) -> float:
    """Return the scale for a list, given the number of each candidate's string."""
    finite = scores[np.isfinite(scores)]
    return _scale(
        lambda scale: list_entropy(scores, strings, scale),
        wanted=LIST_SHARE * list_entropy(scores, strings, 0.0),
        spread=float(finite.std()),
        largest=float(np.abs(finite).max()),
    )


def list_entropy(scores: FloatArray, strings: IntArray, scale: float) -> float:
    """Return the entropy of the strings of a list, probabilities summed over equal strings."""
    sums = np.bincount(strings, weights=np.exp(scaled(scores - scores.max(), scale)))
    likely = sums[sums > 0] / sums.sum()
    return float(-(likely @ np.log(likely)))


def _scale(entropy_at: Callable[[float], float], *, wanted: float, spread: float, largest: float) -> float:
    """Bisect the logarithm of the scale."""
    if not (wanted > 0 and ROUNDING * largest < spread < math.inf):
        return 1.0
    low, high = (math.log(scale / spread) for scale in SCALES)
    for _ in range(STEPS):
        middle = (low + high) / 2
        found = entropy_at(math.exp(middle))
        if abs(found - wanted) <= TOLERANCE * wanted:
            break
        low, high = (middle, high) if found > wanted else (low, middle)
    return math.exp(middle)
