"""Groups of sentence pairs that share a line: the connected components of a bitext."""

from __future__ import annotations

import numpy as np

from tunesmith.corpus.line_keys import EMPTY, LineKeys
from tunesmith.types import IntArray

__all__ = ["line_numbers", "linked_groups"]


def line_numbers(keys: LineKeys) -> IntArray:
    """Number different lines from 0; empty lines are all different from each other."""
    empty = np.flatnonzero(keys == EMPTY)
    different, numbers = np.unique(keys, return_inverse=True)
    numbers = numbers.astype(np.int64)
    numbers[empty] = len(different) + np.arange(len(empty))
    return numbers


def linked_groups(sources: IntArray, targets: IntArray) -> IntArray:
    """Return the group of each pair, numbered from 0 in corpus order, given the numbers of its lines.

    Pairs with the same source or the same target are in one group, and so are those that further pairs
    connect: the connected components of the bipartite graph of source and target lines, with an edge per
    pair. Time and memory are linear in the number of pairs.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(sources):
        return np.zeros(0, dtype=np.int64)
    first_target = int(sources.max()) + 1
    size = first_target + int(targets.max()) + 1
    edges = coo_array((np.ones(len(sources), dtype=np.int8), (sources, targets + first_target)), (size, size))
    _, labels = connected_components(edges, directed=False)
    _, first, group = np.unique(labels[sources], return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]
