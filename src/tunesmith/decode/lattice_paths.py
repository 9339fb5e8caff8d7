"""Ways through a lattice that together have all of its short ones."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith import _native

__all__ = ["MOST_WINDOWS", "covering_paths", "path_text"]

MOST_WINDOWS = 1 << 15
"""Ways of one length through a lattice, beside one for each arc: where there are more, shorter ones do."""

_BREAK = "\0"
"""Stands between ways. No text has such a word."""

Arc = tuple[int, str, int]
"""The node where it begins, its word, the node where it ends."""


def path_text(lattice: _native.WordLattice, length: int) -> str:
    """Return a text that has, side by side, the words of each way of up to `length` arcs through a lattice.

    Between the `covering_paths` stand so many words of no language that no pattern of so many words reaches
    from one to the other. The text of a lattice with one path is the sentence.
    """
    between = f" {' '.join([_BREAK] * length)} "
    return between.join(" ".join(path) for path in covering_paths(lattice, length))


def covering_paths(
    lattice: _native.WordLattice, length: int, most: int = MOST_WINDOWS
) -> Iterator[list[str]]:
    """Yield words of paths so that each way of at most `length` arcs, wherever it begins, is within one.

    Such a way is part of a window: a way of just `length` arcs, or a shorter one from the first node to the
    last. Windows that overlap by all but an arc are strung together as long as new ones are found. A network
    of k words a place has k^length windows a node; where they are more than `most` and one for each arc, the
    length is reduced until they are not. O(windows * length).
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
    """Return the largest size, up to `length`, of which there are at most so many windows; at least 1."""
    last = len(leaving) - 1
    ways = [1] * len(leaving)  # of the present size, by the node where they begin
    shorter = 0  # that lead from the first node to the last
    to_last = [int(node == last) for node in range(len(leaving))]  # of the present size
    for size in range(1, length + 1):
        ways = [sum(ways[end] for _, _, end in arcs) for arcs in leaving]
        if size > 1 and sum(ways) + shorter > most:
            return size - 1
        to_last = [sum(to_last[end] for _, _, end in arcs) for arcs in leaving]
        shorter += to_last[0]
    return length


def _ways(leaving: list[list[Arc]], node: int, size: int) -> Iterator[tuple[Arc, ...]]:
    """Yield the ways of `size` arcs from a node, and shorter ones to the last node."""
    waiting: list[tuple[Arc, ...]] = [(arc,) for arc in reversed(leaving[node])] if size > 0 else []
    while waiting:
        way = waiting.pop()
        further = leaving[way[-1][2]]
        if len(way) == size or not further:
            yield way
        else:
            waiting.extend((*way, arc) for arc in reversed(further))
