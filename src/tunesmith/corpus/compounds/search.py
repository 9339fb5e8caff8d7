"""The best segmentations of one word."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from tunesmith.corpus.compounds.parts import Arc

__all__ = ["arc_probabilities", "best_by_mean", "best_by_sum"]

Path = tuple[Arc, ...]


def best_by_sum(
    arcs: Sequence[Arc], scores: Sequence[float], size: int, limit: int
) -> list[tuple[float, Path]]:
    """Return the segmentations with the highest sums of scores, at most `limit`, best first.

    Arcs are sorted by their start. Ties are broken by fewer parts, then by the order of arcs.
    O(arcs limit log limit).
    """
    found: list[list[tuple[float, int, Path]]] = [[] for _ in range(size + 1)]
    found[0] = [(0.0, 0, ())]
    done = 0
    for arc, score in zip(arcs, scores, strict=True):
        for place in range(done + 1, arc.start + 1):  # all arcs to these positions are done
            found[place] = heapq.nsmallest(limit, found[place])
        done = max(done, arc.start)
        found[arc.end] += [(loss - score, n + 1, (*path, arc)) for loss, n, path in found[arc.start]]
    return [(-loss, path) for loss, _, path in heapq.nsmallest(limit, found[size])]


def best_by_mean(
    arcs: Sequence[Arc], scores: Sequence[float], size: int, max_parts: int
) -> tuple[float, Path]:
    """Return the segmentation of at most `max_parts` with the highest mean score; of equals the shortest.

    With scores log v this is the highest geometric mean of v. Viterbi with one best path per letter and
    number of parts: O(arcs max_parts).
    """
    found: list[dict[int, tuple[float, Path]]] = [{} for _ in range(size + 1)]
    found[0][0] = (0.0, ())
    for arc, score in zip(arcs, scores, strict=True):
        for parts, (loss, path) in found[arc.start].items():
            if parts < max_parts:
                candidate = (loss - score, (*path, arc))
                known = found[arc.end].get(parts + 1)
                if known is None or candidate < known:
                    found[arc.end][parts + 1] = candidate
    mean, _, path = min((loss / parts, parts, path) for parts, (loss, path) in found[size].items())
    return -mean, path


def arc_probabilities(arcs: Sequence[Arc], scores: Sequence[float], size: int) -> list[float]:
    """Return log p(arc | its start), so that the sum over a segmentation is its log probability.

    log p(a) = score(a) + beta(end) - beta(start), where beta is the log of the sum of exp(score) over all
    paths to the end. Arcs are sorted by their start.
    """
    rest = [-math.inf] * size + [0.0]
    for arc, score in zip(reversed(arcs), reversed(scores), strict=True):
        rest[arc.start] = _log_add(rest[arc.start], score + rest[arc.end])
    return [
        min(score + rest[arc.end] - rest[arc.start], 0.0) for arc, score in zip(arcs, scores, strict=True)
    ]


def _log_add(a: float, b: float) -> float:
    high, low = (a, b) if a > b else (b, a)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
