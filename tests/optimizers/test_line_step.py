"""The chosen point of a line against a fine grid of points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.objectives.line_objective import Profile
from tunesmith.optimizers.line_step import best_step, range_along
from tunesmith.optimizers.space import Space

NAMES = ("a", "b", "c")


@given(
    st.lists(st.integers(-50, 50).map(lambda i: i / 10), min_size=1, max_size=6, unique=True),
    st.integers(0, 1000),
    st.sampled_from([(0.0, 0.3), (0.2, 0.0), (0.1, 0.1)]),
)
def test_a_penalized_step_is_as_good_as_the_best_of_a_fine_grid(thresholds, seed, strengths) -> None:
    rng = np.random.default_rng(seed)
    profile = Profile(np.sort(thresholds), rng.random(len(thresholds) + 1))
    weights, direction = rng.normal(size=(2, 3))
    space = Space.build(NAMES, l1=strengths[0], l2=strengths[1])
    step = best_step(profile, weights, direction, space)
    grid = np.linspace(profile.thresholds[0], profile.thresholds[-1], 2001)
    distances = np.abs(profile.thresholds[:, None] - grid).min(axis=0)
    inside = grid[distances > 0.011 * np.ptp(profile.thresholds)]
    values = [
        gain - space.penalty(weights + gamma * direction)
        for gamma, gain in zip(
            inside, profile.gains[np.searchsorted(profile.thresholds, inside)], strict=True
        )
    ]
    assert not values or step.value >= max(values) - 1e-3
    reached = profile.gains[np.searchsorted(profile.thresholds, step.length)]
    assert step.value == pytest.approx(reached - space.penalty(weights + step.length * direction))


def test_a_step_respects_bounds() -> None:
    profile = Profile(np.array([0.5, 2.0]), np.array([0.1, 0.2, 0.9]))
    space = Space.build(NAMES, bounds={"a": (-1.0, 1.5)})
    step = best_step(profile, np.zeros(3), np.array([1.0, 0.0, 0.0]), space)
    assert step.value == 0.2
    assert 0.5 < step.length <= 1.5


@pytest.mark.parametrize("l2", [0.0, 0.01])
def test_a_part_of_a_profile_leads_to_the_step_of_the_whole_one(l2: float) -> None:
    whole = Profile(np.array([-3.0, 0.4, 3.0]), np.array([0.0, 0.5, 0.2, 0.9]))
    part = Profile(whole.thresholds[1:2], whole.gains[1:3])
    space = Space.build(NAMES, l2=l2)
    weights, line = np.array([0.5, 1.0, -1.0]), np.array([1.0, 0.0, 0.0])
    steps = [best_step(each, weights, line, space, within=(-0.5, 0.5)) for each in (whole, part)]
    assert steps[0] == steps[1]
    assert -0.5 < steps[0].length < 0.4
    assert best_step(whole, weights, line, space).length > 3.0


def test_the_range_along_a_direction_ends_at_the_nearest_bound() -> None:
    space = Space.build(NAMES, bounds={"a": (0.0, 1.0), "b": (-1.0, 1.0)})
    low, high = range_along(np.array([0.5, 0.0, 7.0]), np.array([1.0, -2.0, 3.0]), space)
    assert (low, high) == (-0.5, 0.5)


def test_of_equal_gains_the_widest_interval_is_taken() -> None:
    profile = Profile(np.array([0.0, 0.1, 5.0, 9.0]), np.array([0.0, 1.0, 0.5, 1.0, 0.0]))
    step = best_step(profile, np.zeros(3), np.array([1.0, 0.0, 0.0]), Space.build(NAMES))
    assert step.length == 7.0


def test_an_interval_that_is_only_rounding_is_not_taken() -> None:
    edge = np.nextafter(1.0, 2.0)
    profile = Profile(np.array([1.0, edge]), np.array([0.0, 1.0, 0.5]))
    step = best_step(profile, np.zeros(3), np.array([1.0, 0.0, 0.0]), Space.build(NAMES))
    assert step.value == 0.5
