"""Derivations of phrase forests, spelt out in plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tunesmith.forest import Forest

Phrases = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Derivation:
    """Phrases (begin, end, target) in target order, and the sums of all features."""

    phrases: Phrases
    features: Mapping[str, float]

    @property
    def text(self) -> str:
        return " ".join(target for _, _, target in self.phrases if target)


def add(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Add two feature vectors, without zeros."""
    names = [*first, *(name for name in second if name not in first)]
    sums = {name: first.get(name, 0.0) + second.get(name, 0.0) for name in names}
    return {name: value for name, value in sums.items() if value != 0.0}


def total(rows: list[dict[str, float]]) -> dict[str, float]:
    """Add up the rows of a replay."""
    found: dict[str, float] = {}
    for row in rows:
        found = add(found, row)
    return found


def dot(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the score of features; those without a weight count 0."""
    return sum(value * weights.get(name, 0.0) for name, value in features.items())


def all_derivations(forest: Forest) -> list[Derivation]:
    """Enumerate every derivation of a phrase forest."""
    known: list[list[Derivation]] = []
    for node in range(forest.node_count):
        ways = []
        for edge in map(forest.edge, forest.edges(node)):
            before = known[edge.tails[0]] if edge.tails else [Derivation((), {})]
            words = " ".join(word for word in edge.target if isinstance(word, str))
            is_step = edge.tails and node != forest.root
            step: Phrases = ((*edge.span, words),) if is_step else ()
            ways += [Derivation(way.phrases + step, add(way.features, edge.features)) for way in before]
        known.append(ways)
    return known[-1]


def viterbi(forest: Forest, weights: Mapping[str, float]) -> tuple[float, dict[str, float]]:
    """Return the score and the features of the best derivation."""
    best: list[tuple[float, dict[str, float]]] = []
    for node in range(forest.node_count):
        ways = []
        for number in forest.edges(node):
            edge = forest.edge(number)
            features = dict(edge.features)
            for tail in edge.tails:
                features = add(features, best[tail][1])
            ways.append((dot(features, weights), features))
        best.append(max(ways, key=lambda way: way[0]))
    return best[-1]
