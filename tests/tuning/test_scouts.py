"""Lists that scout for forests: they grow, and their ends are judged by the forests."""

from __future__ import annotations

import numpy as np
import pytest
from tests.toy_forests import chain_pool

from tunesmith.candidates.pool import Pool
from tunesmith.forest import Edge, ForestPool, build_forest
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.optimizers.climb import Climber
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.space import Space
from tunesmith.tuning.scouts import Scouts
from tunesmith.types import FloatArray

START = np.array([1.0, 0.5, -0.25])


def scouted(
    turns: int, count: int, *, start: FloatArray = START, l2: float = 0.0, seed: int = 28
) -> tuple[list[float], list[int], ForestError]:
    """Return the losses of the ends on forests of more translations than a list holds, and lists' sizes."""
    pool = chain_pool(seed, 12, nodes=7)
    objective = ForestError.build(pool, Bleu(), around=start)
    sizes = [objective.lists.n_candidates]
    space = Space.build(pool.feature_names, len(pool), start=start, l2=l2)

    def watch(lists: Pool) -> None:
        sizes.append(lists.n_candidates)

    ends = Scouts(LineSearch(restarts=5), turns, watch).ends(objective, space, count)
    judge = Climber(objective, space, objective.geometry(space.free))
    return [-judge.at(end).value for end in ends], sizes, objective


def test_a_turn_adds_to_the_lists_what_forests_like_best_under_the_best_weights() -> None:
    _, sizes, _ = scouted(4, 2)
    assert len(sizes) > 1
    assert sizes == sorted(set(sizes))


@pytest.mark.slow
def test_more_turns_are_never_worse_and_better_for_some_forests() -> None:
    losses = [[scouted(turns, 1, seed=seed)[0][0] for turns in (1, 4)] for seed in range(28, 34)]
    assert all(more <= one for one, more in losses)
    assert any(more < one for one, more in losses)


def test_ends_come_by_their_loss_on_the_forests_and_are_not_the_same() -> None:
    losses, _, objective = scouted(3, 4)
    assert losses == sorted(set(losses))
    assert losses[0] < objective.loss(START)


@pytest.mark.parametrize("l2", [0.0, 5.0])
def test_a_penalty_is_charged_at_one_size(l2: float) -> None:
    many, few = scouted(4, 1, l2=l2)[0], scouted(1, 1, l2=l2)[0]
    assert many[0] <= few[0]


def test_no_turns_find_nothing_and_zero_weights_are_a_start() -> None:
    assert scouted(0, 2)[0] == []
    assert np.isfinite(scouted(2, 2, start=np.zeros(3))[0]).all()


def test_hints_are_judged_and_searched_from() -> None:
    pool = chain_pool(28, 12, nodes=7)
    objective = ForestError.build(pool, Bleu(), around=START)
    space = Space.build(pool.feature_names, len(pool), start=START)
    best = Scouts(LineSearch(restarts=20), 4, lambda _: None).ends(objective, space, 1)
    few = Scouts(LineSearch(restarts=1), 1, lambda _: None).ends(objective, space, 1, best)
    assert objective.loss(few[0]) <= objective.loss(best[0])


@pytest.mark.parametrize("seed", range(5))
def test_a_hint_helps_zero_weights_also_beside_a_penalty_and_a_feature_that_says_nothing(seed: int) -> None:
    plain = chain_pool(seed, 6)
    edges = [[Edge((), ("a",), {"same": 1.0})], [Edge((0,), (-1, "b"), {"same": 1.0})]]
    pool = ForestPool.of([*plain.forests, build_forest(edges)], [[*plain.references[0], "a b"]])
    zero = np.zeros(len(pool.feature_names))
    objective = ForestError.build(pool, Bleu(), around=zero)
    space = Space.build(pool.feature_names, len(pool), start=zero, l2=1.0)
    hint = np.ones(len(zero))
    ends = Scouts(LineSearch(restarts=6), 3, lambda _: None).ends(objective, space, 2, [hint])
    assert np.isfinite([objective.loss(end) for end in ends]).all()
