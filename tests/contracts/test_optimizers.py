"""What every registered optimizer must hold, with an objective of the kind that it takes."""

from __future__ import annotations

import dataclasses
import functools
import io
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.base import OBJECTIVES, Objective, SmoothObjective
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers import OPTIMIZERS, Space, State
from tunesmith.optimizers.base import Optimizer, Trace
from tunesmith.options import option_types
from tunesmith.tuning.methods.cll import Cll
from tunesmith.tuning.smooth_optimizer import smooth_optimizer, smooth_optimizers

POOL = scored_pool(91, lists=60)
SPACE = Space.build(
    POOL.feature_names,
    len(POOL),
    start={"f2": 0.7},
    bounds={"f0": (-0.1, 0.1), "f1": (0.05, 9.0)},
    frozen=["f2"],
    l1=0.5,
    l2=0.5,
)
SHORT = {"segment": 3, "iterations": 12, "epochs": 4, "trials": 180, "restarts": 7, "rounds": 4}
"""Settings that make a run of a few steps, for the optimizers that have them."""


def quiet(loss: float, weights: np.ndarray) -> None:
    """Nobody looks."""


@functools.cache
def objective_for(name: str) -> Objective:
    """An objective that the optimizer takes: a smooth one if it may be, else the first that is registered."""
    kind = OPTIMIZERS[name].takes()
    over_lists = [one for one in OBJECTIVES.values() if one.learns_from is Pool]
    return next(one for one in (PlackettLuce, *over_lists) if issubclass(one, kind)).build(POOL, Mean())


def few_steps(name: str) -> Optimizer[Any]:
    """An optimizer that takes two to four steps."""
    settings = SHORT | {"tolerance": 0.0, "seed": 3}
    own = {option.name for option in dataclasses.fields(OPTIMIZERS[name])}
    return OPTIMIZERS[name](**{key: value for key, value in settings.items() if key in own})


def run(name: str, trace: Trace = quiet) -> State:
    optimizer, objective = few_steps(name), objective_for(name)
    state = optimizer.start(objective, SPACE)
    while not state.done:
        state = optimizer.step(objective, SPACE, state, trace)
    return state


def stored(state: State) -> State:
    """Write a state as checkpoints are written, and read it back."""
    file = io.BytesIO()
    np.savez(file, weights=state.weights, **{f"memory_{key}": value for key, value in state.memory.items()})
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        memory = {key: arrays[f"memory_{key}"] for key in state.memory}
        return State(arrays["weights"], state.loss, state.steps, state.done, memory)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_loss_falls_and_is_that_of_the_weights(name: str) -> None:
    optimizer, objective = few_steps(name), objective_for(name)
    state = start = optimizer.start(objective, SPACE)
    while not state.done:
        before, state = state, optimizer.step(objective, SPACE, state, quiet)
        assert state.loss <= before.loss
        assert state.steps == before.steps + 1
        penalized = objective.loss(state.weights) + SPACE.penalty(state.weights)
        assert state.loss == pytest.approx(penalized, rel=1e-14)
    assert state.loss < start.loss
    assert state.steps > 1


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_bounds_and_frozen_weights_are_respected(name: str) -> None:
    seen: list[np.ndarray] = []
    end = run(name, lambda loss, weights: seen.append(weights))
    assert seen
    for weights in [*seen, end.weights]:
        assert np.array_equal(SPACE.project(weights), weights)
    assert end.weights[2] == 0.7


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_same_seed_gives_the_same_run(name: str) -> None:
    histories: list[list[float]] = [[], []]
    ends = [run(name, lambda loss, weights, losses=losses: losses.append(loss)) for losses in histories]  # type: ignore[misc]
    assert histories[0] == histories[1]
    assert np.array_equal(ends[0].weights, ends[1].weights)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_state_that_was_stored_goes_on_as_if_nothing_had_happened(name: str) -> None:
    optimizer, objective = few_steps(name), objective_for(name)
    straight, resumed = run(name), optimizer.start(objective, SPACE)
    while not resumed.done:
        again: Optimizer[Any] = pickle.loads(pickle.dumps(optimizer))
        resumed = again.step(objective, SPACE, stored(resumed), quiet)
    assert np.array_equal(straight.weights, resumed.weights)
    assert straight.loss == resumed.loss
    assert straight.steps == resumed.steps


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_leaves_its_arguments_alone(name: str) -> None:
    optimizer, objective = few_steps(name), objective_for(name)
    first = optimizer.step(objective, SPACE, optimizer.start(objective, SPACE), quiet)
    copies = first.weights.copy(), {key: value.copy() for key, value in first.memory.items()}
    optimizer.step(objective, SPACE, first, quiet)
    assert np.array_equal(first.weights, copies[0])
    assert all(np.array_equal(first.memory[key], copies[1][key]) for key in copies[1])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_settings_of_the_wrong_type_are_refused(name: str) -> None:
    for option, kind in option_types(OPTIMIZERS[name]).items():
        if kind in (int, float, bool):
            with pytest.raises(OptionError, match=option):
                OPTIMIZERS[name](**{option: "x"})


def test_a_new_optimizer_of_smooth_objectives_is_a_choice_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Still(Optimizer[SmoothObjective]):
        epochs: int = 1

        def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
            return dataclasses.replace(state, done=True)

    assert smooth_optimizers() == ["adagrad", "adaptive", "lbfgs", "sgd"]
    monkeypatch.setitem(OPTIMIZERS._entries, "still", Still)
    assert "still" in smooth_optimizers()
    assert smooth_optimizer(Cll("still", optimizer_iterations=7), seed=1) == Still(7)
    for name in ("random-search", "line-search", "passive-aggressive"):
        with pytest.raises(OptionError, match="optimizer cannot be"):
            Cll(name)
