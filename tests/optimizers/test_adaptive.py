"""The step that grows while it helps and shrinks until it does."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.adaptive import AdaptiveDescent
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray


class Bowl(SmoothObjective):
    """|w - 3|^2 / 2, which remembers where it was asked."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    @classmethod
    def build(cls, *data: Any, **options: Any) -> Self:
        return cls()

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        return 0.5 * float((weights[0] - 3) ** 2), weights - 3

    def loss(self, weights: FloatArray) -> float:
        self.asked.append(float(weights[0]))
        return self.loss_and_gradient(weights)[0]


def quiet(loss: float, weights: FloatArray) -> None:
    """Nobody looks."""


def test_a_step_that_does_not_help_is_taken_back_and_tried_at_a_shorter_length() -> None:
    bowl, space = Bowl(), Space.build(["w"])
    descent = AdaptiveDescent(rate=5.0, grow=2.0, shrink=0.5)
    start = descent.start(bowl, space)
    bowl.asked.clear()
    after = descent.step(bowl, space, start, quiet)
    assert bowl.asked == [15.0, 7.5, 3.75]  # 0 + rate * 3, with rate 5, 2.5, 1.25
    assert after.weights[0] == 3.75
    assert after.memory["pace"][0] == 2.5  # grown from the rate that helped


def test_it_stops_at_the_minimum_and_reports_it() -> None:
    bowl, space = Bowl(), Space.build(["w"], l2=1.0)
    descent = AdaptiveDescent(iterations=500, tolerance=1e-12)
    state = descent.start(bowl, space)
    while not state.done:
        state = descent.step(bowl, space, state, quiet)
    assert state.steps < 500
    assert state.weights[0] == pytest.approx(1.5, abs=1e-4)  # (w - 3) + w = 0


def test_a_start_at_the_minimum_stays_there() -> None:
    bowl = Bowl()
    space = Space.build(["w"], start={"w": 3.0})
    state = AdaptiveDescent().step(bowl, space, AdaptiveDescent().start(bowl, space), quiet)
    assert state.done
    assert state.weights[0] == 3.0


@pytest.mark.parametrize(
    "options", [{"rate": 0.0}, {"grow": 0.9}, {"shrink": 1.0}, {"iterations": 0}, {"tolerance": np.nan}]
)
def test_settings_that_cannot_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        AdaptiveDescent(**options)
