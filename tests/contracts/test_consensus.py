"""What every consensus rule promises, whatever it maximizes."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from tests.consensus.brute_force import as_pool, distribution
from tests.forest.enumeration import listed
from tests.forest.rolled_forests import forests, scores

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import CONSENSUS, consensus_rule
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest

TEXTS = [["the house is small", "the house is little", "a house", ""], ["one ||| two", "one ||| two"], [""]]
rules = pytest.mark.parametrize("name", list(CONSENSUS))


@pytest.fixture
def pool() -> Pool:
    rows = [(text, g, 0.1 * i) for g, texts in enumerate(TEXTS) for i, text in enumerate(texts)]
    return Pool.from_arrays(
        np.array([[-score, 1.0] for _, _, score in rows]),
        groups=[g for _, g, _ in rows],
        names=["s", "t"],
        texts=[text for text, _, _ in rows],
    )


@rules
@given(forest=forests(40))
def test_a_list_and_a_forest_of_the_same_derivations_agree(name: str, forest: Forest) -> None:
    some = scores(forest)
    assume(name != "mbr" or len(distribution(forest, some, 1.0)) == len(listed(forest)))
    rule = consensus_rule(name, scale=0.7)  # by default lists have another than forests
    chosen = rule.over_forest(forest, some)
    best = rule.over_pool(as_pool(forest, some), {"score": 1.0}, threads=1)
    assert best.scores[0] == pytest.approx(chosen.score, abs=1e-9)


@rules
def test_lists_of_any_shape_give_a_candidate_each(name: str, pool: Pool) -> None:
    best = consensus_rule(name).over_pool(pool, {"s": 1.0, "t": 0.5})
    assert len(best.texts) == 3
    assert best.texts[0] in TEXTS[0]
    assert best.texts[1:] == ["one ||| two", ""]
    assert best.indices[1] == 0  # of equal strings the one with the best score
    assert np.isfinite(best.scores).all()
    assert not pool.references


@rules
def test_results_do_not_depend_on_threads(name: str, pool: Pool) -> None:
    rule = consensus_rule(name)
    one, three = (rule.over_pool(pool, {"s": 1.0, "t": 1.0}, threads=count) for count in (1, 3))
    assert one.rows.tolist() == three.rows.tolist()
    assert one.scores.tolist() == three.scores.tolist()


@rules
def test_a_rule_survives_pickling(name: str, pool: Pool) -> None:
    rule = consensus_rule(name, scale=0.5)
    rule.over_pool(pool, {"s": 1.0, "t": 1.0})
    assert pickle.loads(pickle.dumps(rule)) == rule


@rules
def test_a_large_scale_chooses_as_viterbi_does(name: str, pool: Pool) -> None:
    weights = {"s": 1.0, "t": 1.0}
    chosen = consensus_rule(name, scale=1e6).over_pool(pool, weights)
    assert chosen.texts == rerank(pool, weights).texts


@rules
def test_scale_zero_needs_no_weights(name: str, pool: Pool) -> None:
    rule = consensus_rule(name, scale=0.0)
    alone = rule.over_pool(pool)
    assert alone.texts == rule.over_pool(pool, {"s": 0.0, "t": 0.0}).texts
    assert alone.scores == pytest.approx(rule.over_pool(pool, {"s": -1.0, "t": 1.0}).scores)


@rules
@pytest.mark.parametrize("scale", [-1.0, math.nan, math.inf])
def test_scales_that_are_no_scales_are_refused(name: str, scale: float) -> None:
    with pytest.raises(OptionError, match="scale"):
        consensus_rule(name, scale=scale)


@rules
def test_weights_that_rank_nothing_are_refused(name: str, pool: Pool) -> None:
    rule = consensus_rule(name)
    with pytest.raises(InputError, match="zero"):
        rule.over_pool(pool, {"s": 0.0, "t": 0.0})
    with pytest.raises(InputError, match="no weights"):
        rule.over_pool(pool)
    with pytest.raises(InputError, match="finite"):
        rule.over_pool(pool, np.array([1.0, math.nan]))
    with pytest.raises(InputError, match="'t'"):
        rule.over_pool(pool, {"s": 1.0})


@rules
def test_candidates_without_texts_are_refused(name: str) -> None:
    pool = Pool.from_arrays(np.array([[[1.0], [2.0]]]), names=["s"])
    with pytest.raises(InputError, match="no texts"):
        consensus_rule(name).over_pool(pool, {"s": 1.0})


@rules
def test_forests_without_derivations_and_bad_scores_are_refused(name: str) -> None:
    forest = build_forest([[Edge((), ("a",), {"s": 1.0})]])
    rule = consensus_rule(name)
    with pytest.raises(InputError):
        rule.over_forest(build_forest([]), np.zeros(0))
    for score in (math.nan, math.inf, -math.inf):
        with pytest.raises(InputError):
            rule.over_forest(forest, np.array([score]))
    assert rule.over_forest(forest, {"s": 1.0}).text == "a"


@rules
def test_a_long_list_of_long_texts_is_no_trouble(name: str) -> None:
    long = " ".join(str(i % 7) for i in range(2000))
    pool = Pool.from_arrays(
        np.array([[[0.0], [0.1], [0.2]]]), names=["s"], texts=[[long, long + " x", "\u0628 \u4f60\u597d"]]
    )
    assert consensus_rule(name).over_pool(pool, {"s": 1.0}).texts[0] in list(pool.texts or ())


def test_a_misspelt_rule_or_option_is_refused_with_a_suggestion() -> None:
    with pytest.raises(OptionError, match="linear"):
        consensus_rule("liner")
    with pytest.raises(OptionError, match="scale"):
        consensus_rule("fast", scal=1.0)
