"""Pools of small random forests, made by a seed: one builder, and the kinds of forests that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.pool import ForestPool

FEATURES = ("tm", "lm", "length", "swap")
WORDS = [f"w{i}" for i in range(8)]
CHAIN_FEATURES = ("lm", "tm", "wp")
CHAIN_WORDS = ("a", "b", "c", "d", "e")


@dataclass(frozen=True)
class Kind:
    """How the forest of a sentence is made, and of which words and how many of them references are."""

    forest: Callable[[np.random.Generator, int], Forest]
    words: Sequence[str]
    lengths: range


def by_turns(rng: np.random.Generator, number: int) -> Forest:
    return (lattice if number % 2 else tree)(rng, 4 + number % 3)


LATTICES_AND_TREES = Kind(by_turns, WORDS, range(4, 7))


def random_forest_pool(
    seed: int, sentences: int = 6, references: int = 1, kind: Kind = LATTICES_AND_TREES
) -> ForestPool:
    """Return a pool of forests of a kind, with references of random words."""
    rng = np.random.default_rng(seed)
    forests = [kind.forest(rng, number) for number in range(sentences)]

    def reference() -> str:
        return " ".join(rng.choice(kind.words, rng.integers(kind.lengths.start, kind.lengths.stop)))

    return ForestPool.of(forests, [[reference() for _ in range(sentences)] for _ in range(references)])


def phrase(rng: np.random.Generator, gaps: tuple[int, ...] = ()) -> tuple[str | int, ...]:
    words: list[str | int] = [str(word) for word in rng.choice(WORDS, size=int(rng.integers(1, 3)))]
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


def chain(rng: np.random.Generator, names: Sequence[str] = CHAIN_FEATURES, nodes: int = 4) -> Forest:
    """Return a chain of nodes: each adds a word, in two ways, to the one before or to two before it."""

    def edge(node: int) -> Edge:
        word = str(rng.choice(CHAIN_WORDS))
        count = min(node, int(rng.integers(1, 3)))
        tails = tuple(int(tail) for tail in rng.integers(max(0, node - 2), node, count))
        symbols: list[str | int] = [word, *(-1 - i for i in range(count))]
        target = tuple(symbols[i] for i in rng.permutation(len(symbols)))
        return Edge(tails, target, {name: float(np.float32(rng.normal())) for name in names})

    return build_forest([[edge(node) for _ in range(2)] for node in range(nodes)], names)


def chain_pool(
    seed: int, sentences: int = 8, *, names: Sequence[str] = CHAIN_FEATURES, nodes: int = 4
) -> ForestPool:
    """Return a pool of chains, few enough derivations each to be listed."""
    kind = Kind(lambda rng, _: chain(rng, names, nodes), CHAIN_WORDS, range(3, 9))
    return random_forest_pool(seed, sentences, kind=kind)
