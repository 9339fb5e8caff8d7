from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Objective
from tunesmith.optimizers import Space, State
from tunesmith.optimizers.random_search import RandomSearch
from tunesmith.types import FloatArray


@dataclass(frozen=True)
class Bowl(Objective):
    """|w - 0.3|^2, which remembers where it was asked."""

    asked: list[FloatArray] = field(default_factory=list)

    @classmethod
    def build(cls, pool: Pool, metric: Metric, *args: Any, **options: Any) -> Bowl:
        raise NotImplementedError

    def loss(self, weights: FloatArray) -> float:
        self.asked.append(weights)
        return float(((weights - 0.3) ** 2).sum())


def run(optimizer: RandomSearch, space: Space) -> tuple[State, FloatArray]:
    """The end, and all draws."""
    bowl = Bowl()
    state = optimizer.start(bowl, space)
    while not state.done:
        state = optimizer.step(bowl, space, state, lambda loss, weights: None)
    return state, np.array(bowl.asked[1:])


def test_as_many_weights_are_drawn_as_asked_for_and_the_best_is_kept() -> None:
    for trials in (1, 50, 51, 130):
        state, draws = run(RandomSearch(trials, 2.0), Space.build(["a", "b"], start=np.array([9.0, 9.0])))
        assert len(draws) == trials
        losses = ((draws - 0.3) ** 2).sum(axis=1)
        assert state.loss == losses.min()
        assert np.array_equal(state.weights, draws[losses.argmin()])


def test_draws_fill_the_bounds_or_the_scale() -> None:
    bounds = {"low": (0.5, np.inf), "high": (-np.inf, 3.0), "both": (5.0, 6.0), "far": (100.0, np.inf)}
    names = ["free", *bounds, "frozen"]
    space = Space.build(names, start={"frozen": 0.7}, bounds=bounds, frozen=["frozen"])
    _, draws = run(RandomSearch(2000, 2.0), space)
    expected = {"free": (-2, 2), "low": (0.5, 2.5), "high": (-2, 3), "both": (5, 6), "far": (100, 102)}
    for column, name in enumerate(expected):
        low, high = expected[name]
        assert draws[:, column].min() == pytest.approx(low, abs=0.02)
        assert draws[:, column].max() == pytest.approx(high, abs=0.02)
    assert (draws[:, -1] == 0.7).all()


def test_more_trials_only_add_draws() -> None:
    space = Space.build(["a", "b", "c"])
    (few, first), (many, all_) = (run(RandomSearch(trials, seed=4), space) for trials in (70, 200))
    assert np.array_equal(first, all_[:70])
    assert many.loss <= few.loss


def test_penalties_count() -> None:
    plain, _ = run(RandomSearch(300), Space.build(["a", "b"]))
    held, draws = run(RandomSearch(300), Space.build(["a", "b"], l2=50.0))
    assert np.linalg.norm(held.weights) < np.linalg.norm(plain.weights)
    assert held.loss == min(((w - 0.3) ** 2).sum() + 25.0 * (w @ w) for w in [np.zeros(2), *draws])


def test_wrong_settings_are_refused() -> None:
    for settings in ({"trials": 0}, {"trials": 2.5}, {"scale": 0.0}, {"scale": float("inf")}):
        with pytest.raises(OptionError, match=next(iter(settings))):
            RandomSearch(**settings)  # type: ignore[arg-type]
