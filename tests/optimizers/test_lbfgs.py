from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers.base import State
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray


@dataclass(frozen=True, eq=False)
class Bowl(SmoothObjective):
    """sum of curvature / 2 * (w - center)^2"""

    center: FloatArray
    curvature: FloatArray

    @classmethod
    def build(cls, *args: Any, **options: Any) -> Bowl:
        raise NotImplementedError

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        away = weights - self.center
        return float(0.5 * (self.curvature * away**2).sum()), self.curvature * away


def run(optimizer: Lbfgs, objective: SmoothObjective, space: Space, state: State | None = None) -> State:
    state = optimizer.start(objective, space) if state is None else state
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, weights: None)
    return state


NAMES = tuple("abcde")
BOWL = Bowl(np.array([1.0, -2.0, 0.3, 0.0, 4.0]), np.array([1.0, 10.0, 3.0, 0.5, 2.0]))


def test_the_minimum_of_a_bowl_with_l2_is_found() -> None:
    state = run(Lbfgs(tolerance=1e-15), BOWL, Space.build(NAMES, l2=0.7))
    assert state.weights == pytest.approx(BOWL.curvature * BOWL.center / (BOWL.curvature + 0.7), abs=1e-7)
    assert state.done


def test_l1_moves_weights_to_exact_zeros() -> None:
    state = run(Lbfgs(tolerance=1e-15), BOWL, Space.build(NAMES, l1=1.2))
    slack = np.abs(BOWL.center) - 1.2 / BOWL.curvature
    assert state.weights == pytest.approx(np.sign(BOWL.center) * np.maximum(slack, 0.0), abs=1e-7)
    assert (state.weights[slack < 0] == 0.0).all()


def test_bounds_hold_with_and_without_l1() -> None:
    bounds = {"a": (-1.0, 0.5), "b": (-0.5, 1.0), "c": (1.0, 2.0), "e": (-9.0, -1.0)}
    for l1 in (0.0, 0.1):
        space = Space.build(NAMES, bounds=bounds, l1=l1)
        state = run(Lbfgs(tolerance=1e-15), BOWL, space)
        assert state.weights == pytest.approx([0.5, -0.5, 1.0, 0.0, -1.0], abs=1e-9)
        assert np.array_equal(space.project(state.weights), state.weights)


def test_frozen_weights_stay() -> None:
    space = Space.build(NAMES, start={"a": 7.0, "b": 1.0}, frozen=["a", "d"], l1=0.01)
    state = run(Lbfgs(), BOWL, space)
    assert state.weights[0] == 7.0
    assert state.weights[3] == 0.0
    assert state.weights[4] == pytest.approx(4.0 - 0.005, abs=1e-5)


@pytest.mark.parametrize(("l1", "zeros"), [(0.0, 0), (10.0, 4), (1000.0, 12)])
def test_the_minimum_of_a_likelihood_meets_its_conditions(l1: float, zeros: int) -> None:
    pool = scored_pool(61, lists=60)
    objective = PlackettLuce.build(pool, Mean())
    space = Space.build(pool.feature_names, len(pool), l1=l1, l2=1.0)
    weights = run(Lbfgs(tolerance=1e-14), objective, space).weights
    slope = objective.loss_and_gradient(weights)[1] + space.l2 * weights
    moved = weights != 0
    assert np.abs(slope + space.l1 * np.sign(weights))[moved].max(initial=0.0) < 1e-6
    assert np.abs(slope[~moved]).max(initial=0.0) <= space.l1 + 1e-6
    assert (~moved).sum() >= zeros


def test_it_ends_where_scipy_ends() -> None:
    pool = scored_pool(62, lists=60)
    objective = PlackettLuce.build(pool, Mean())
    space = Space.build(pool.feature_names, len(pool), l2=1.0)
    peer = minimize(
        lambda w: objective.loss(w) + space.penalty(w),
        np.zeros(pool.features.width),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    assert run(Lbfgs(tolerance=1e-14), objective, space).loss == pytest.approx(peer.fun, rel=1e-10)


def test_the_trace_sees_every_iteration_with_its_penalized_loss() -> None:
    pool = scored_pool(63)
    objective = PlackettLuce.build(pool, Mean())
    space = Space.build(pool.feature_names, len(pool), l1=0.2, l2=1.0)
    seen: list[tuple[float, FloatArray]] = []
    optimizer = Lbfgs(iterations=9, segment=4, tolerance=0.0)
    state = optimizer.start(objective, space)
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, w: seen.append((loss, w)))
    assert len(seen) == 9
    assert state.steps == 3
    for loss, weights in seen:
        assert loss == pytest.approx(objective.loss(weights) + space.penalty(weights), rel=1e-12)
    losses = [loss for loss, _ in seen]
    assert losses == sorted(losses, reverse=True)


def test_traced_weights_are_not_changed_afterwards() -> None:
    seen: list[FloatArray] = []
    optimizer = Lbfgs(tolerance=0.0)
    space = Space.build(NAMES)
    optimizer.step(BOWL, space, optimizer.start(BOWL, space), lambda loss, w: seen.append(w))
    assert len({tuple(weights.tolist()) for weights in seen}) == len(seen) > 1


def test_a_start_at_the_minimum_is_the_end() -> None:
    state = run(Lbfgs(), BOWL, Space.build(NAMES, start=BOWL.center))
    assert np.array_equal(state.weights, BOWL.center)
    assert state.done


@pytest.mark.parametrize(
    "option", [{"iterations": 0}, {"segment": 0}, {"corrections": 0}, {"tolerance": -1e-9}]
)
def test_senseless_options_are_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(option))} must be at least"):
        Lbfgs(**option)  # type: ignore[arg-type]
