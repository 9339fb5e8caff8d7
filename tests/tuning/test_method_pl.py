from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import lists_of, pool_of, scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import (
    check_resumes,
    chosen_quality,
    first_quality,
    run_for,
    same,
    solve,
)

from tunesmith.errors import OptionError
from tunesmith.objectives.plackett_luce import PlackettLuce, one_per_tie
from tunesmith.tuning.methods.pl import Pl
from tunesmith.tuning.resample import resample, richness

POOL = scored_pool(101, lists=80, most=30)


def test_the_model_learns_to_choose_better_candidates() -> None:
    assert chosen_quality(POOL, solve("pl", run_for(POOL, l2=1.0))) > first_quality(POOL) + 0.1


def test_poor_features_lead_to_short_lists_and_the_notes_say_so() -> None:
    solution = solve("pl", run_for(POOL), sample=3, ties="random")
    assert solution.notes["richness"] == pytest.approx(12 / (POOL.n_candidates / 80))
    assert solution.notes["threshold"] == 5.0
    assert solution.notes["resampled"] is True
    assert solution.notes["list_size"] == pytest.approx(np.minimum(np.diff(POOL.offsets), 3).mean())


def test_one_candidate_of_a_tie_is_learned_from() -> None:
    gains = POOL.scores["quality"]
    distinct = [len(set(gains[rows].tolist())) for rows in lists_of(POOL)]
    whole = solve("pl", run_for(POOL), resample="never")
    assert whole.notes["list_size"] == pytest.approx(np.mean(distinct))
    assert whole.notes["richness"] == pytest.approx(12 / np.mean(distinct))
    pool = POOL.take_rows(one_per_tie(POOL.offsets, gains, 1))
    alone = solve("pl", run_for(pool), resample="never", ties="random")
    assert np.array_equal(alone.weights, whole.weights)
    sampled = solve("pl", run_for(POOL), sample=6)
    assert sampled.notes["list_size"] == pytest.approx(np.minimum(distinct, 6).mean())
    assert not same(sampled, solve("pl", run_for(POOL), sample=6, ties="random"))


def test_a_sample_is_drawn_among_the_given_rows() -> None:
    gains = POOL.scores["quality"]
    among = one_per_tie(POOL.offsets, gains, 3)
    chosen = {"seed": 2, "round_": 1}
    found = resample(POOL, gains, np.ones(12), 6, among=among, **chosen)
    alone = resample(POOL.take_rows(among), gains[among], np.ones(12), 6, **chosen)
    assert np.array_equal(found, among[alone])


def test_rich_features_leave_the_lists_whole() -> None:
    pool = scored_pool(102, lists=30, most=4, sparse=40)
    assert richness(pool) > 5
    run = run_for(pool, l2=1.0)
    solution = solve("pl", run, ties="random")
    assert solution.notes["resampled"] is False
    assert solution.notes["list_size"] == pool.n_candidates / 30
    objective = PlackettLuce.build(pool, Mean(), k=5, seed=1)
    assert solution.loss == objective.loss(solution.weights) + run.space.penalty(solution.weights)
    assert solution.start_loss == objective.loss(np.zeros(pool.features.width))


def test_frozen_features_do_not_make_lists_richer() -> None:
    space = run_for(POOL, frozen=["f0", "f1", "f2"]).space
    size = POOL.n_candidates / len(POOL)
    assert richness(POOL, space.free) == pytest.approx(9 / size)
    assert richness(POOL, np.ones(12, dtype=np.bool_)) == richness(POOL) == pytest.approx(12 / size)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({}, 30),
        ({"threshold": 0.3, "resample": "always"}, 40),
        ({"threshold": 0.01}, None),
        ({"threshold": 0.01, "resample": "always", "sample": 6}, 6),
        ({"resample": "never"}, None),
        ({"sample": 9}, 9),
    ],
)
def test_the_size_of_the_sample_follows_the_rule(options: dict[str, object], size: int | None) -> None:
    assert Pl.configure(options).sample_size(POOL, np.ones(POOL.features.width, dtype=bool)) == size


def test_a_sample_holds_the_best_the_worst_and_likely_candidates() -> None:
    gains = POOL.scores["quality"]
    scores = POOL.features.dot(weights := np.ones(12))
    sharp = resample(POOL, gains, 1e6 * weights, 6, seed=1, round_=0)
    assert (np.diff(sharp) > 0).all()
    for rows in lists_of(POOL):
        taken = np.intersect1d(rows, sharp)
        assert len(taken) == min(6, len(rows))
        if len(rows) <= 6:
            continue
        ordered = np.sort(gains[rows])
        kept = np.sort(gains[taken])
        assert kept[-2:].tolist() == ordered[-2:].tolist()
        assert kept[:2].tolist() == ordered[:2].tolist()
        # Four are extremes; at so low a temperature the other two are the model's favorites of the rest.
        left = np.setdiff1d(rows, taken)
        assert (scores[left].max() < scores[taken]).sum() >= 2


def test_candidates_are_drawn_as_the_model_likes_them() -> None:
    lists = 4000
    matrix = np.tile(np.log([[1.0], [2.0], [4.0], [8.0]]), (lists, 1))
    pool = pool_of([4] * lists, matrix, np.zeros(4 * lists), keep_zeros=True)
    drawn = resample(pool, np.zeros(4 * lists), np.ones(1), 1, seed=3, round_=0) % 4
    counts = np.bincount(drawn, minlength=4) / lists
    expected = np.array([1, 2, 4, 8]) / 15
    assert np.abs(counts - expected).max() < 4 * np.sqrt(0.25 / lists)


def test_samples_differ_between_rounds_and_seeds_but_not_between_runs() -> None:
    def draw(seed: int, round_: int) -> list[int]:
        rows = resample(POOL, POOL.scores["quality"], np.zeros(12), 6, seed=seed, round_=round_)
        return rows.tolist()

    assert draw(1, 0) == draw(1, 0)
    assert draw(1, 0) != draw(1, 1)
    assert draw(1, 0) != draw(2, 0)


def test_every_round_is_a_stage_that_goes_on_from_the_last() -> None:
    run = run_for(POOL, l2=1.0)
    solution = solve("pl", run, rounds=3)
    stages = {record["stage"]: record["round"] for record in run.history.records}
    assert stages == {0: 1, 1: 2, 2: 3}
    assert solution.loss < solution.start_loss


def test_a_killed_run_ends_where_it_would_have_ended(tmp_path: Path) -> None:
    for steps in (1, 2):
        path, make = tmp_path / f"{steps}.jsonl", partial(run_for, POOL)
        check_resumes("pl", path, make, steps, rounds=2, sample=6)


def test_threads_do_not_matter() -> None:
    assert same(solve("pl", run_for(POOL, threads=1)), solve("pl", run_for(POOL, threads=3)))


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad"])
def test_stochastic_optimizers_serve_too(optimizer: str) -> None:
    solution = solve("pl", run_for(POOL), optimizer=optimizer, optimizer_iterations=10)
    assert solution.loss < solution.start_loss
    assert chosen_quality(POOL, solution) > first_quality(POOL)


def test_the_prior_is_a_unit_gaussian_by_default() -> None:
    assert Pl.l2 == 1.0
    assert dataclasses.asdict(Pl())["k"] == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resample": "allways"}, "resample cannot be 'allways'; did you mean 'always'"),
        ({"threshold": 0.0}, "threshold must be a positive number"),
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"sample": 1}, "sample must be at least 2"),
        ({"sample": 5, "resample": "never"}, "exclude each other"),
        ({"optimizer": "lbfsg"}, "optimizer.*'lbfsg'.*; did you mean 'lbfgs'"),
        ({"kk": 5}, "no such option: kk of pl"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        solve("pl", run_for(POOL), **options)
