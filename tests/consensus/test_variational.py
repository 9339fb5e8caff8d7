"""The best yield under n-gram models of a forest is the best of all yields."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus.brute_force import Words, best_scores, distribution, largest
from tests.forest.rolled_forests import forests, scores

from tunesmith.consensus import VariationalConsensus
from tunesmith.errors import OptionError
from tunesmith.forest import Edge, Forest, build_forest

EVENTS = ("\N{START OF TEXT}", "\N{END OF TEXT}")


def events(words: Words, order: int) -> list[tuple[Words, str]]:
    """Return history and word of each event of a sentence under a model of an order."""
    padded = (EVENTS[0], *words, EVENTS[1])
    return [(padded[max(0, i - order + 1) : i], padded[i]) for i in range(1, len(padded))]


def log_models(yields: dict[Words, float], order: int) -> dict[tuple[Words, str], float]:
    """Return log q(word | history) by relative frequency."""
    counts: Counter[tuple[Words, str]] = Counter()
    totals: Counter[Words] = Counter()
    for words, probability in yields.items():
        for history, word in events(words, order):
            counts[history, word] += probability  # type: ignore[assignment]
            totals[history] += probability  # type: ignore[assignment]
    return {event: math.log(count / totals[event[0]]) for event, count in counts.items()}


@given(
    forests(),
    st.sampled_from([(1.0,), (0.0, 1.0), (0.0, 0.0, 1.0), (0.5, 0.25, 1.0, 2.0), (0.0, 0.0, 0.0, 1.0)]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 0.7]),
    st.sampled_from([0.0, 0.8]),
)
def test_the_choice_is_the_best_of_all_yields(
    forest: Forest, weights: tuple[float, ...], scale: float, viterbi: float, penalty: float
) -> None:
    some = scores(forest)
    yields = distribution(forest, some, scale)
    model = best_scores(forest, some)
    logs = [log_models(yields, n) for n in range(1, len(weights) + 1)]

    def value(words: Words) -> float:
        terms = [
            theta * sum(logs[n][event] for event in events(words, n + 1)) for n, theta in enumerate(weights)
        ]
        return sum(terms) + penalty * len(words) + viterbi * scale * model[words]

    most, best = largest(yields, value)
    rule = VariationalConsensus(
        scale=scale, order=len(weights), weights=weights, viterbi=viterbi, penalty=penalty
    )
    chosen = rule.over_forest(forest, some)
    assert chosen.score == pytest.approx(most, abs=1e-8)
    assert chosen.derivation.words in best
    assert chosen.derivation.score == pytest.approx(model[chosen.derivation.words])


def test_derivations_of_one_yield_add_up() -> None:
    edges = [Edge((), ("a", "b"), {"s": 0.0}), Edge((), ("a", "b"), {"s": 0.1}), Edge((), ("c",), {"s": 0.5})]
    chosen = VariationalConsensus(scale=1.0).over_forest(build_forest([edges]), {"s": 1.0})
    assert chosen.text == "a b"
    assert chosen.derivation.edges == (1,)


@pytest.mark.parametrize(
    "options",
    [{"order": 0}, {"weights": (1.0,)}, {"weights": (1.0, 1.0, 1.0, math.nan)}, {"viterbi": -1.0}],
)
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        VariationalConsensus(**options)
