"""All derivations of small lattices, found without a search."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping

from tunesmith.decode.phrase import PhraseDecoder

Arc = tuple[str, float | Mapping[str, float], int]
Arcs = list[list[Arc]]


def plf(arcs: Arcs) -> str:
    """Write a lattice as Python writes tuples, which is where the format comes from."""
    return repr(tuple(tuple(node) for node in arcs))


def features(arc: Arc) -> Mapping[str, float]:
    """Return what an arc says: the log of its value, or the features that it names."""
    said = arc[1]
    return said if isinstance(said, Mapping) else {"InputFeature0": max(math.log(said), -100.0)}


class BruteForce:
    """All derivations of all sentences of a lattice, each scored by itself."""

    def __init__(self, decoder: PhraseDecoder, arcs: Arcs) -> None:
        self.decoder, self.arcs = decoder, arcs
        self.table = decoder.model.phrase_table()
        self.nodes = len(arcs) + 1
        self.distances = self._floyd_warshall()

    def _floyd_warshall(self) -> list[list[float]]:
        size = range(self.nodes)
        ways = [[0 if i == j else math.inf for j in size] for i in size]
        for i, node in enumerate(self.arcs):
            for _, _, step in node:
                ways[i][i + step] = 1
        for k, i, j in itertools.product(size, size, size):
            ways[i][j] = min(ways[i][j], ways[i][k] + ways[k][j])
        return ways

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
