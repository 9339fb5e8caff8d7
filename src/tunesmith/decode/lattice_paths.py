"""Paths through a lattice that together contain all of its short subpaths."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith import _native

__all__ = ["MOST_WINDOWS", "covering_paths", "path_text"]

MOST_WINDOWS = 1 << 15
"""Maximum number of windows (in addition to the number of arcs); with more, windows are shortened."""

_BREAK = "\0"
"""Separates paths; no text has such a word."""

Arc = tuple[int, str, int]
"""Begin node, word, end node."""


def path_text(lattice: _native.WordLattice, length: int) -> str:
    """Return a text that contains, contiguously, the words of each subpath of up to `length` arcs.

    `length` separators are between the `covering_paths`, so that no pattern of `length` words reaches from
    one to the next. The text of a lattice with one path is the sentence.
    """
    between = f" {' '.join([_BREAK] * length)} "
    return between.join(" ".join(path) for path in covering_paths(lattice, length))


def covering_paths(
    lattice: _native.WordLattice, length: int, most: int = MOST_WINDOWS
) -> Iterator[list[str]]:
    """Yield the words of paths such that each subpath of at most `length` arcs is part of one of them.

    Such a subpath is part of a window: a subpath of exactly `length` arcs, or a shorter one from the first
    node to the last. Windows that overlap in all but one arc are joined while there are new ones. A confusion
    network with k words per column has k^length windows per node; if there are more than `most` plus the
    number of arcs, the length is reduced. O(windows * length).
    """
    leaving: list[list[Arc]] = [
        [(node, word, end) for word, end in dict.fromkeys(lattice.arcs(node))]
        for node in range(lattice.columns)
    ]
    leaving.append([])
    size = _window_size(leaving, length, most + sum(map(len, leaving)))
    left = dict.fromkeys(
        way
        for node in range(len(leaving))
        for way in _ways(leaving, node, size)
        if len(way) == size or node == 0
    )
    while left:
        window = next(iter(left))
        del left[window]
        path = list(window)
        while len(window) == size:
            longer = (way for arc in leaving[window[-1][2]] if (way := (*window[1:], arc)) in left)
            window = next(longer, ())
            if window:
                del left[window]
                path.append(window[-1])
        yield [word for _, word, _ in path]


def _window_size(leaving: list[list[Arc]], length: int, most: int) -> int:
    """Return the largest size up to `length` with at most `most` windows; at least 1."""
    last = len(leaving) - 1
    ways = [1] * len(leaving)  # of the current size, by begin node
    shorter = 0  # from the first node to the last
    to_last = [int(node == last) for node in range(len(leaving))]  # of the current size
    for size in range(1, length + 1):
        ways = [sum(ways[end] for _, _, end in arcs) for arcs in leaving]
        if size > 1 and sum(ways) + shorter > most:
            return size - 1
        to_last = [sum(to_last[end] for _, _, end in arcs) for arcs in leaving]
        shorter += to_last[0]
    return length


def _ways(leaving: list[list[Arc]], node: int, size: int) -> Iterator[tuple[Arc, ...]]:
    """Yield the subpaths of `size` arcs from a node, and shorter ones to the last node."""
    waiting: list[tuple[Arc, ...]] = [(arc,) for arc in reversed(leaving[node])] if size > 0 else []
    while waiting:
        way = waiting.pop()
        further = leaving[way[-1][2]]
        if len(way) == size or not further:
            yield way
        else:
            waiting.extend((*way, arc) for arc in reversed(further))
