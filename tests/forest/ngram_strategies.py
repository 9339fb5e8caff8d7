"""Small forests with all that is awkward, and their derivations one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from tunesmith.forest import Edge, Forest, build_forest

WORDS = ("a", "b", "c")


@dataclass(frozen=True)
class Listed:
    """A derivation spelt out: edges in preorder, and what they yield."""

    edges: tuple[int, ...]
    words: tuple[str, ...]


def rolled(seed: int, max_derivations: int) -> Forest:
    """Roll a forest, or a lattice that grows from left to right, of the sizes that we want.

    It has 0 to 3 tails an edge, repeated ones too, gaps in any order among words, parallel edges, empty
    yields, and nodes that nobody uses.
    """
    dice = random.Random(seed)
    lattice = dice.random() < 0.4
    nodes: list[list[Edge]] = []
    counts: list[int] = []
    for node in range(dice.randint(1, 8 if lattice else 5)):
        kept: list[Edge] = []
        count = 0
        for _ in range(dice.randint(1, 4)):
            arity = 0 if node == 0 else dice.choice([0, 1, 1, 1, 1] if lattice else [0, 1, 1, 2, 2, 3])
            tails = [dice.randint(max(0, node - 3), node - 1) for _ in range(arity)]
            gaps, words = [-1 - i for i in range(arity)], dice.choices(WORDS, k=dice.choice([0, 1, 1, 2]))
            target: list[str | int] = [*gaps, *words]
            if not lattice:
                dice.shuffle(target)
            ways = math.prod(counts[tail] for tail in tails)
            if count + ways <= max_derivations:
                kept.append(Edge(tuple(tails), tuple(target), {"score": dice.randint(-4, 4) / 4}))
                count += ways
        nodes.append(kept or [Edge((), ("a",), {})])
        counts.append(count or 1)
    return build_forest(nodes, ["score"])


def forests(max_derivations: int = 100) -> st.SearchStrategy[Forest]:
    """Draw forests by seeds: what Hypothesis draws piece by piece is mostly too small to go wrong."""
    return st.integers(0, 2**32).map(lambda seed: rolled(seed, max_derivations))


def derivations(forest: Forest) -> list[Listed]:
    """List all derivations of the root, from the definition."""
    spelt = [forest.edge(i) for i in range(forest.edge_count)]

    @cache
    def below(node: int) -> tuple[Listed, ...]:
        return tuple(found for edge in forest.edges(node) for found in through(edge))

    def through(edge: int) -> Iterator[Listed]:
        for parts in product(*(below(tail) for tail in spelt[edge].tails)):
            words: list[str] = []
            for symbol in spelt[edge].target:
                words.extend([symbol] if isinstance(symbol, str) else parts[-1 - symbol].words)
            yield Listed((edge, *(e for part in parts for e in part.edges)), tuple(words))

    return list(below(forest.root)) if forest.node_count else []


def ngram_counts(words: tuple[str, ...], order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of 1 to `order` words."""
    return Counter(words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1))


def scores(forest: Forest) -> np.ndarray:
    """Return the scores of edges for a weight of one."""
    return forest.scores({"score": 1.0})
