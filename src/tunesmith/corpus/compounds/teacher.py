"""Koehn and Knight's (2003) score of segmentations as a distribution, which the log-linear model learns."""

from __future__ import annotations

import numpy as np

from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.parts import WHOLE
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT
from tunesmith.types import FloatArray

__all__ = ["teach", "teach_with_linkers"]

ROUNDS = 5
"""Rounds of EM for the linkers; shares hardly move after three."""


def teach(lattices: WordLattices, values: FloatArray, max_parts: int) -> FloatArray:
    """Return the probability of each arc where segmentations are as probable as their score is high.

    The score of a segmentation is the geometric mean of the values of its arcs, (prod v_i)^(1/k) (Koehn and
    Knight 2003, section 3); values are counts, which a dictionary may have scaled. The mean is not a sum over
    arcs, but among segmentations of k parts it is: each number of parts gets its own pass, with scores
    (log v) / k. Exact up to `max_parts`; O(arcs max_parts^2).
    """
    logs = np.log(values)
    whole = lattices.whole
    totals = logs[whole]
    shares = [np.where(lattices.linkers == WHOLE, logs, -np.inf)]
    split = np.where(lattices.linkers == WHOLE, -np.inf, logs)
    for parts in range(2, max_parts + 1):
        of_size, share = lattices.by_parts(split / parts, parts)
        if np.isneginf(of_size).all():
            continue
        totals = np.logaddexp(totals, of_size)
        shares.append(share)
    result: FloatArray = np.exp(np.logaddexp.reduce(shares, axis=0) - totals[lattices.owners])
    return result


def teach_with_linkers(
    lattices: WordLattices, values: FloatArray, max_parts: int, linker_count: int
) -> FloatArray:
    """Return what `teach` does where a part's value is scaled by how usual its linker is.

    Without that, `stein` and `steinen` with a dropped `en` are equally good parts of `steinboden`. The scale
    of a linker is its expected count among parts that others follow, divided by that of the most usual one,
    by EM from equal scales: nothing about a language is put in but the list of its linkers.
    """
    inner = np.flatnonzero(
        (lattices.linkers != WHOLE) & (lattices.ends != lattices.last_nodes[lattices.owners])
    )
    linkers = lattices.linkers[inner]
    probabilities = teach(lattices, values, max_parts)
    for _ in range(ROUNDS):
        expected = np.bincount(linkers, weights=probabilities[inner], minlength=linker_count) + UNKNOWN_COUNT
        scaled = values.copy()
        scaled[inner] *= (expected / expected.max())[linkers]
        probabilities = teach(lattices, scaled, max_parts)
    return probabilities
