"""MBR against given references, with scores of candidates, and as a feature."""

from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.consensus import MbrConsensus
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, build_forest
from tunesmith.metrics import Bleu, PrecomputedStats, get_metric

POOL = random_pool(8, lists=5, size=6)
TEXTS = list(POOL.texts or ())
LISTS = [slice(*POOL.offsets[g : g + 2].tolist()) for g in range(len(POOL))]


def gain(metric: str, hypothesis: str, reference: str) -> float:
    measure = get_metric(metric)
    return float(measure.sentence_gain(measure.stats(hypothesis, [reference])))


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_utilities_are_the_means_of_the_double_loop(metric: str) -> None:
    found = MbrConsensus(metric=metric, scale=0).utilities(POOL)
    expected = [
        np.mean([gain(metric, hypothesis, other) for other in TEXTS[one]])
        for one in LISTS
        for hypothesis in TEXTS[one]
    ]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_choice_has_the_highest_utility() -> None:
    rule = MbrConsensus(metric="chrf")
    weights = np.ones(POOL.features.width)
    utilities, best = rule.utilities(POOL, weights), rule.over_pool(POOL, weights)
    for row, score, one in zip(best.rows, best.scores, LISTS, strict=True):
        assert utilities[row] == pytest.approx(score)
        assert score == pytest.approx(utilities[one].max())


def test_utilities_are_a_feature() -> None:
    wider = POOL.with_features(mbr=MbrConsensus(metric="chrf", scale=0).utilities(POOL))
    assert "mbr" in tune(wider, "mira", epochs=1).weights


def test_references_may_be_given_as_lists_of_texts_or_as_a_pool() -> None:
    samples = [["the cat sat", "the cat sat", "a dog"], ["a"], ["b", "c"], ["in the house"], ["on a mat"]]
    found = MbrConsensus(metric="chrf").over_pool(POOL, references=samples)
    for g, one in enumerate(LISTS):
        gains = [np.mean([gain("chrf", text, other) for other in samples[g]]) for text in TEXTS[one]]
        assert found.scores[g] == pytest.approx(max(gains))
        assert gains[found.indices[g]] == pytest.approx(max(gains))
    order = [3, 1, 4, 0, 2]
    other = Pool.from_arrays(
        np.zeros((sum(map(len, samples)), 1)),
        groups=[str(g) for g in order for _ in samples[g]],
        texts=[text for g in order for text in samples[g]],
    )
    as_pool = MbrConsensus(metric="chrf").over_pool(POOL, references=other)
    assert as_pool.texts == found.texts
    np.testing.assert_allclose(
        MbrConsensus(metric="chrf").utilities(POOL, references=other)[found.rows], as_pool.scores
    )


def test_references_that_do_not_fit_are_refused() -> None:
    rule = MbrConsensus(metric="chrf")
    with pytest.raises(InputError, match="references of 1 sentences for 5 lists"):
        rule.over_pool(POOL, references=[["a"]])
    with pytest.raises(InputError, match="the references of sentence '1' are not a list"):
        rule.over_pool(POOL, references=[["a"], [], ["a"], ["a"], ["a"]])
    with pytest.raises(InputError, match="the references of sentence '0' are not a list"):
        rule.over_pool(POOL, references=["abc", ["a"], ["a"], ["a"], ["a"]])
    with pytest.raises(InputError, match="sentence '4' has no list of references"):
        rule.over_pool(POOL, references=POOL.take_lists([0, 1, 2, 3]))


def test_scores_of_candidates_take_part_in_the_utility() -> None:
    quality = np.random.default_rng(1).random(POOL.n_candidates)
    pool = POOL.with_scores(comet=quality)
    alone = MbrConsensus(metric="precomputed('comet')", scale=0)
    np.testing.assert_allclose(alone.utilities(pool), quality)
    assert [quality[one].max() for one in LISTS] == pytest.approx(alone.over_pool(pool).scores.tolist())
    mixed = MbrConsensus(metric="0.5*chrf + 0.5*precomputed('comet')", scale=0).utilities(pool)
    chrf = MbrConsensus(metric="chrf", scale=0).utilities(pool)
    np.testing.assert_allclose(mixed, 0.5 * chrf + 0.5 * quality)


def test_where_scores_cannot_serve_the_error_says_why() -> None:
    rule = MbrConsensus(metric="precomputed('comet')", scale=0)
    with pytest.raises(InputError, match=r"the candidates have no score 'comet' \(they have no scores"):
        rule.over_pool(POOL)
    forest = build_forest([[Edge((), ("a",), {"s": 1.0})]])
    with pytest.raises(OptionError, match="needs the score 'comet' of each candidate, and forests have none"):
        rule.over_forest(forest, {"s": 1.0})
    with pytest.raises(OptionError, match="not candidates with each other"):
        MbrConsensus(metric=PrecomputedStats(np.zeros((3, 9)), Bleu()))
