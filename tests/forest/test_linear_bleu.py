"""Linear BLEU, whose oracle is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.ngram_strategies import WORDS, derivations, forests, ngram_counts, scores

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest, linear_thetas, oracle_linear

texts = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=7).map(" ".join)
thetas = st.lists(st.integers(-8, 8).map(lambda x: x / 8), min_size=2, max_size=5).map(np.array)


@given(forests(), st.lists(texts, min_size=1, max_size=2), st.one_of(st.none(), thetas), st.booleans())
def test_the_best_derivation_is_found(forest: Forest, refs: list[str], factors, with_model: bool) -> None:
    used = linear_thetas() if factors is None else factors
    order = len(used) - 1
    known = {ngram for ref in refs for ngram in ngram_counts(tuple(ref.split()), order)}
    model = scores(forest) if with_model else np.zeros(forest.edge_count)
    worth = {}
    for one in derivations(forest):
        counts = ngram_counts(one.words, order)
        matches = sum(used[len(ngram)] * count for ngram, count in counts.items() if ngram in known)
        worth[one.edges] = used[0] * len(one.words) + matches + model[list(one.edges)].sum()
    found = oracle_linear(forest, refs, factors, scores=model if with_model else None)
    assert found.score == pytest.approx(max(worth.values()), abs=1e-9)
    assert worth[tuple(found.edges.tolist())] == pytest.approx(found.score, abs=1e-9)


def test_factors_are_those_of_the_paper() -> None:
    # theta_0 = -1 / T, theta_n = 1 / (4 T p r^(n - 1))
    found = linear_thetas(4, precision=0.85, ratio=0.72, words=10.0)
    wanted = [-1 / 10, *(1 / (4 * 10 * 0.85 * 0.72 ** (n - 1)) for n in (1, 2, 3, 4))]
    assert found == pytest.approx(wanted)


def test_a_better_translation_wins() -> None:
    forest = build_forest(
        [
            [Edge((), ("a", "rhyme"), {}), Edge((), ("a", "time"), {})],
            [Edge((0,), ("once", "upon", -1), {}), Edge((0,), ("once", "on", -1), {})],
        ]
    )
    assert oracle_linear(forest, ["once upon a rhyme"]).edges.tolist() == [2, 0]
    assert oracle_linear(forest, ["once upon a rhyme"], -linear_thetas()).edges.tolist() == [3, 1]


def test_what_makes_no_sense_is_refused() -> None:
    forest = build_forest([[Edge((), ("a",), {})]])
    with pytest.raises(InputError, match="no derivation was found"):
        oracle_linear(build_forest([]), ["a"])
    with pytest.raises(InputError, match="no references"):
        oracle_linear(forest, [])
    with pytest.raises(InputError, match="a factor of the length"):
        oracle_linear(forest, ["a"], np.ones(1))
    with pytest.raises(InputError, match="finite"):
        oracle_linear(forest, ["a"], np.array([1.0, np.nan]))
    with pytest.raises(OptionError, match="above 0"):
        linear_thetas(precision=0.0)


def test_deep_chains_need_no_recursion() -> None:
    depth = 100_000
    chain = build_forest([[Edge((), ("a",), {})]] + [[Edge((i,), (-1, "b"), {})] for i in range(depth)])
    found = oracle_linear(chain, ["a b b"], np.array([0.0, 1.0, 1.0]))
    assert found.edges.tolist() == list(range(depth, -1, -1))
    assert found.score == 2 * depth + 1
