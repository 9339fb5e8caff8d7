"""Optima of a smooth guide, from blurred to sharp."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import Product

from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers import Space
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.smooth_starts import SPREADS, Blurred, smooth_starts
from tunesmith.optimizers.space import Range
from tunesmith.types import BoolArray, FloatArray

POOL = scored_pool(71, lists=30)
GUIDE = ExpectedStatistics.build(POOL, Product())
OBJECTIVE = CorpusError.build(POOL, Product())
START = np.random.default_rng(3).standard_normal(POOL.features.width)
NAMES = POOL.feature_names
ALL = np.ones(len(NAMES), dtype=np.bool_)
FREE = np.arange(len(NAMES)) > 1


def space(
    *, frozen: bool = False, bounds: dict[str, Range] | None = None, start: FloatArray = START
) -> Space:
    return Space.build(NAMES, start=start, bounds=bounds, frozen=NAMES[:2] if frozen else ())


def spread_of(weights: FloatArray, size: float) -> FloatArray:
    return size / OBJECTIVE.geometry(ALL).spread(weights) * weights


@pytest.mark.parametrize("free", [ALL, FREE])
@pytest.mark.parametrize("spread", [1.0, 4.0])
def test_the_gradient_is_the_limit_of_differences(spread: float, free: BoolArray) -> None:
    geometry = OBJECTIVE.geometry(free)
    blurred = Blurred(GUIDE, geometry, OBJECTIVE.geometry(ALL), free, np.where(free, 0.0, START), spread)
    point = geometry.color(np.where(free, START, 0.0))
    _, gradient = blurred.loss_and_gradient(point)
    assert np.abs(gradient).max() > 1e-3
    for index in range(len(point)):
        step = np.zeros(len(point))
        step[index] = 1e-5
        up, down = (blurred.loss_and_gradient(point + side * step)[0] for side in (1, -1))
        assert gradient[index] == pytest.approx((up - down) / 2e-5, abs=1e-8)


def test_the_size_of_weights_does_not_count() -> None:
    near, far = (smooth_starts(GUIDE, OBJECTIVE, space(start=size * START)) for size in (1.0, 2.0**7))
    for one, other in zip(near, far, strict=True):
        assert one / np.abs(one).sum() == pytest.approx(other / np.abs(other).sum(), abs=1e-3)


@pytest.mark.parametrize("frozen", [False, True])
def test_each_start_is_better_for_the_guide_where_scores_are_so_sharp(frozen: bool) -> None:
    starts = smooth_starts(GUIDE, OBJECTIVE, space(frozen=frozen))
    assert len(starts) == len(SPREADS)
    for size, found in zip(SPREADS, starts, strict=True):
        before, after = (GUIDE.loss(spread_of(weights, size)) for weights in (START, found))
        assert after < before
    for one, other in pairwise(spread_of(start, 1.0) for start in starts):
        assert np.abs(one - other).max() > 1e-3


def test_frozen_weights_and_bounds_are_honored() -> None:
    bounds: dict[str, Range] = dict.fromkeys(NAMES[2:6], (0.0, 0.25))
    start = np.clip(START, 0.0, 0.25)
    free = smooth_starts(GUIDE, OBJECTIVE, space(start=start))
    assert any((found[2:6] < 0).any() or (found[2:6] > 0.25).any() for found in free)
    for found in smooth_starts(GUIDE, OBJECTIVE, space(frozen=True, bounds=bounds, start=start)):
        assert found[:2].tolist() == start[:2].tolist()
        assert (found[2:6] >= 0).all() and (found[2:6] <= 0.25).all()


def test_from_zero_weights_they_are_found_from_the_fit() -> None:
    zero = space(start=np.zeros(len(NAMES)))
    fit = space(start=OBJECTIVE.geometry(ALL).slope)
    for one, other in zip(
        smooth_starts(GUIDE, OBJECTIVE, zero), smooth_starts(GUIDE, OBJECTIVE, fit), strict=True
    ):
        assert one.tolist() == other.tolist()


def test_features_that_score_nothing_lead_nowhere() -> None:
    pool = pool_of([2, 2], np.ones((4, 1)), np.array([0.1, 0.9, 0.5, 0.2]))
    where = Space.build(pool.feature_names, start=np.ones(1))
    guide = ExpectedStatistics.build(pool, Product())
    assert smooth_starts(guide, CorpusError.build(pool, Product()), where) == []


def test_searches_from_smooth_starts_end_higher_than_as_many_from_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def mean_end() -> float:
        ends = []
        for seed in range(8):
            pool = scored_pool(80 + seed, lists=60, dense=6)
            objective = CorpusError.build(pool, Product())
            where = Space.build(pool.feature_names, start=np.ones(pool.features.width))
            guide = ExpectedStatistics.build(pool, Product())
            search = LineSearch(guide, restarts=3, explore=1, directions=0, seed=seed)
            state = search.start(objective, where)
            while not state.done:
                state = search.step(objective, where, state, lambda *_: None)
            ends.append(state.loss)
        return float(np.mean(ends))

    smooth = mean_end()
    monkeypatch.setattr("tunesmith.optimizers.line_search.smooth_starts", lambda *_: [])
    monkeypatch.setattr("tunesmith.optimizers.line_search.SPREADS", ())
    assert smooth < mean_end()
