"""A derivation of a forest, with its text, features and alignment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.forest.forest import Forest
from tunesmith.types import FloatArray, Int32Array, IntArray

__all__ = ["Derivation", "Segment", "derivations_of"]


class Segment(NamedTuple):
    """The source words [begin, end) of an edge, and their target words."""

    source: tuple[int, int]
    target: tuple[int, int]


@dataclass(frozen=True)
class Derivation:
    """Edges in preorder: an edge, then those of its tails by the position of the tail."""

    forest: Forest
    edges: tuple[int, ...]
    score: float

    @cached_property
    def text(self) -> str:
        """The target words, separated by spaces."""
        return _native.derivation_text(self.forest.native, self._array)

    @property
    def words(self) -> tuple[str, ...]:
        """The target words."""
        return tuple(self.forest.words.take(_native.derivation_words(self.forest.native, self._array)))

    @property
    def features(self) -> dict[str, float]:
        """The features by name, summed over edges and their rules; features of no edge are absent."""
        columns, values = _native.derivation_features(self.forest.native, self._array)
        names = self.forest.feature_names
        return {names[column]: value for column, value in zip(columns.tolist(), values.tolist(), strict=True)}

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Sorted pairs of source and target positions; see native forest/derivation_reading.h.

        Links of unknown source position are skipped: those of edges without a span, and of edges with gaps
        but no source side (unless they append a phrase to their tail, as in lattices).
        """
        return tuple((source, target) for source, target in self._reading[0].tolist())

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The source and target words of each edge with a span, by target position, outer ones first.

        If edges append phrases to their tails, segments are the phrases; if they cover their tails, segments
        are nested.
        """
        return tuple(Segment((a, b), (c, d)) for a, b, c, d in self._reading[1].tolist())

    @cached_property
    def _array(self) -> npt.NDArray[np.uint32]:
        return np.array(self.edges, dtype=np.uint32)

    @cached_property
    def _reading(self) -> tuple[Int32Array, Int32Array]:
        return _native.read_derivation(self.forest.native, self._array)


def derivations_of(
    forest: Forest, scores: FloatArray, offsets: IntArray, edges: npt.NDArray[np.uint32]
) -> list[Derivation]:
    """Return derivations from flat arrays: derivation i has `edges[offsets[i]:offsets[i + 1]]`."""
    numbers, borders = edges.tolist(), offsets.tolist()
    return [
        Derivation(forest, tuple(numbers[borders[i] : borders[i + 1]]), score)
        for i, score in enumerate(scores.tolist())
    ]
