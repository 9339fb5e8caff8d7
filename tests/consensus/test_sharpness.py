"""The scale that a rule takes by itself: a fixed entropy a word, whatever the size of weights."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.forest.enumeration import listed, total
from tests.forest.rolled_forests import forbid, forbidden, forests, scores
from tests.random_pools import random_pool

from tunesmith.consensus import CONSENSUS, MbrConsensus, consensus_rule
from tunesmith.consensus.sharpness import ENTROPY_A_WORD, LIST_SHARE, sharp_list_scale, sharp_scale
from tunesmith.errors import InputError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.types import FloatArray

RULES = list(CONSENSUS)


def entropy_of(totals: FloatArray, scale: float, strings: list[str] | None = None) -> float:
    """Return the entropy of a listed distribution, with the probabilities of the same strings added up."""
    weights = np.exp(scale * (totals - totals.max()))
    sums: dict[object, float] = {}
    for number, weight in enumerate(weights / weights.sum()):
        key = strings[number] if strings else number
        sums[key] = sums.get(key, 0.0) + weight
    return -sum(p * math.log(p) for p in sums.values() if p > 0)


def check(totals: FloatArray, wanted: float, scale: float, strings: list[str] | None = None) -> None:
    found = entropy_of(totals, scale, strings)
    best_are_equal = entropy_of(totals, 1e9, strings) >= wanted  # no scale is sharp enough
    assert found == pytest.approx(wanted, rel=0.03) or (best_are_equal and found >= wanted)


@given(forests(), forbidden)
def test_the_entropy_of_a_forest_is_that_of_the_formula(forest: Forest, numbers: set[int]) -> None:
    some = forbid(scores(forest), numbers)
    found = [(total(one.edges, some), one) for one in listed(forest)]
    found = [(score, one) for score, one in found if score > -math.inf]
    assume(found)
    totals = np.array([score for score, _ in found])
    assume(len(found) > 1)
    best = max(found, key=lambda each: each[0])[1]
    assume(np.sum(totals >= totals.max() - 1e-9) == 1)  # equal ones may have different lengths
    wanted = min(ENTROPY_A_WORD * max(len(best.words), 1), entropy_of(totals, 0.0) / 2)
    check(totals, wanted, sharp_scale(forest, some))


@given(st.lists(st.tuples(st.sampled_from(["", "a", "a b", "c d e f"]), st.integers(-9, 9)), min_size=2))
def test_the_entropy_of_a_list_is_that_of_its_strings(candidates: list[tuple[str, int]]) -> None:
    texts, values = zip(*candidates, strict=True)
    totals = np.array(values, dtype=np.float64)
    assume(len(set(texts)) > 1)
    assume(len(set(values)) > 1)
    numbers = np.array([sorted(set(texts)).index(text) for text in texts])
    wanted = LIST_SHARE * entropy_of(totals, 0.0, list(texts))
    check(totals, wanted, sharp_list_scale(totals, numbers), list(texts))


@pytest.mark.parametrize("name", ["fast", "linear", "variational"])
def test_rules_over_lists_take_the_scale_of_strings_or_of_derivations(name: str) -> None:
    pool = random_pool(4, lists=10, size=15)
    weights = np.linspace(0.5, 1.5, len(pool.feature_names))
    scores = pool.features.dot(weights, 1)
    default = consensus_rule(name).over_pool(pool, weights).indices
    for number, (begin, end) in enumerate(pairwise(pool.offsets.tolist())):
        texts = list(pool.texts)[begin:end]
        strings = np.array([texts.index(text) for text in texts])
        scale = sharp_list_scale(scores[begin:end], strings)
        if name != "fast":
            forest = build_forest([[Edge((), tuple(text.split()), {}) for text in texts]])
            scale = sharp_scale(forest, scores[begin:end])
        rule = consensus_rule(name, scale=scale)
        assert default[number] == rule.over_pool(pool.take_lists([number]), weights).indices[0]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("factor", [1e-8, 0.1, 7.0, 1e8])
def test_the_size_of_weights_changes_no_choice(name: str, factor: float) -> None:
    pool = random_pool(3, lists=15, size=12)
    weights = np.linspace(0.5, 1.5, len(pool.feature_names))
    rule = consensus_rule(name)
    assert rule.over_pool(pool, factor * weights).texts == rule.over_pool(pool, weights).texts


@given(forests(20), st.sampled_from([1e-8, 0.1, 7.0, 1e8]))
def test_the_scale_makes_up_for_the_size_of_weights(forest: Forest, factor: float) -> None:
    some = scores(forest)
    totals = np.array([total(one.edges, some) for one in listed(forest)])
    assume(len(totals) > 1)
    assume(np.sum(totals >= totals.max() - 1e-9) == 1)  # rounding tells which of equal ones has the words
    assert factor * sharp_scale(forest, factor * some) == pytest.approx(sharp_scale(forest, some))


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "given_scores",
    [[0.0, 0.0, 0.0], [0.1, 0.1, 0.1], [-math.inf, 2.0, -math.inf], [-math.inf, 1.0, 3.0], [0.3, 0.3, -1e9]],
)
def test_equal_and_forbidden_scores_leave_something_to_choose(name: str, given_scores: list[float]) -> None:
    forest = build_forest([[Edge((), (word, "x"), {}) for word in "abc"]])
    chosen = consensus_rule(name).over_forest(forest, np.array(given_scores))
    assert given_scores[chosen.derivation.edges[0]] == max(given_scores)
    assert math.isfinite(chosen.score)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("words", [(), ("a",), ("a", "b", "c", "d", "e")])
def test_a_single_derivation_is_chosen(name: str, words: tuple[str, ...]) -> None:
    chosen = consensus_rule(name).over_forest(build_forest([[Edge((), words, {"s": 2.0})]]), {"s": -0.5})
    assert chosen.derivation.words == words


@pytest.mark.parametrize("name", RULES)
def test_a_forest_without_derivations_is_refused(name: str) -> None:
    rule = consensus_rule(name)
    with pytest.raises(InputError):
        rule.over_forest(build_forest([]), np.zeros(0))
    with pytest.raises(InputError):
        rule.over_forest(build_forest([[Edge((), ("a",), {})]]), np.array([-np.inf]))


def test_forbidden_candidates_count_for_nothing_even_at_scale_zero() -> None:
    place, value = MbrConsensus(scale=0.0).choose(["a b", "c d", "a c"], np.array([0.0, -np.inf, 0.0]))
    assert place in (0, 2)
    assert math.isfinite(value)
