"""Forests of a few words, made by a seed: lattices and trees of phrases, with references."""

from __future__ import annotations

import numpy as np

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.pool import ForestPool

FEATURES = ("tm", "lm", "length", "swap")
WORDS = [f"w{i}" for i in range(12)]


def random_forest_pool(seed: int, sentences: int = 6, references: int = 1, positions: int = 4) -> ForestPool:
    """Return a pool whose forests are by turns lattices and trees, and whose references are drawn too."""
    rng = np.random.default_rng(seed)
    forests = [(lattice if number % 2 else tree)(rng, positions + number % 3) for number in range(sentences)]
    texts = [
        [" ".join(rng.choice(WORDS[:8], size=positions + int(rng.integers(0, 3)))) for _ in range(sentences)]
        for _ in range(references)
    ]
    return ForestPool.of(forests, texts)


def phrase(rng: np.random.Generator, gaps: tuple[int, ...] = ()) -> tuple[str | int, ...]:
    words: list[str | int] = [str(word) for word in rng.choice(WORDS[:8], size=int(rng.integers(1, 3)))]
    return (*gaps, *words)


def features(rng: np.random.Generator, words: int, *, swap: bool = False) -> dict[str, float]:
    drawn = {"tm": float(rng.normal()), "lm": float(rng.normal()), "length": float(words)}
    return drawn | ({"swap": 1.0} if swap else {})


def lattice(rng: np.random.Generator, positions: int) -> Forest:
    """Return a phrase lattice: three ways from one position to the next."""
    nodes = [[Edge((), (), {})]]
    for position in range(positions):
        targets = [phrase(rng, (-1,)) for _ in range(3)]
        nodes.append([Edge((position,), target, features(rng, len(target) - 1)) for target in targets])
    return build_forest(nodes, FEATURES)


def tree(rng: np.random.Generator, leaves: int) -> Forest:
    """Return a binary tree over leaves of two phrases each; every inner node may swap its children."""
    nodes: list[list[Edge]] = []
    for _ in range(leaves):
        targets = [phrase(rng) for _ in range(2)]
        nodes.append([Edge((), target, features(rng, len(target))) for target in targets])
    waiting = list(range(leaves))
    while len(waiting) > 1:
        left, right, *waiting = waiting
        pair = (left, right)
        nodes.append(
            [Edge(pair, (-1, -2), features(rng, 0)), Edge(pair, (-2, -1), features(rng, 0, swap=True))]
        )
        waiting.append(len(nodes) - 1)
    return build_forest(nodes, FEATURES)
