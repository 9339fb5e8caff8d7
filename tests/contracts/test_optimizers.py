"""What every optimizer of smooth objectives must hold."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.toy_metrics import Mean
from tests.toy_pools import random_pool

from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers import OPTIMIZERS, Space, State
from tunesmith.optimizers.base import Optimizer
from tunesmith.tune.optimizer_choice import NAMES as SMOOTH

POOL = random_pool(91, lists=60)
OBJECTIVE = PlackettLuce.build(POOL, Mean())
SPACE = Space.build(
    POOL.feature_names,
    len(POOL),
    start={"f2": 0.7},
    bounds={"f0": (-0.1, 0.1), "f1": (0.05, 9.0)},
    frozen=["f2"],
    l1=0.5,
    l2=0.5,
)


def quiet(loss: float, weights: np.ndarray) -> None:
    """Nobody looks."""


def few_steps(name: str) -> Optimizer[PlackettLuce]:
    """An optimizer that takes about four steps."""
    options = {"segment": 3, "iterations": 12} if name == "lbfgs" else {"epochs": 4}
    optimizer: Optimizer[PlackettLuce] = OPTIMIZERS[name](**options, tolerance=0.0)  # type: ignore[call-arg]
    return optimizer


@pytest.mark.parametrize("name", SMOOTH)
def test_the_loss_falls_and_is_that_of_the_weights(name: str) -> None:
    optimizer = few_steps(name)
    state = start = optimizer.start(OBJECTIVE, SPACE)
    while not state.done:
        before, state = state, optimizer.step(OBJECTIVE, SPACE, state, quiet)
        assert state.loss <= before.loss
        assert state.loss == OBJECTIVE.loss(state.weights) + SPACE.penalty(state.weights)
    assert state.loss < start.loss
    assert state.steps > 1


@pytest.mark.parametrize("name", SMOOTH)
def test_bounds_and_frozen_weights_are_respected(name: str) -> None:
    optimizer = few_steps(name)
    state = optimizer.start(OBJECTIVE, SPACE)
    seen: list[np.ndarray] = []
    while not state.done:
        state = optimizer.step(OBJECTIVE, SPACE, state, lambda loss, weights: seen.append(weights))
    for weights in [*seen, state.weights]:
        assert np.array_equal(SPACE.project(weights), weights)


@pytest.mark.parametrize("name", SMOOTH)
def test_a_state_that_was_stored_goes_on_as_if_nothing_had_happened(name: str) -> None:
    optimizer = few_steps(name)
    straight = resumed = optimizer.start(OBJECTIVE, SPACE)
    while not straight.done:
        straight = optimizer.step(OBJECTIVE, SPACE, straight, quiet)
    while not resumed.done:
        arrays = {key: np.array(value) for key, value in resumed.memory.items()}
        stored = State(resumed.weights.copy(), resumed.loss, resumed.steps, resumed.done, arrays)
        again: Optimizer[PlackettLuce] = pickle.loads(pickle.dumps(optimizer))
        resumed = again.step(OBJECTIVE, SPACE, stored, quiet)
    assert np.array_equal(straight.weights, resumed.weights)
    assert straight.loss == resumed.loss
    assert straight.steps == resumed.steps


@pytest.mark.parametrize("name", SMOOTH)
def test_a_step_leaves_its_arguments_alone(name: str) -> None:
    optimizer = few_steps(name)
    first = optimizer.step(OBJECTIVE, SPACE, optimizer.start(OBJECTIVE, SPACE), quiet)
    copies = first.weights.copy(), {key: value.copy() for key, value in first.memory.items()}
    optimizer.step(OBJECTIVE, SPACE, first, quiet)
    assert np.array_equal(first.weights, copies[0])
    assert all(np.array_equal(first.memory[key], copies[1][key]) for key in copies[1])
