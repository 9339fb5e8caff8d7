"""All segmentations of a word into known parts, as arcs over its letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.corpus.compounds.words import WordCounts

__all__ = ["WHOLE", "Arc", "PartFinder"]

WHOLE = -1
"""The linker of an arc that is the whole word, unsplit."""


class Arc(NamedTuple):
    """The letters from `start` to `end` are word number `word` with a linker, or the whole word (`WHOLE`)."""

    start: int
    end: int
    word: int
    linker: int


class PartFinder:
    """Finds the parts that a word may consist of."""

    def __init__(self, words: WordCounts, options: CompoundOptions) -> None:
        self._options = options
        self._linkers = options.linker_list
        joints = {letter for linker in self._linkers for letter in linker.added if not letter.isalpha()}
        self._drop_joints = {ord(letter): None for letter in joints}
        self._parts = {
            key: number
            for number, (key, count) in enumerate(zip(words.keys, words.counts.tolist(), strict=True))
            if count >= options.min_count and len(key) >= options.min_length and key.isalpha()
        }
        # A piece that ends in a letter can have only the linkers that add nothing, or end in that letter.
        ends = {linker.added[-1:] for linker in self._linkers}
        self._by_end = {
            end: [(n, link) for n, link in enumerate(self._linkers) if link.added[-1:] in ("", end)]
            for end in ends
        }
        self._always = self._by_end.get("", [])

    @property
    def part_count(self) -> int:
        """The number of words that may be parts."""
        return len(self._parts)

    def arcs(self, key: str) -> list[Arc]:
        """Return the sorted arcs on paths from the first to the last letter of a lowercased word.

        Empty if the word cannot be split; the whole-word arc is not included. Limits on the number of parts
        are not applied here. At most O(letters^2) look-ups, from reachable letters only.
        """
        size = len(key)
        least = self._options.min_length
        if size < 2 or size > self._options.max_length or not key.translate(self._drop_joints).isalpha():
            return []
        found: list[Arc] = []
        reached = {0}
        for start in range(size):
            if start not in reached:
                continue
            for end in range(start + least, size):
                piece = key[start:end]
                for arc_word, linker in self._inner(piece, least):
                    found.append(Arc(start, end, arc_word, linker))
                    reached.add(end)
            if start > 0 and (last := self._parts.get(key[start:])) is not None:
                found.append(Arc(start, size, last, 0))
                reached.add(size)
        return _complete(found, size) if size in reached else []

    def _inner(self, piece: str, least: int) -> Iterator[tuple[int, int]]:
        """Yield the words and linkers that match a piece other than the last."""
        size = len(piece)
        for number, linker in self._by_end.get(piece[-1], self._always):
            # The stem itself must be long enough: "te" of "tee" would match everywhere.
            stem = size - len(linker.added)
            if stem < least or not piece.endswith(linker.added):
                continue
            word = self._parts.get(piece[:stem] + linker.dropped)
            if word is not None:
                yield word, number


def _complete(arcs: list[Arc], size: int) -> list[Arc]:
    """Return the arcs from which the end can be reached; all arcs are reachable from the start."""
    ends = {size}
    kept = []
    for arc in sorted(arcs, reverse=True):
        if arc.end in ends:
            ends.add(arc.start)
            kept.append(arc)
    return kept[::-1]
