"""Optima of a smooth guide, from blurred to sharp."""

from __future__ import annotations

import numpy as np
import pytest
from tests.toy_metrics import Product
from tests.toy_pools import random_pool

from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers import Space
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.smooth_starts import SHARPNESS, Blurred, smooth_starts

POOL = random_pool(71, lists=30)
GUIDE = ExpectedStatistics.build(POOL, Product())
OBJECTIVE = CorpusError.build(POOL, Product())
START = np.random.default_rng(3).standard_normal(POOL.features.width)
NAMES = POOL.feature_names


def space(*, frozen: bool = False, bounded: bool = False) -> Space:
    start = np.abs(START) if bounded else START
    bounds = dict.fromkeys(NAMES[:4], (0.0, None)) if bounded else None
    return Space.build(NAMES, start=start, bounds=bounds, frozen=NAMES[:2] if frozen else ())


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("sharpness", [1.0, 4.0])
def test_the_gradient_is_the_limit_of_differences(sharpness: float, frozen: bool) -> None:
    where = space(frozen=frozen)
    geometry = OBJECTIVE.geometry(where.free)
    blurred = Blurred(GUIDE, where, geometry, 2.5, sharpness)
    point = geometry.color(np.where(where.free, START, 0.0))
    _, gradient = blurred.loss_and_gradient(point)
    for index in range(len(point)):
        step = np.zeros(len(point))
        step[index] = 1e-5
        up, down = (blurred.loss_and_gradient(point + side * step)[0] for side in (1, -1))
        assert gradient[index] == pytest.approx((up - down) / 2e-5, abs=1e-8)


def test_without_an_anchor_the_size_of_weights_does_not_count() -> None:
    geometry = OBJECTIVE.geometry(space().free)
    blurred = Blurred(GUIDE, space(), geometry, 1.0, 4.0)
    point = geometry.color(START)
    assert blurred.loss_and_gradient(7.0 * point)[0] == pytest.approx(blurred.loss_and_gradient(point)[0])
    near, far = (smooth_starts(GUIDE, space(), geometry, size * START) for size in (1.0, 100.0))
    for one, other in zip(near, far, strict=True):
        assert one / np.abs(one).sum() == pytest.approx(other / np.abs(other).sum(), abs=1e-4)


def test_each_start_is_better_for_the_guide_at_its_sharpness() -> None:
    where = space()
    geometry = OBJECTIVE.geometry(where.free)
    starts = smooth_starts(GUIDE, where, geometry, START)
    assert len(starts) == len(SHARPNESS)
    for sharpness, found in zip(SHARPNESS, starts, strict=True):
        before, after = (
            GUIDE.loss(sharpness / geometry.spread(weights) * weights) for weights in (START, found)
        )
        assert after < before


def test_bounds_and_frozen_weights_are_honored() -> None:
    for where in (space(bounded=True), space(frozen=True), space(frozen=True, bounded=True)):
        for found in smooth_starts(GUIDE, where, OBJECTIVE.geometry(where.free), where.start):
            assert np.isfinite(found).all()
            assert (where.project(found) == found).all()


def test_weights_that_score_nothing_lead_nowhere() -> None:
    assert smooth_starts(GUIDE, space(), OBJECTIVE.geometry(space().free), np.zeros(len(START))) == []


def test_searches_from_smooth_starts_end_higher_than_as_many_from_steps() -> None:
    ends = []
    for seed in range(8):
        pool = random_pool(80 + seed, lists=60, dense=6)
        objective = CorpusError.build(pool, Product())
        where = Space.build(pool.feature_names, start=np.ones(pool.features.width))
        for guide in (ExpectedStatistics.build(pool, Product()), None):
            search = LineSearch(guide, restarts=3, explore=1, directions=0, seed=seed)
            state = search.start(objective, where)
            while not state.done:
                state = search.step(objective, where, state, lambda *_: None)
            ends.append(state.loss)
    smooth, steps = np.array(ends).reshape(-1, 2).T
    assert smooth.mean() < steps.mean()
