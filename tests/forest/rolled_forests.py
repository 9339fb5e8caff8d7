"""Small forests of few words, rolled whole: n-grams repeat, and meet at every kind of gap."""

from __future__ import annotations

import math
import random

import numpy as np
from hypothesis import strategies as st

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.types import FloatArray

WORDS = ("a", "b", "c")


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


def forbid(scores: FloatArray, numbers: set[int]) -> FloatArray:
    """Return the scores with minus infinity at some edges, numbered round and round."""
    changed = scores.copy()
    changed[[number % len(scores) for number in numbers]] = -np.inf
    return changed


forbidden = st.sets(st.integers(0, 20), max_size=3)


def scores(forest: Forest) -> FloatArray:
    """Return the scores of edges for a weight of one."""
    return forest.scores({"score": 1.0})
