"""Small random forests, drawn piece by piece so that what fails shrinks to the least that does."""

from __future__ import annotations

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


words = st.lists(st.sampled_from(WORDS), max_size=2)
features = st.dictionaries(st.sampled_from(FEATURES), quarter, max_size=3)
span = st.sampled_from([(-1, -1), (0, 1), (1, 3), (0, 3)])
rule = st.integers(-1, 3)
# Made once: most of the time of a draw goes into making its strategies.
tails_below = [st.lists(st.integers(0, node - 1), max_size=3) if node else st.just([]) for node in range(8)]
orders = [st.permutations(range(length)) for length in range(6)]


def shuffled(draw: st.DrawFn, symbols: list[str | int]) -> tuple[str | int, ...]:
    return tuple(symbols[i] for i in draw(orders[len(symbols)]))


def draw_edge(draw: st.DrawFn, tails: tuple[int, ...]) -> Edge:
    """Draw an edge: its gaps anywhere among words, on the source side too, where there is one."""
    gaps = [-1 - i for i in range(len(tails))]
    target = shuffled(draw, [*gaps, *draw(words)])
    source = shuffled(draw, [*gaps, *draw(words)]) if draw(st.booleans()) else ()
    return Edge(tails, target, draw(features), draw(span), source, (), draw(rule))


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
                    edge = replace(edge, features=draw(features))
            else:
                edge = draw_edge(draw, tuple(draw(tails_below[node])))
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
    score = st.one_of(quarter, st.just(-np.inf)) if forbidden else quarter
    scores = draw(st.lists(score, min_size=forest.edge_count, max_size=forest.edge_count))
    return forest, np.array(scores, dtype=np.float64)
