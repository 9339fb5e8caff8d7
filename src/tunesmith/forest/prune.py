"""Pruning of edges by posteriors or max-marginals (Sixtus and Ortmanns 1999; Huang 2008)."""

from __future__ import annotations

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.forest.viterbi import viterbi
from tunesmith.types import BoolArray, FloatArray

__all__ = ["kept_edges", "prune", "trim"]


def prune(
    forest: Forest,
    scores: Scores,
    *,
    beam: float | None = None,
    posterior: float | None = None,
    density: float | None = None,
    words: int | None = None,
) -> Forest:
    """Return the forest of the edges that pass all given limits; see `kept_edges`."""
    keep = kept_edges(forest, scores, beam=beam, posterior=posterior, density=density, words=words)
    return trim(forest, keep)


def kept_edges(
    forest: Forest,
    scores: Scores,
    *,
    beam: float | None = None,
    posterior: float | None = None,
    density: float | None = None,
    words: int | None = None,
) -> BoolArray:
    """Return a mask of the edges that pass all given limits, and are in a derivation made of such edges.

    `beam`: the best derivation that uses the edge scores at most `beam` below the best of all.
    `posterior`: the minimum posterior of the edge, see `posteriors`.
    `density`: the maximum number of edges per word, for a length of `words` (default: that of the best
    derivation); edges with the highest max-marginals are kept.

    Limits have a tolerance of 1e-9, relative to the best score (beam) or log Z (log posterior). The best
    derivation is always kept. `scores[kept]` are the scores of the pruned forest's edges.
    O(edges log edges). A forest without derivations is an InputError.
    """
    if beam is not None and not beam >= 0:
        raise OptionError(f"the beam must be at least 0, not {beam}")
    if posterior is not None and not 0 <= posterior <= 1:
        raise OptionError(f"the posterior must be from 0 to 1, not {posterior}")
    array = edge_scores(forest, scores)
    edges = None if density is None else _edge_count(forest, array, density, words)
    return _native.pruned_edges(forest.native, array, beam, posterior, edges).view(np.bool_)


def trim(forest: Forest, keep: BoolArray | None = None) -> Forest:
    """Return the forest of the edges that are in derivations of the root made of kept edges only.

    All edges are kept by default. Nodes that the root does not reach and unused rules are dropped; the order
    stays the same. Empty if no derivation is left. O(edges).
    """
    marks = np.ones(forest.edge_count, dtype=np.bool_) if keep is None else np.asarray(keep)
    if marks.dtype != np.bool_:
        raise InputError(f"expected one bool per edge, found an array of {marks.dtype}")
    return Forest(_native.trim(forest.native, np.ascontiguousarray(marks).view(np.uint8)))


def _edge_count(forest: Forest, scores: FloatArray, density: float, words: int | None) -> int:
    if not 0 < density < float("inf"):
        raise OptionError(f"the density must be above 0, not {density}")
    if words is None:
        words = len(viterbi(forest, scores).words)
    elif words < 0:
        raise OptionError(f"the number of words must be at least 0, not {words}")
    return int(min(density * max(words, 1), forest.edge_count))
