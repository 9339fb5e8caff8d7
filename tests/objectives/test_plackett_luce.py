from __future__ import annotations

from itertools import pairwise, permutations
from math import exp, log

import numpy as np
import pytest
from tests.random_pools import lists_of, pool_of, scored_pool
from tests.toy_metrics import Mean

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.objectives.best_likelihood import BestLikelihood
from tunesmith.objectives.plackett_luce import PlackettLuce, one_per_tie, rank


def one_list(scores: list[float], quality: list[float]) -> PlackettLuce:
    """PL over one list whose only feature is the score itself: the weight 1 gives these scores."""
    pool = pool_of([len(scores)], np.array(scores)[:, None], np.array(quality), keep_zeros=True)
    return PlackettLuce.build(pool, Mean(), k=len(scores))


def probability(scores: list[float], ranking: tuple[int, ...]) -> float:
    """Equation 1 of the paper: each place is a choice among those that are left."""
    p = np.exp(scores) / np.exp(scores).sum()
    result, left = 1.0, 1.0
    for candidate in ranking:
        result *= p[candidate] / left
        left -= p[candidate]
    return float(result)


def test_the_loss_is_the_probability_of_choosing_one_after_another() -> None:
    scores = [0.3, -1.2, 2.0]
    loss = one_list(scores, [0.1, 0.9, 0.5]).loss(np.ones(1))
    p = np.exp(scores) / np.exp(scores).sum()
    # The paper's table 1: second, third, first.
    assert loss == pytest.approx(-log(p[1] * p[2] / (1 - p[1])), rel=1e-12)


def test_the_probabilities_of_all_permutations_sum_to_one() -> None:
    scores = [0.5, -0.7, 1.4, 0.0]
    total = 0.0
    for ranking in permutations(range(4)):
        quality = [0.0] * 4
        for place, candidate in enumerate(ranking):
            quality[candidate] = 1 - place / 4
        total += exp(-one_list(scores, quality).loss(np.ones(1)))
    assert total == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 100])
def test_a_truncated_ranking_sums_over_all_continuations(k: int) -> None:
    pool = scored_pool(11, lists=6, most=5)
    weights = np.random.default_rng(1).standard_normal(pool.features.width)
    scores = pool.features.dot(weights)
    order = rank(pool.offsets, pool.scores["quality"], 1)
    expected = 0.0
    for rows in lists_of(pool):
        top = tuple((order[rows] - rows[0])[:k].tolist())
        rankings = (r for r in permutations(range(len(rows))) if r[: len(top)] == top)
        expected -= log(sum(probability(scores[rows].tolist(), r) for r in rankings))
    objective = PlackettLuce.build(pool, Mean(), k=k, seed=1)
    assert objective.loss(weights) == pytest.approx(expected / len(pool), rel=1e-10)


def test_one_place_is_the_likelihood_of_the_best_where_there_are_no_ties() -> None:
    matrix = np.random.default_rng(2).standard_normal((9, 4))
    pool = pool_of([4, 5], matrix, np.arange(9) / 9)
    weights = np.array([0.4, -2.0, 1.0, 0.1])
    first, best = PlackettLuce.build(pool, Mean(), k=1), BestLikelihood.build(pool, Mean())
    assert first.loss(weights) == pytest.approx(best.loss(weights), rel=1e-12)


def test_ties_are_broken_at_random_by_the_seed() -> None:
    offsets = np.array([0, 50], dtype=np.int64)
    orders = {tuple(rank(offsets, np.zeros(50), seed).tolist()) for seed in range(20)}
    assert len(orders) == 20


def test_all_orders_of_ties_are_about_equally_likely() -> None:
    offsets = np.arange(0, 3 * 6000 + 1, 3)
    places = rank(offsets, np.zeros(offsets[-1]), 5).reshape(-1, 3) % 3
    counts = np.unique(places @ np.array([9, 3, 1]), return_counts=True)[1]
    assert len(counts) == 6
    assert np.abs(counts - 1000).max() < 4 * np.sqrt(1000 * 5 / 6)


def test_the_order_within_a_list_does_not_depend_on_other_lists() -> None:
    alone = rank(np.array([0, 8, 16]), np.zeros(16), 3)
    among = rank(np.array([0, 8, 16, 30]), np.concatenate([np.arange(8) / 8, np.zeros(22)]), 3)
    assert np.array_equal(alone[8:16], among[8:16])


def test_better_candidates_come_first() -> None:
    gains = np.array([0.1, 0.9, 0.5, 0.3, 0.2])
    assert rank(np.array([0, 3, 5]), gains, 1).tolist() == [1, 2, 0, 3, 4]


def test_one_of_each_tie_stays() -> None:
    offsets = np.array([0, 5, 5, 9, 10])
    gains = np.array([0.5, 0.5, 0.2, 0.5, 0.2, 0.2, 0.2, 0.2, 0.7, 0.7])
    for seed in range(20):
        rows = one_per_tie(offsets, gains, seed)
        assert (np.diff(rows) > 0).all()
        for begin, end in pairwise(offsets.tolist()):
            kept = gains[rows[(rows >= begin) & (rows < end)]]
            assert sorted(kept.tolist()) == sorted(set(gains[begin:end].tolist()))


def test_every_one_of_equals_is_as_likely_to_stay() -> None:
    offsets = np.arange(0, 4 * 3000 + 1, 4)
    kept = one_per_tie(offsets, np.tile([0.1, 0.3, 0.3, 0.3], 3000), 7)
    counts = np.bincount(kept % 4, minlength=4)
    assert counts[0] == 3000
    assert np.abs(counts[1:] - 1000).max() < 4 * np.sqrt(1000 * 2 / 3)


def test_no_place_to_rank_is_an_option_error() -> None:
    with pytest.raises(OptionError, match="k must be at least 1"):
        PlackettLuce.build(scored_pool(1), Mean(), k=0)


@pytest.mark.parametrize(
    ("offsets", "ranked", "message"),
    [
        ([0, 1, 2], [0, 0], "not of list 1"),
        ([0, 2, 2], [0, 0], "ranked twice"),
        ([0, 1], [0], "ranks of 1 lists for 2"),
        ([0, 1, 2], [0, 99], "not of list 1"),
    ],
)
def test_native_ranks_outside_their_list_are_refused(
    offsets: list[int], ranked: list[int], message: str
) -> None:
    pool = pool_of([2, 2], np.ones((4, 1)), np.zeros(4))
    loss = _native.plackett_luce(np.array(offsets), np.array(ranked))
    rows = pool.features
    with pytest.raises(InputError, match=message):
        _native.list_loss(loss, pool.offsets, rows.offsets, rows.columns, rows.values, np.zeros(1), 1)
