"""A linearized sentence: words, and for each the pieces of meaning that it expresses."""

from __future__ import annotations

from tunesmith.generated.lexicon.rows import Aligned

__all__ = ["NOTHING", "Anchor", "Tokens", "link"]

Anchor = int | tuple[int, ...]
"""The number of a piece of meaning in the tree, or several."""

NOTHING = -1
"""The anchor of a word without a counterpart in the other language."""


class Tokens:
    """Words with anchors, in order."""

    __slots__ = ("anchors", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.anchors: list[Anchor] = []

    def put(self, word: str, anchor: Anchor) -> None:
        """Say a word."""
        self.words.append(word)
        self.anchors.append(anchor)

    def put_all(self, words: tuple[str, ...], anchor: Anchor) -> None:
        """Say several words that express one piece of meaning."""
        for word in words:
            self.words.append(word)
            self.anchors.append(anchor)

    def put_aligned(self, words: Aligned, first: int) -> None:
        """Say a fixed phrase whose own numbers count from `first`."""
        for word, number in words:
            self.words.append(word)
            self.anchors.append(first + number if number >= 0 else NOTHING)

    def comma(self) -> None:
        """Set off a clause; two commas that meet are one."""
        if self.words and self.words[-1] != ",":
            self.put(",", NOTHING)

    def stop(self, mark: str, anchor: int) -> None:
        """End the sentence; a comma before the mark goes."""
        if self.words[-1] == ",":
            self.words.pop()
            self.anchors.pop()
        self.put(mark, anchor)


def link(source: Tokens, target: Tokens) -> tuple[tuple[int, int], ...]:
    """Return the pairs of positions that share an anchor, sorted."""
    places: dict[int, list[int]] = {}
    for j, anchor in enumerate(target.anchors):
        for number in (anchor,) if isinstance(anchor, int) else anchor:
            if number in places:
                places[number].append(j)
            else:
                places[number] = [j]
    places.pop(NOTHING, None)
    links: list[tuple[int, int]] = []
    for i, anchor in enumerate(source.anchors):
        if isinstance(anchor, int):
            if anchor in places:
                links += [(i, j) for j in places[anchor]]
        else:
            links += sorted({(i, j) for number in anchor for j in places.get(number, ())})
    return tuple(links)
