"""The edges of a derivation with their target spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.forest import Derivation, Edge

__all__ = ["PlacedEdge", "placed_edges"]


@dataclass(frozen=True)
class PlacedEdge:
    """An edge, its head, and the target words [begin, end) of its yield."""

    number: int
    edge: Edge
    head: int
    target: tuple[int, int]

    @property
    def added(self) -> tuple[int, int]:
        """The span of the edge's own words, if they follow those of its tail."""
        own = sum(isinstance(symbol, str) for symbol in self.edge.target)
        return self.target[1] - own, self.target[1]


def placed_edges(derivation: Derivation) -> list[PlacedEdge]:
    """Return the edges in target order, each before those that fill its gaps.

    O(symbols), without recursion: with lattices and glue, derivations are as deep as sentences are long.
    """
    edges = [derivation.forest.edge(number) for number in derivation.edges]
    heads = np.searchsorted(derivation.forest.native.edge_offsets, derivation.edges, side="right") - 1
    tails = _tails(edges)
    order: list[int] = []
    begins, ends = [0] * len(edges), [0] * len(edges)
    at = 0
    waiting: list[tuple[int, int]] = [(0, 0)]  # an edge, and the next symbol of its target side
    while waiting:
        place, symbol = waiting.pop()
        if symbol == 0:
            order.append(place)
            begins[place] = at
        target = edges[place].target
        while symbol < len(target) and isinstance(target[symbol], str):
            at += 1
            symbol += 1
        ends[place] = at
        if symbol < len(target):
            gap = target[symbol]
            assert isinstance(gap, int)
            waiting += [(place, symbol + 1), (tails[place][-1 - gap], 0)]
    return [PlacedEdge(derivation.edges[i], edges[i], int(heads[i]), (begins[i], ends[i])) for i in order]


def _tails(edges: list[Edge]) -> list[list[int]]:
    """Return the positions of the edges that fill the tails of each edge; edges are in preorder."""
    tails: list[list[int]] = [[] for _ in edges]
    done: list[int] = []
    for place in range(len(edges) - 1, -1, -1):
        count = len(edges[place].tails)
        tails[place] = [done.pop() for _ in range(count)]
        done.append(place)
    return tails
