from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean

from tunesmith.errors import OptionError
from tunesmith.objectives.hope_fear import HopeFear
from tunesmith.optimizers import Space, State
from tunesmith.optimizers.passive_aggressive import PassiveAggressive
from tunesmith.types import FloatArray

POOL = scored_pool(71, lists=40)
OBJECTIVE = HopeFear.build(POOL, Mean())
FREE = Space.build(POOL.feature_names)


def steps(optimizer: PassiveAggressive, space: Space) -> tuple[list[State], list[FloatArray]]:
    """All states, and the averages that were traced."""
    averages: list[FloatArray] = []
    states = [optimizer.start(OBJECTIVE, space)]
    while not states[-1].done:
        states.append(
            optimizer.step(OBJECTIVE, space, states[-1], lambda loss, weights: averages.append(weights))
        )
    return states, averages


def test_a_pass_visits_the_lists_in_the_order_of_its_own_seed() -> None:
    states, _ = steps(PassiveAggressive(epochs=3, seed=5), FREE)
    at = OBJECTIVE.begin(FREE.start)
    for number in range(3):
        order = np.random.default_rng([5, number]).permutation(len(POOL))
        at = OBJECTIVE.learn(order, 0.01, FREE.lower, FREE.upper, at)
        assert np.array_equal(states[number + 1].memory["weights"], at.weights)
        assert np.array_equal(states[number + 1].memory["background"], at.background)


def test_averages_are_means_of_the_weights_after_every_visit() -> None:
    """Two passes, list by list: the mean is taken over all visits so far, not over those of a pass."""
    _, averages = steps(PassiveAggressive(epochs=2, seed=5), FREE)
    at, seen = OBJECTIVE.begin(FREE.start), []
    for number in range(2):
        for visited in np.random.default_rng([5, number]).permutation(len(POOL)):
            at = OBJECTIVE.learn(np.array([visited]), 0.01, FREE.lower, FREE.upper, at)
            seen.append(at.weights)
        expected = np.mean(seen, axis=0)
        found = averages[number]
        tolerance = 2 * np.abs(seen[-1]).max() / len(seen)  # before or after the visit: one step of many
        np.testing.assert_allclose(found, expected, atol=tolerance)


def test_the_best_average_is_kept() -> None:
    states, averages = steps(PassiveAggressive(c=0.1, epochs=12), FREE)
    losses = [OBJECTIVE.loss(average) for average in averages]
    assert states[-1].loss == min(losses)
    assert np.array_equal(states[-1].weights, averages[int(np.argmin(losses))])


def test_a_penalty_shrinks_the_weights_after_a_pass() -> None:
    plain = steps(PassiveAggressive(epochs=1), FREE)[0][-1].memory["weights"]
    space = Space.build(POOL.feature_names, len(POOL), l1=0.4, l2=3.0, frozen=["f2"], start={"f2": 0.0})
    shrunk = steps(PassiveAggressive(epochs=1), space)[0][-1].memory["weights"]
    alike = Space.build(POOL.feature_names, frozen=["f2"], start={"f2": 0.0})
    before = steps(PassiveAggressive(epochs=1), alike)[0][-1].memory["weights"]
    expected = np.sign(before) * np.maximum(np.abs(before) - 0.01 * 0.4, 0.0) / (1 + 0.01 * 3.0)
    np.testing.assert_allclose(shrunk, expected, rtol=1e-12, atol=1e-15)
    assert (shrunk == 0).sum() > 1, "L1 removed nothing: the test shows little"
    assert plain[2] != 0 == shrunk[2]


def test_wrong_settings_are_refused() -> None:
    for settings in ({"c": 0.0}, {"c": float("nan")}, {"epochs": 0}, {"epochs": 1.5}):
        with pytest.raises(OptionError, match=next(iter(settings))):
            PassiveAggressive(**settings)  # type: ignore[arg-type]
