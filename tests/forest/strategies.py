"""Small random forests, and all of their derivations by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.build import from_arrays
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


def with_shared_rules(forest: Forest) -> Forest:
    """Return the same forest: edges of equal sides share a rule, every second feature is the edge's own."""
    native = forest.native
    spelt = [forest.edge(number) for number in range(forest.edge_count)]
    features = {name: column for column, name in enumerate(forest.feature_names)}
    words = {word: number for number, word in enumerate(forest.words)}
    rules: dict[object, int] = {}
    edge_rules, own = [], []
    for edge in spelt:
        values = {features[name]: value for name, value in edge.features.items()}
        shared = tuple((column, value) for column, value in values.items() if column % 2 == 0)
        own.append([(column, value) for column, value in values.items() if column % 2])
        key = (edge.source, edge.target, edge.alignment, shared, edge.rule)
        edge_rules.append(rules.setdefault(key, len(rules)))

    def offsets(rows: list[list[object]]) -> list[int]:
        return [0, *itertools.accumulate(len(row) for row in rows)]

    def joined(part: int) -> tuple[list[int], list[object]]:
        rows = [list(key[part]) for key in rules]  # type: ignore[index]
        numbers = [[words[s] if isinstance(s, str) else s for s in row] for row in rows]
        return offsets(numbers), [value for row in numbers for value in row]

    def split(rows: list[list[tuple[int, float]]]) -> tuple[list[int], list[int], list[float]]:
        flat = [entry for row in rows for entry in row]
        return offsets(rows), [column for column, _ in flat], [value for _, value in flat]  # type: ignore[arg-type]

    return from_arrays(
        native.edge_offsets,
        (native.tail_offsets, native.tails),
        edge_rules,
        native.spans,
        split(own),
        joined(0),
        joined(1),
        joined(2),
        split([list(key[3]) for key in rules]),  # type: ignore[index]
        [key[4] for key in rules],  # type: ignore[index]
        native.words,
        native.feature_names,
    )


def derivations(forest: Forest, node: int | None = None) -> list[tuple[int, ...]]:
    """Enumerate the derivations of a node (the root): edges in preorder. Recursive, for small forests."""
    if forest.node_count == 0:
        return []
    known: dict[int, list[tuple[int, ...]]] = {}

    def below(node: int) -> list[tuple[int, ...]]:
        if node not in known:
            known[node] = [
                sum(parts, (number,))
                for number in forest.edges(node)
                for parts in itertools.product(*(below(tail) for tail in forest.edge(number).tails))
            ]
        return known[node]

    return below(forest.root if node is None else node)


def target_words(forest: Forest, derivation: tuple[int, ...]) -> list[str]:
    """Return the words that a derivation yields."""
    rest: Iterator[int] = iter(derivation)

    def words() -> list[str]:
        edge = forest.edge(next(rest))
        tails = [words() for _ in edge.tails]
        return [w for s in edge.target for w in ([s] if isinstance(s, str) else tails[-1 - s])]

    return words()


def total(derivation: tuple[int, ...], scores: FloatArray) -> float:
    """Return the score of a derivation: the sum of those of its edges."""
    return float(sum(scores[number] for number in derivation))


def brute_force(forest: Forest, scores: FloatArray) -> list[tuple[float, tuple[int, ...]]]:
    """Return all derivations of the root with their scores, best first; forbidden ones are left out."""
    found = [(total(derivation, scores), derivation) for derivation in derivations(forest)]
    return sorted((pair for pair in found if pair[0] > -np.inf), key=lambda pair: -pair[0])
