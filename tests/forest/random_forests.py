"""Random forests for the tests of files: repeated tails, parallel edges, shared and unused rules."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st
from tests.forest.shared_rules import Rule, Use, forest_of

from tunesmith.forest import Forest

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
    rules: list[Rule] = []
    of_arity: dict[int, list[int]] = {arity: [] for arity in arities}
    for arity in arities:
        gaps = [-1 - i for i in range(arity)]
        for _ in range(draw(st.integers(1, 2))):
            target = gaps + draw(st.lists(words, max_size=3))
            source = draw(st.one_of(st.just([]), st.lists(words, min_size=1, max_size=2)))
            of_arity[arity].append(len(rules))
            rules.append(
                Rule(
                    tuple(target if lattice else draw(st.permutations(target))),
                    (*source, *gaps) if source else (),
                    ((0, 0),) if source and target and draw(st.booleans()) else (),
                    tuple(draw(features).items()),
                    draw(st.sampled_from([-1, 0, 7, 2**62, -(2**63)])),
                )
            )
    nodes: list[list[Use]] = []
    for node in range(draw(st.integers(0, 6))):
        nodes.append([])
        for _ in range(draw(st.integers(1, 4))):
            arity = draw(st.sampled_from(arities)) if node else 0
            begin = draw(st.integers(-1, 5))
            tails = draw(st.lists(st.integers(0, node - 1), min_size=arity, max_size=arity)) if arity else []
            nodes[-1].append(
                Use(
                    tuple(tails),
                    draw(st.sampled_from(of_arity[arity])),
                    (begin, begin + draw(st.integers(1, 3)) if begin >= 0 else -1),
                    tuple(draw(features).items()),
                )
            )
    return forest_of(nodes, rules, ODD_WORDS, FEATURES)


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
