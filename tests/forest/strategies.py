"""Small random forests. Their structure is drawn piece by piece, so that what fails shrinks."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from tests.forest.shared_rules import with_shared_rules

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.types import FloatArray

WORDS = ("a", "b", "c", "ä", "日本")
FEATURES = ("lm", "tm", "wp")
MOST_DERIVATIONS = 300

quarter = st.integers(-12, 12).map(lambda n: n / 4)
"""Numbers that often tie and whose sums are exact, so that orders can be compared."""


detail = st.integers(0, 9999)
"""A seed of what is not structure. Most of the time of a test was drawing words and numbers one by one."""
# Made once: most of the time of a draw goes into making its strategies.
tails_below = [st.lists(st.integers(0, node - 1), max_size=3) if node else st.just([]) for node in range(8)]


def random_features(chance: random.Random) -> dict[str, float]:
    names = chance.sample(FEATURES, chance.randint(0, len(FEATURES)))
    return {name: chance.randint(-12, 12) / 4 for name in names}


def random_symbols(chance: random.Random, gaps: list[int]) -> tuple[str | int, ...]:
    symbols: list[str | int] = [*gaps, *chance.choices(WORDS, k=chance.randint(0, 2))]
    return tuple(chance.sample(symbols, len(symbols)))


def random_edge(tails: tuple[int, ...], seed: int) -> Edge:
    """Return an edge: its gaps anywhere among words, on the source side too, where there is one."""
    chance = random.Random(seed)
    gaps = [-1 - i for i in range(len(tails))]
    target = random_symbols(chance, gaps)
    source = random_symbols(chance, gaps) if chance.random() < 0.5 else ()
    span = chance.choice([(-1, -1), (0, 1), (1, 3), (0, 3)])
    return Edge(tails, target, random_features(chance), span, source, (), chance.randint(-1, 3))


@st.composite
def forests(draw: st.DrawFn, *, max_nodes: int = 5, most: int = MOST_DERIVATIONS) -> Forest:
    """Draw a forest of at most `most` derivations a node.

    It may have tails that repeat within an edge, parallel edges, identical ones too, edges of no tails
    above leaves, nodes that the root does not reach, shared rules, and features on rules and on edges.
    """
    nodes: list[list[Edge]] = []
    counts: list[int] = []
    for node in range(draw(st.integers(1, max_nodes))):
        incoming: list[Edge] = []
        total = 0
        for _ in range(draw(st.integers(1, 3))):
            if incoming and draw(st.integers(0, 3)) == 0:
                edge = draw(st.sampled_from(incoming))
                if draw(st.booleans()):
                    edge = replace(edge, features=random_features(random.Random(draw(detail))))
            else:
                edge = random_edge(tuple(draw(tails_below[node])), draw(detail))
            count = int(np.prod([counts[tail] for tail in edge.tails], dtype=np.float64))
            if total + count > most:
                edge, count = replace(edge, tails=(), target=("c",), source=()), 1
            incoming.append(edge)
            total += count
        nodes.append(incoming)
        counts.append(total)
    forest = build_forest(nodes, FEATURES)
    return with_shared_rules(forest) if draw(st.booleans()) else forest


@st.composite
def scored_forests(draw: st.DrawFn, *, forbidden: bool = False) -> tuple[Forest, FloatArray]:
    """Draw a forest and a score for each of its edges; `forbidden` ones are minus infinity."""
    forest = draw(forests())
    chance = np.random.default_rng(draw(detail))
    scores = chance.integers(-12, 13, forest.edge_count) / 4
    if forbidden:
        scores[chance.random(forest.edge_count) < 0.5] = -np.inf
    return forest, scores
