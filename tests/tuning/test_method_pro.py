from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import pool_of, random_pool, scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import chosen_quality, first_quality, run_for, same, solve

from tunesmith.errors import InputError
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.ter import Ter
from tunesmith.tuning.grounding import grounded

POOL = scored_pool(111, lists=80, most=30)


def test_the_model_learns_to_choose_better_candidates() -> None:
    solution = solve("pro", run_for(POOL))
    assert chosen_quality(POOL, solution) > first_quality(POOL) + 0.1
    assert solution.loss < solution.start_loss == pytest.approx(np.log(2))
    assert 50 <= solution.notes["pairs"] <= 50 * 80  # type: ignore[operator]


def test_the_length_fix_grounds_every_sentence_bleu() -> None:
    assert grounded(Bleu(order=2)) == Bleu(order=2, sentence="grounded")
    combined = grounded(0.5 * Bleu() + 0.5 * (1 - Ter()))
    assert isinstance(combined, Combined)
    assert combined.parts == (Bleu(sentence="grounded"), Ter())
    assert grounded(Mean()) == Mean()


def test_the_notes_say_whether_the_length_fix_did_anything() -> None:
    texts = random_pool(1, lists=40, size=10)
    fixed = solve("pro", run_for(texts, metric=Bleu()), length_fix=True)
    plain = solve("pro", run_for(texts, metric=Bleu()))
    assert fixed.notes["length_fix"] is True
    assert plain.notes["length_fix"] is False
    assert not np.array_equal(fixed.weights, plain.weights)
    assert solve("pro", run_for(POOL), length_fix=True).notes["length_fix"] is False


def test_no_pair_that_differs_enough_is_an_error_with_a_way_out() -> None:
    pool = pool_of([2, 2], np.eye(4), np.array([0.5, 0.52, 0.3, 0.31]))
    with pytest.raises(InputError, match=r"no two candidates .* differ by 0.05 in mean; use a smaller"):
        solve("pro", run_for(pool))
    assert solve("pro", run_for(pool), difference=0.001).notes["pairs"] == 100


def test_the_seed_decides_and_threads_do_not_matter() -> None:
    one = solve("pro", run_for(POOL, seed=1), samples=100)
    assert same(one, solve("pro", run_for(POOL, seed=1, threads=3), samples=100))
    assert not same(one, solve("pro", run_for(POOL, seed=2), samples=100))
