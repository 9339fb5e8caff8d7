"""All derivations of small lattices, found without a search."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError

Said = float | Mapping[str, float]
"""What an arc says: one value, or features by name."""
Arc = tuple[str, Said, int]
Arcs = list[list[Arc]]

WORDS = ["das", "haus", "ist", "klein", "groß", "xyz"]


def plf(arcs: Arcs) -> str:
    """Write a lattice as Python writes tuples, which is where the format comes from."""
    return repr(tuple(tuple(node) for node in arcs))


def features(arc: Arc) -> Mapping[str, float]:
    """Return what an arc says: the log of its value, or the features that it names."""
    said = arc[1]
    return said if isinstance(said, Mapping) else {"InputFeature0": max(math.log(said), -100.0)}


def random_lattice(seed: int, said: Sequence[Said]) -> Arcs:
    """Return a lattice in which every node is on some way; some arcs pass several columns."""
    draw = random.Random(seed)
    while True:
        columns = draw.randint(1, 4)
        arcs: Arcs = [
            [
                (draw.choice(WORDS), draw.choice(said), draw.randint(1, columns - node))
                for _ in range(draw.choice([1, 1, 2, 3]))
            ]
            for node in range(columns)
        ]
        try:
            _native.parse_plf(plf(arcs))
        except InputError:
            continue
        return arcs


def shortest_ways(ends: Sequence[Iterable[int]]) -> list[list[float]]:
    """Return the fewest arcs between any two nodes, by Floyd and Warshall; `ends` are of the arcs of each."""
    size = range(len(ends) + 1)
    ways = [[0 if i == j else math.inf for j in size] for i in size]
    for begin, reached in enumerate(ends):
        for end in reached:
            ways[begin][end] = 1
    for k, i, j in itertools.product(size, size, size):
        ways[i][j] = min(ways[i][j], ways[i][k] + ways[k][j])
    return ways


class BruteForce:
    """All derivations of all sentences of a lattice, each scored by itself."""

    def __init__(self, decoder: PhraseDecoder, arcs: Arcs) -> None:
        self.decoder, self.arcs = decoder, arcs
        self.table = decoder.model.phrase_table()
        self.distances = shortest_ways(
            [[node + arc[2] for arc in leaving] for node, leaving in enumerate(arcs)]
        )

    def paths(self, node: int = 0) -> Iterator[list[tuple[int, Arc]]]:
        if node == len(self.arcs):
            yield []
            return
        for arc in self.arcs[node]:
            for rest in self.paths(node + arc[2]):
                yield [(node, arc), *rest]

    def segmentations(self, begin: int, end: int) -> Iterator[list[tuple[int, int]]]:
        if begin == end:
            yield []
            return
        for middle in range(begin + 1, end + 1):
            for rest in self.segmentations(middle, end):
                yield [(begin, middle), *rest]

    def targets(self, words: list[str]) -> list[str]:
        found = [pair.target for pair in self.table.lookup(" ".join(words))]
        return found or (words if len(words) == 1 else [])

    def derivations(self, limit: float) -> Iterator[tuple[float, str]]:
        """Yield scores and texts of those whose jumps are within the limit."""
        weights = self.decoder.weights
        for path in self.paths():
            words = [arc[0] for _, arc in path]
            borders = [node for node, _ in path] + [len(self.arcs)]
            value = sum(weights[name] * number for _, arc in path for name, number in features(arc).items())
            for pieces in self.segmentations(0, len(words)):
                options = {piece: self.targets(words[slice(*piece)]) for piece in pieces}
                for order in itertools.permutations(pieces):
                    jumps = self.jumps([(borders[a], borders[b]) for a, b in order])
                    if max(jumps) > limit:
                        continue
                    for chosen in itertools.product(*(options[piece] for piece in order)):
                        steps = [(*piece, text) for piece, text in zip(order, chosen, strict=True)]
                        rows = self.decoder.replay(" ".join(words), steps)
                        score = sum(
                            weights[name] * number
                            for row in rows
                            for name, number in row.items()
                            if name != "Distortion0"
                        )
                        score += value - weights["Distortion0"] * sum(jumps)
                        yield score, " ".join(chosen)

    def jumps(self, ranges: list[tuple[int, int]]) -> list[float]:
        at, found = 0, []
        for begin, end in ranges:
            found.append(self.distances[min(at, begin)][max(at, begin)])
            at = end
        return found
