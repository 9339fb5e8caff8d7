"""The profile of forests along a line, against lists of all derivations and against Viterbi."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from tests.decoded_forests import decoded_pool
from tests.toy_forests import chain, chain_pool

from tunesmith.errors import InputError
from tunesmith.forest import Edge, build_forest, kbest, kbest_pool, viterbi
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import Metric, Segments, get_metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.objectives.forests.lists import best_lists
from tunesmith.objectives.line_objective import Profile
from tunesmith.types import FloatArray, Stats


@pytest.fixture(scope="module", params=["small_model", "small_hiero"])
def decoded(request: pytest.FixtureRequest) -> tuple[ForestPool, FloatArray]:
    """Forests of a decoder, and the weights that it had."""
    return decoded_pool(request.getfixturevalue(request.param), sentences=12)


def gain_by_viterbi(pool: ForestPool, metric: Metric, weights: FloatArray) -> float:
    """Decode every forest by itself, and score the translations as a corpus."""
    texts = [viterbi(forest, pool.scores(forest, weights)).text for forest in pool.forests]
    stats = metric.measure(Segments.of(texts, [list(reference) for reference in pool.references]))
    return float(metric.gain(stats.sum(axis=0)))


def has_ties(pool: ForestPool, weights: FloatArray) -> bool:
    """Whether some forest has two best strings: rules of equal features make them, and rounding decides."""
    for forest in pool.forests:
        best = [one.score for one in kbest(forest, pool.scores(forest, weights), 2, unique=True)]
        if len(best) == 2 and best[0] - best[1] < 1e-9 * (1 + abs(best[0])):
            return True
    return False


def middles(profile: Profile, most: int) -> list[tuple[float, float]]:
    """Points of the line, at most so many, each in the middle of its interval, with the gain there."""
    thresholds = profile.thresholds
    if len(thresholds) == 0:
        return [(0.0, float(profile.gains[0]))]
    ends = [float(thresholds[0]) - 1, *thresholds.tolist(), float(thresholds[-1]) + 1]
    found = [
        ((left + right) / 2, gain)
        for (left, right), gain in zip(pairwise(ends), profile.gains.tolist(), strict=True)
        if right - left > 1e-9 * (abs(left) + abs(right))
    ]
    return found[:: -(-len(found) // most)]


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_profile_is_the_score_of_viterbi_translations_along_the_line(
    decoded: tuple[ForestPool, FloatArray], metric: str
) -> None:
    pool, weights = decoded
    measure = get_metric(metric)
    objective = ForestError.build(pool, measure, around=weights)
    evaluated = objective.evaluate(weights)
    assert evaluated.gain == pytest.approx(gain_by_viterbi(pool, measure, weights), abs=1e-12)
    rng = np.random.default_rng(1)
    directions = [
        *range(0, len(weights), 3),
        *(rng.normal(size=(2, len(weights))) * (np.abs(weights) + 0.05)),
    ]
    checked = tied = 0
    for direction in directions:
        profile = evaluated.along(direction)
        vector = np.eye(len(weights))[direction] if isinstance(direction, int) else direction
        assert (np.diff(profile.thresholds) > 0).all()
        for gamma, gain in middles(profile, 15):
            there = weights + gamma * vector
            if gain == pytest.approx(gain_by_viterbi(pool, measure, there), abs=1e-12):
                checked += 1
            else:
                assert has_ties(pool, there)
                tied += 1
    assert checked > 5 * tied


@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_profile_of_lists_of_all_derivations(seed: int) -> None:
    forests, rng = chain_pool(seed), np.random.default_rng(seed)
    weights, direction = rng.normal(size=(2, 3))
    everything = kbest_pool(forests.forests, forests.weights(weights), 100_000)
    everything = replace(everything, references=forests.references)
    lists, objective = CorpusError.build(everything, Bleu()), ForestError.build(forests, Bleu())
    evaluated, other = objective.evaluate(weights), lists.evaluate(weights)
    assert everything.feature_names == forests.feature_names
    assert evaluated.gain == other.gain
    for line in (direction, 0, 1, 2):
        found, expected = evaluated.along(line), other.along(line)
        assert len(found.thresholds) > 3
        for gamma, gain in middles(expected, 1000):
            assert found.gains[np.searchsorted(found.thresholds, gamma)] == pytest.approx(gain, abs=1e-12)
        for gamma, gain in middles(found, 1000):
            assert expected.gains[np.searchsorted(expected.thresholds, gamma)] == pytest.approx(
                gain, abs=1e-12
            )


@pytest.mark.parametrize("seed", range(5))
def test_the_profile_of_a_part_of_a_line_is_that_of_the_line(seed: int) -> None:
    objective, rng = ForestError.build(chain_pool(seed, 30), Bleu()), np.random.default_rng(seed)
    weights, direction = rng.normal(size=(2, 3))
    evaluated = objective.evaluate(weights)
    whole = evaluated.along(direction)
    few, most = np.quantile(whole.thresholds, [0.3, 0.7])
    within = (float(few) + 1e-3, float(most) - 1e-3)
    part = evaluated.along(direction, within)
    inside = (whole.thresholds > within[0]) & (whole.thresholds < within[1])
    assert 3 < len(part.thresholds) < len(whole.thresholds)
    np.testing.assert_allclose(part.thresholds, whole.thresholds[inside], rtol=1e-9)
    first = int(np.argmax(inside))
    np.testing.assert_allclose(part.gains, whole.gains[first : first + len(part.gains)], rtol=1e-12)


def test_an_axis_is_the_direction_of_one_feature() -> None:
    objective = ForestError.build(chain_pool(3), Bleu())
    evaluated = objective.evaluate(np.array([1.0, -0.5, 0.25]))
    for axis in range(3):
        one, other = evaluated.along(axis), evaluated.along(np.eye(3)[axis])
        assert np.array_equal(one.thresholds, other.thresholds)
        assert np.array_equal(one.gains, other.gains)


def test_forests_with_features_of_their_own_are_put_together_by_name() -> None:
    rng = np.random.default_rng(5)
    names = [("lm", "tm"), ("wp", "lm"), ("tm", "wp", "lm"), ("x",)]
    forests = [chain(rng, features, 4) for features in names]
    pool = ForestPool.of(forests, [["a b c d e"] * len(forests)])
    objective = ForestError.build(pool, Bleu())
    weights = rng.normal(size=len(pool.feature_names))
    by_name = dict(zip(pool.feature_names, weights.tolist(), strict=True))
    texts = [
        viterbi(forest, {name: by_name[name] for name in forest.feature_names}).text for forest in forests
    ]
    stats = Bleu().measure(Segments.of(texts, [["a b c d e"] * len(forests)])).sum(axis=0)
    assert -objective.loss(weights) == pytest.approx(float(Bleu().gain(stats)), abs=1e-15)


def test_threads_do_not_change_a_bit() -> None:
    pool, weights = chain_pool(7, 60), np.array([0.5, -1.0, 0.25])
    profiles = []
    for threads in (1, 2, 3):
        objective = ForestError.build(pool, Bleu(), threads=threads)
        profiles.append(
            (objective.evaluate(weights).along(np.array([1.0, 2.0, -1.0])), objective.loss(weights))
        )
    for profile, loss in profiles[1:]:
        assert loss == profiles[0][1]
        assert np.array_equal(profile.thresholds, profiles[0][0].thresholds)
        assert np.array_equal(profile.gains, profiles[0][0].gains)


def test_each_string_is_measured_once() -> None:
    objective = ForestError.build(chain_pool(8), Bleu())
    evaluated = objective.evaluate(np.array([1.0, 0.5, -0.5]))
    first = evaluated.along(0)
    measured = objective.strings
    again = evaluated.along(0)
    assert objective.strings == measured > len(objective.forests)
    assert np.array_equal(first.gains, again.gains)


@dataclass(frozen=True)
class Cubes(Metric):
    """The mean cube of lengths, which native code knows nothing of; statistics [cube, 1]."""

    name: ClassVar[str] = "cubes"

    @property
    def width(self) -> int:
        return 2

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return np.array([[len(text.split()) ** 3, 1.0] for text in segments.hypotheses])

    def score(self, stats: Stats) -> FloatArray:
        return np.asarray(stats[..., 0] / stats[..., 1])


def test_a_metric_written_in_python_is_served_on_threads() -> None:
    pool, weights = chain_pool(10, 30), np.array([1.0, -0.5, 0.25])
    objective = ForestError.build(pool, Cubes(), threads=3)
    profile = objective.evaluate(weights).along(1)
    assert len(profile.thresholds) > 20
    for gamma, gain in middles(profile, 50):
        there = weights + gamma * np.eye(3)[1]
        assert gain == pytest.approx(gain_by_viterbi(pool, Cubes(), there), rel=1e-12)


def test_a_forest_of_one_derivation_has_nothing_to_choose() -> None:
    forest = build_forest([[Edge((), ("a", "b"), {"f": 1.0})], [Edge((0,), (-1, "c", "d"), {"f": 2.0})]])
    objective = ForestError.build(ForestPool.of([forest], [["a b c d"]]), Bleu())
    profile = objective.evaluate(np.array([1.0])).along(0)
    assert (len(profile.thresholds), profile.gains.tolist()) == (0, [1.0])
    assert objective.loss(np.array([0.0])) == objective.loss(np.array([3.0])) == -1.0


@pytest.mark.parametrize("right_first", [True, False])
def test_zero_weights_are_as_good_as_a_draw_whatever_comes_first(right_first: bool) -> None:
    ways = [Edge((), ("a", "b", "c", "d"), {"f": 1.0}), Edge((), ("x", "b", "c", "d"), {"f": 0.0})]
    forest = build_forest([ways if right_first else ways[::-1]])
    objective = ForestError.build(ForestPool.of([forest], [["a b c d"]]), get_metric("wer"))
    assert 0.0 < objective.loss(np.zeros(1)) < 0.25
    assert objective.loss(np.ones(1)) == 0.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_refused(bad: float) -> None:
    objective = ForestError.build(chain_pool(1), Bleu())
    with pytest.raises(InputError, match="finite"):
        objective.loss(np.array([1.0, bad, 0.0]))
    with pytest.raises(InputError, match="finite"):
        objective.evaluate(np.ones(3)).along(np.array([bad, 0.0, 0.0]))


def test_another_number_of_weights_is_refused() -> None:
    objective = ForestError.build(chain_pool(1), Bleu())
    with pytest.raises(InputError, match="2 weights for 3 features"):
        objective.loss(np.ones(2))


def test_a_pickled_objective_is_the_same() -> None:
    pool, weights = chain_pool(9), np.array([0.5, -1.0, 0.25])
    objective = ForestError.build(pool, Bleu(), around=weights)
    loss, lists = objective.loss(weights), objective.lists.n_candidates
    copy = pickle.loads(pickle.dumps(objective))
    assert copy.loss(weights) == loss
    assert copy.lists.n_candidates == lists


def test_a_pickled_pool_keeps_features_that_no_edge_has() -> None:
    forest = build_forest([[Edge((), ("a",), {"f": 1.0}), Edge((), ("b",), {})]], ("never", "f"))
    pool = pickle.loads(pickle.dumps(ForestPool.of([forest], [["a"]])))
    assert pool.feature_names == ("never", "f")
    assert ForestError.build(pool, get_metric("wer")).loss(np.array([-9.0, 1.0])) == 0.0


def test_lists_have_the_features_of_the_forests_in_their_order() -> None:
    forests, weights = chain_pool(2), np.array([0.5, -1.0, 0.25])
    lists = best_lists(forests, weights, 5)
    assert lists.feature_names == forests.feature_names
    assert lists.totals is not None
    np.testing.assert_allclose(lists.features.dot(weights, 1), lists.totals, rtol=1e-12)
