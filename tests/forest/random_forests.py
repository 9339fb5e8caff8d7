"""Random forests for the tests of files: repeated tails, parallel edges, shared and unused rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tunesmith.forest import Edge, Forest
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts

ODD_WORDS = (
    "a",
    "b",
    "|||",
    "[1]",
    "[X,1]",
    '"',
    "\\",
    "über",
    "中文",
    "שלום",
    "a|b",
    "[",
    "=",
    "#",
    "&#124;",
)
FEATURES = ("lm", "tm_0", "tm_1", "LM=odd", "größe")


def forest_of(data: dict[str, Any]) -> Forest:
    """Build a forest from nodes of edges (tails, rule, span, features) and rules of symbols and features."""
    words = {word: i for i, word in enumerate(ODD_WORDS)}
    names = {name: i for i, name in enumerate(FEATURES)}

    def rows(lists: list[list[Any]]) -> tuple[list[int], list[Any]]:
        return [0, *np.cumsum([len(row) for row in lists]).tolist()], [x for row in lists for x in row]

    def values(lists: list[dict[str, float]]) -> tuple[list[int], list[int], list[float]]:
        offsets, items = rows([list(row.items()) for row in lists])
        return offsets, [names[name] for name, _ in items], [value for _, value in items]

    def symbols(lists: list[list[str | int]]) -> tuple[list[int], list[int]]:
        return rows([[s if isinstance(s, int) else words[s] for s in row] for row in lists])

    edges = [edge for node in data["nodes"] for edge in node]
    rules = data["rules"]
    packed_words, packed_names = Texts.of(ODD_WORDS), Texts.of(FEATURES)
    return from_arrays(
        rows(data["nodes"])[0],
        rows([edge["tails"] for edge in edges]),
        [edge["rule"] for edge in edges],
        np.array([edge["span"] for edge in edges], dtype=np.int32).reshape(-1, 2),
        values([edge["features"] for edge in edges]),
        symbols([rule["source"] for rule in rules]),
        symbols([rule["target"] for rule in rules]),
        rows([rule["links"] for rule in rules]),
        values([rule["features"] for rule in rules]),
        np.array([rule["id"] for rule in rules], dtype=np.int64),
        (packed_words.blob, packed_words.offsets),
        (packed_names.blob, packed_names.offsets),
    )


def spelled(forest: Forest) -> list[list[Edge]]:
    """Spell out all edges, node by node."""
    return [[forest.edge(e) for e in forest.edges(node)] for node in range(forest.node_count)]


finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
small = st.sampled_from([0.0, -0.0, 1.0, -1.5, 0.1]).map(lambda x: float(np.float32(x)))
features = st.dictionaries(st.sampled_from(FEATURES), small | finite, max_size=4)
moderate = st.floats(-1e6, 1e6, width=32)
addable = st.dictionaries(st.sampled_from(FEATURES), small | moderate, max_size=4)
odd_words = st.sampled_from(ODD_WORDS)
plain_words = st.sampled_from([word for word in ODD_WORDS if "|" not in word and "[" not in word])


@st.composite
def forests(
    draw: st.DrawFn,
    *,
    words: st.SearchStrategy[str] = odd_words,
    features: st.SearchStrategy[dict[str, float]] = features,
    lattice: bool = False,
) -> Forest:
    """Draw a forest, possibly empty; rules are shared by edges of their arity, and some are unused.

    A `lattice` has edges that add words to one tail at most.
    """
    arities = range(2 if lattice else 4)
    rules: list[dict[str, Any]] = []
    for arity in arities:
        for _ in range(draw(st.integers(1, 2))):
            target = [-1 - i for i in range(arity)] + draw(st.lists(words, max_size=3))
            source = draw(st.one_of(st.just([]), st.lists(words, min_size=1, max_size=2)))
            rules.append(
                {
                    "arity": arity,
                    "target": target if lattice else draw(st.permutations(target)),
                    "source": source + [-1 - i for i in range(arity)] if source else [],
                    "links": [(0, 0)] if source and draw(st.booleans()) else [],
                    "features": draw(features),
                    "id": draw(st.sampled_from([-1, 0, 7, 2**62, -(2**63)])),
                }
            )
    nodes = []
    for node in range(draw(st.integers(0, 6))):
        edges = []
        for _ in range(draw(st.integers(1, 4))):
            arity = draw(st.sampled_from(arities)) if node else 0
            begin = draw(st.integers(-1, 5))
            edges.append(
                {
                    "tails": draw(st.lists(st.integers(0, node - 1), min_size=arity, max_size=arity))
                    if arity
                    else [],
                    "rule": draw(st.sampled_from([i for i, r in enumerate(rules) if r["arity"] == arity])),
                    "span": (begin, begin + draw(st.integers(1, 3)) if begin >= 0 else -1),
                    "features": draw(features),
                }
            )
        nodes.append(edges)
    return forest_of({"nodes": nodes, "rules": rules})


def escaped(symbols: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the symbols as text formats spell them."""

    def one(symbol: str | int) -> str | int:
        if isinstance(symbol, int):
            return symbol
        if len(symbol) > 1 and symbol[0] == "[" and symbol[-1] == "]":
            symbol = symbol.replace("[", "&#91;").replace("]", "&#93;")
        return symbol.replace("|", "&#124;")

    return tuple(one(symbol) for symbol in symbols)


def narrow(features: Mapping[str, float]) -> dict[str, float]:
    """Return features as floats of 32 bits, which is what text formats hold of a sum."""
    return {name: float(np.float32(value)) for name, value in features.items()}
