"""Splitting nodes by boundary words: the first and last words of their yields."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.forest.forest import Forest
from tunesmith.forest.references import reference_texts
from tunesmith.forest.refinement import MAX_EDGES, MAX_NODES, Refinement, check_limits

__all__ = ["expand_context", "has_local_context", "refine_context"]


def expand_context(
    forest: Forest,
    n: int,
    *,
    references: Sequence[str] | None = None,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> Forest:
    """Return the forest with nodes split until n-grams are local to edges: see `refine_context`."""
    return refine_context(forest, n, references=references, max_nodes=max_nodes, max_edges=max_edges).forest


def refine_context(
    forest: Forest,
    n: int,
    *,
    references: Sequence[str] | None = None,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> Refinement:
    """Split nodes until all yields of a node begin with the same n - 1 words and end with the same ones.

    This is the intersection (Bar-Hillel, Perles and Shamir 1961) with an n-gram model: a split node is a
    node, its left words and its right words, or its whole yield if that is shorter. Only ends that can meet
    other words count: the right ones in forests that grow from left to right, such as phrase lattices, and
    none at the root, so that there is one root. Derivations, rules, features and names stay the same; nodes
    that no derivation uses are dropped. A forest that is already local is returned unchanged.

    With `references`, words are distinguished only if they can be part of an n-gram of a reference. That is
    enough to count matches, and usually gives far fewer nodes.

    An edge whose tails have c_1, ..., c_k contexts becomes c_1 * ... * c_k edges. A forest that would grow
    beyond `max_nodes` or `max_edges` is an InputError.
    """
    limits = check_limits(max_nodes, max_edges)
    if has_local_context(forest, n, references=references):
        return Refinement(forest, np.arange(forest.edge_count, dtype=np.uint32))
    if references is None:
        return Refinement.of(_native.expand_context(forest.native, n, *limits))
    texts = reference_texts(references)
    return Refinement.of(
        _native.expand_reference_context(forest.native, n, texts.blob, texts.offsets, *limits)
    )


def has_local_context(forest: Forest, n: int, *, references: Sequence[str] | None = None) -> bool:
    """Return whether each node has a single context of n - 1 words (or reference context). O(symbols * n)."""
    if references is None:
        return _native.has_local_context(forest.native, check_order(n))
    texts = reference_texts(references)
    return _native.has_reference_context(forest.native, check_order(n), texts.blob, texts.offsets)


def check_order(n: int) -> int:
    """Return the order of n-grams; an OptionError unless it is 1 to 16."""
    if not 1 <= n <= 16:
        raise OptionError(f"n-grams have 1 to 16 words, not {n}")
    return n
