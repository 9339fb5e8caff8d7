"""The segmentations of many words as flat arrays, and sums over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tunesmith.corpus.compounds.parts import WHOLE, PartFinder
from tunesmith.types import FloatArray, IntArray

__all__ = ["WordLattices"]


class _Level(NamedTuple):
    """Arcs processed in one step: sorted by target node, with the first arc of each node."""

    arcs: IntArray
    firsts: IntArray
    nodes: IntArray


class _Sweep(NamedTuple):
    """One direction of the sweep: first node of each word, source node of each arc, arcs by level."""

    begins: IntArray
    tails: IntArray
    levels: list[_Level]


@dataclass(frozen=True, eq=False)
class WordLattices:
    """Arc a cuts `parts[a]` with `linkers[a]` out of word `owners[a]`, from node `starts[a]` to `ends[a]`.

    A node is a position between letters; the nodes of a word are contiguous, from `first_nodes` to
    `last_nodes`. Each word has a `WHOLE` arc, the last of its arcs, and at least one other segmentation.
    """

    words: tuple[str, ...]
    owners: IntArray
    starts: IntArray
    ends: IntArray
    parts: IntArray
    linkers: IntArray
    first_nodes: IntArray
    last_nodes: IntArray

    @classmethod
    def of(cls, keys: Iterable[str], finder: PartFinder, numbers: dict[str, int]) -> WordLattices:
        """Collect the words, given in lower case, that can be split."""
        words: list[str] = []
        rows: list[tuple[int, int, int, int, int]] = []
        borders: list[tuple[int, int]] = []
        node = 0
        for key in keys:
            arcs = finder.arcs(key)
            if not arcs:
                continue
            owner = len(words)
            words.append(key)
            rows += [(owner, node + a.start, node + a.end, a.word, a.linker) for a in arcs]
            rows.append((owner, node, node + len(key), numbers.get(key, -1), WHOLE))
            borders.append((node, node + len(key)))
            node += len(key) + 1
        columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        places = np.array(borders, dtype=np.int64).reshape(-1, 2).T
        return cls(tuple(words), *columns, *places)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def whole(self) -> IntArray:
        """The number of the whole-word arc of each word."""
        return np.flatnonzero(self.linkers == WHOLE)

    def posteriors(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the log totals of words, and the probability of each arc: forward-backward, O(arcs)."""
        inside, outside = self._sums(self._forward, scores), self._sums(self._backward, scores)
        totals = inside[self.last_nodes]
        logs = inside[self.starts] + scores + outside[self.ends] - totals[self.owners]
        return totals, np.exp(logs)

    def by_parts(self, scores: FloatArray, parts: int) -> tuple[FloatArray, FloatArray]:
        """Return log totals over the segmentations of exactly this many arcs, and logs of each arc's share.

        The share of an arc is the sum of exp(score) over such segmentations with the arc.
        """
        inside = self._sums_by_parts(self._forward, scores, parts)
        outside = self._sums_by_parts(self._backward, scores, parts)
        around = inside[self.starts, :parts] + outside[self.ends, parts - 1 :: -1]
        shares = np.logaddexp.reduce(around, axis=1) + scores
        return inside[self.last_nodes, parts], shares

    def _sums(self, sweep: _Sweep, scores: FloatArray) -> FloatArray:
        """Return for each node the log of the sum of exp(score) over all paths to it."""
        values = np.full(self._nodes, -np.inf)
        values[sweep.begins] = 0.0
        for level in sweep.levels:
            moved = values[sweep.tails[level.arcs]] + scores[level.arcs]
            values[level.nodes] = np.logaddexp.reduceat(moved, level.firsts)
        return values

    def _sums_by_parts(self, sweep: _Sweep, scores: FloatArray, parts: int) -> FloatArray:
        """Return the same with one column per number of arcs, 0 to `parts`."""
        values = np.full((self._nodes, parts + 1), -np.inf)
        values[sweep.begins, 0] = 0.0
        for level in sweep.levels:
            moved = values[sweep.tails[level.arcs], :-1] + scores[level.arcs, None]
            values[level.nodes, 1:] = np.logaddexp.reduceat(moved, level.firsts, axis=0)
        return values

    @property
    def _nodes(self) -> int:
        return int(self.last_nodes[-1]) + 1 if len(self) else 0

    @cached_property
    def _forward(self) -> _Sweep:
        distances = self.ends - self.first_nodes[self.owners]
        return _Sweep(self.first_nodes, self.starts, _levels(self.ends, distances))

    @cached_property
    def _backward(self) -> _Sweep:
        distances = self.last_nodes[self.owners] - self.starts
        return _Sweep(self.last_nodes, self.ends, _levels(self.starts, distances))


def _levels(nodes: IntArray, distances: IntArray) -> list[_Level]:
    """Group arcs by the distance of their node from the start of the sweep; all words are swept together."""
    order = np.lexsort((nodes, distances))
    borders = np.flatnonzero(np.diff(distances[order])) + 1
    levels = []
    for arcs in np.split(order, borders):
        if len(arcs):
            reached = nodes[arcs]
            firsts = np.flatnonzero(np.concatenate([[True], reached[1:] != reached[:-1]]))
            levels.append(_Level(arcs, firsts, reached[firsts]))
    return levels
