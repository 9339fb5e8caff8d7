"""Linear BLEU, whose oracle is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed, ngram_counts
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import WORDS, forbid, forbidden, forests, scores

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest, linear_thetas, oracle_linear

texts = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=7).map(" ".join)
thetas = st.lists(st.integers(-8, 8).map(lambda x: x / 8), min_size=2, max_size=5).map(np.array)


@given(
    forests(),
    st.lists(texts, min_size=1, max_size=2),
    st.one_of(st.none(), thetas),
    st.one_of(st.none(), forbidden),
)
def test_the_best_derivation_is_found(
    forest: Forest, refs: list[str], factors, edges_out: set[int] | None
) -> None:
    used = linear_thetas() if factors is None else factors
    order = len(used) - 1
    known = {ngram for ref in refs for ngram in ngram_counts(tuple(ref.split()), order)}
    given_scores = None if edges_out is None else forbid(scores(forest), edges_out)
    model = np.zeros(forest.edge_count) if given_scores is None else given_scores
    worth = {}
    for one in listed(forest):
        counts = ngram_counts(one.words, order)
        matches = sum(used[len(ngram)] * count for ngram, count in counts.items() if ngram in known)
        worth[one.edges] = used[0] * len(one.words) + matches + model[list(one.edges)].sum()
    if max(worth.values()) == -np.inf:
        with pytest.raises(InputError, match="forbid every derivation"):
            oracle_linear(forest, refs, factors, scores=given_scores)
        return
    found = oracle_linear(forest, refs, factors, scores=given_scores)
    assert found.score == pytest.approx(max(worth.values()), abs=1e-9)
    assert worth[found.edges] == pytest.approx(found.score, abs=1e-9)


def test_white_space_within_words_separates_words_as_in_references() -> None:
    forest = build_forest([[Edge((), ("10\u00a0000", "\u3000", ""), {}), Edge((), ("10", "0"), {})]])
    found = oracle_linear(forest, ["10 000"], np.array([-0.25, 1.0, 2.0]))
    assert (found.edges, found.score) == ((0,), 2 * -0.25 + 2 * 1.0 + 2.0)


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
    assert oracle_linear(forest, ["once upon a rhyme"]).text == "once upon a rhyme"
    assert oracle_linear(forest, ["once upon a rhyme"], -linear_thetas()).text == "once on a time"


def test_weights_serve_as_scores() -> None:
    forest = build_forest([[Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 3.0})]])
    assert oracle_linear(forest, ["a"], scores={"lm": 0.0}).text == "a"
    assert oracle_linear(forest, ["a"], scores={"lm": 9.0}).text == "b"


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


@pytest.mark.slow
def test_deep_chains_need_no_recursion() -> None:
    depth = 100_000
    forest = chain(depth)
    found = oracle_linear(forest, ["a b b"], np.array([0.0, 1.0, 1.0]))
    assert found.edges == tuple(range(depth, -1, -1))
    assert found.score == 2 * depth + 1
