"""The scale of model scores in the posteriors of derivations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tunesmith.bisection import scale_at_zero
from tunesmith.files import PathLike
from tunesmith.reestimate.derivation_file import DerivationFile
from tunesmith.types import FloatArray, IntArray

__all__ = ["ENTROPY", "posterior_scale", "scale_of_entropy"]

ENTROPY = 0.5
"""Mean entropy of posteriors, relative to that of even ones."""
FILES = 20
"""Files that are read, at equal distances: of 500 sentences each."""


def posterior_scale(files: Sequence[PathLike]) -> float | None:
    """Return the scale under which p ~ exp(scale * score) has half of the entropy of even shares.

    Weights have no scale of their own: under weights that sum to 1, lists are nearly even at the scale 1. The
    entropy is relative to log(n), and a mean over sentences with n > 1 derivations. None if there are no
    such sentences, or if too many scores are equal.
    """
    read = [DerivationFile.open(path) for path in files[:: math.ceil(len(files) / FILES) or 1]]
    scores = np.concatenate([np.empty(0), *(file.scores for file in read)])
    counts = np.concatenate([np.empty(0, dtype=np.int64), *(np.diff(file.derivations) for file in read)])
    return scale_of_entropy(scores, counts, ENTROPY)


def scale_of_entropy(scores: FloatArray, counts: IntArray, entropy: float) -> float | None:
    """Return the scale of this mean relative entropy; `counts` has the number of scores in each list.

    By bisection of log(scale), since entropy falls as the scale rises: O(20 passes).
    """
    scores, counts = scores[np.repeat(counts > 1, counts)], counts[counts > 1]
    if not len(counts):
        return None
    owners, firsts = np.repeat(np.arange(len(counts)), counts), np.cumsum(counts) - counts
    below = scores - np.maximum.reduceat(scores, firsts)[owners]

    def excess(scale: float) -> float:
        scaled = scale * below
        masses = np.exp(scaled)
        totals = np.add.reduceat(masses, firsts)
        entropies = np.log(totals) - np.add.reduceat(masses * scaled, firsts) / totals
        return float(np.mean(entropies / np.log(counts))) - entropy

    return scale_at_zero(excess)
