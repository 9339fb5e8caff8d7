"""Forced decoding on a forest: the derivations that yield a given target (Dyer 2010)."""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.forest.refinement import MAX_EDGES, MAX_NODES, Refinement, check_limits
from tunesmith.texts import Texts

__all__ = ["intersect", "refine_to_target"]


def intersect(
    forest: Forest,
    target: Sequence[str],
    *,
    prefix: bool = False,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> Forest:
    """Return the forest of the derivations that yield the target: see `refine_to_target`."""
    return refine_to_target(forest, target, prefix=prefix, max_nodes=max_nodes, max_edges=max_edges).forest


def refine_to_target(
    forest: Forest,
    target: Sequence[str],
    *,
    prefix: bool = False,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> Refinement:
    """Keep the derivations whose yield is the words of `target`, or with `prefix` begins with them.

    Empty if there are none. A split node is a node and the positions of the target where its yield begins and
    ends. O(edges * positions) for lattices, in general the number of matches of edges with the target; more
    than `max_nodes` or `max_edges` are an InputError.
    """
    if isinstance(target, str):
        raise InputError("the target is a string; expected a list of words, such as target.split()")
    words = Texts.of(target)
    limits = check_limits(max_nodes, max_edges)
    return Refinement.of(_native.intersect_target(forest.native, words.blob, words.offsets, prefix, *limits))
