"""Koehn and Knight's (2003) score of segmentations as a distribution: the target of the log-linear model."""

from __future__ import annotations

import numpy as np

from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.parts import WHOLE
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT
from tunesmith.types import FloatArray

__all__ = ["teach", "teach_with_linkers"]

ROUNDS = 5
"""Iterations of EM for the linkers; it has nearly converged after three."""


def teach(lattices: WordLattices, values: FloatArray, max_parts: int) -> FloatArray:
    """Return the probability of each arc if p(segmentation) is proportional to its score.

    The score of a segmentation is the geometric mean of the values of its arcs, (prod v_i)^(1/k) (Koehn and
    Knight 2003, section 3); values are counts, possibly scaled by a dictionary. The log of the mean is a sum
    over arcs only for a fixed number k of parts: there is one pass per k, with scores (log v) / k. Exact up
    to `max_parts`; O(arcs max_parts^2).
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
    """Return `teach` with the value of each part scaled by how frequent its linker is.

    Without that, `stein` and `steinen` with a dropped `en` are equally good parts of `steinboden`. The scale
    of a linker is its expected count among non-final parts, relative to the most frequent linker, by EM from
    equal scales: the list of linkers is the only knowledge about the language.
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
