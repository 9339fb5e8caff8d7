"""All derivations of small forests, one by one, from the definition: what algorithms are compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from tunesmith.forest import Edge, Forest
from tunesmith.types import FloatArray


@dataclass(frozen=True)
class Listed:
    """A derivation spelled out: edges in preorder, and the target words that they yield."""

    edges: tuple[int, ...]
    words: tuple[str, ...]


def spelled(forest: Forest) -> list[list[Edge]]:
    """Spell out all edges, node by node."""
    return [[forest.edge(e) for e in forest.edges(node)] for node in range(forest.node_count)]


def listed(forest: Forest, node: int | None = None) -> list[Listed]:
    """List the derivations of a node (the root), those of lower edges first. Recursive, for small forests."""
    if forest.node_count == 0:
        return []
    edges = [edge for row in spelled(forest) for edge in row]

    @cache
    def below(node: int) -> tuple[Listed, ...]:
        return tuple(found for number in forest.edges(node) for found in through(number))

    def through(number: int) -> Iterator[Listed]:
        for parts in product(*(below(tail) for tail in edges[number].tails)):
            words: list[str] = []
            for symbol in edges[number].target:
                words.extend([symbol] if isinstance(symbol, str) else parts[-1 - symbol].words)
            yield Listed((number, *(e for part in parts for e in part.edges)), tuple(words))

    return list(below(forest.root if node is None else node))


def derivations(forest: Forest, node: int | None = None) -> list[tuple[int, ...]]:
    """Return the edges of each derivation of a node (the root)."""
    return [one.edges for one in listed(forest, node)]


def total(derivation: tuple[int, ...], scores: FloatArray) -> float:
    """Return the score of a derivation: the sum of those of its edges."""
    return float(sum(scores[number] for number in derivation))


def brute_force(forest: Forest, scores: FloatArray) -> list[tuple[float, tuple[int, ...]]]:
    """Return all derivations of the root with their scores, best first; forbidden ones are left out."""
    found = [(total(derivation, scores), derivation) for derivation in derivations(forest)]
    return sorted((pair for pair in found if pair[0] > -np.inf), key=lambda pair: -pair[0])


def ngram_counts(words: tuple[str, ...], order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of 1 to `order` words."""
    return Counter(words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1))
