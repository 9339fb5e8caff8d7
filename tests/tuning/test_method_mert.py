from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import lists_of, scored_pool
from tests.toy_metrics import ErrorRate, Gradientless, Mean, Product
from tests.tuning.runs import check_resumes, run_for, same, solve

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.corpus_error import CorpusError

MOSES_MERT = 40.967
"""BLEU of Moses' mert on the same lists, the mean of three seeds."""


def best_of_all_angles(pool: Pool, metric: Metric) -> float:
    """The largest gain that two weights can reach.

    Two candidates of a list change places where the weights are orthogonal to their difference; between
    two such angles nothing changes, so a look into every gap is a look at everything.
    """
    rows = np.stack([pool.features.dot(axis, 1) for axis in np.eye(2)], axis=1)
    angles = []
    for members in lists_of(pool):
        differences = (rows[members][:, None] - rows[members][None]).reshape(-1, 2)
        differences = differences[differences.any(axis=1)]
        angles.append(np.arctan2(differences[:, 1], differences[:, 0]) + np.pi / 2)
    borders = np.unique(np.concatenate(angles) % (2 * np.pi))
    middles = (borders + np.append(borders[1:], borders[0] + 2 * np.pi)) / 2
    objective = CorpusError.build(pool, metric)
    return -min(objective.loss(np.array([np.cos(angle), np.sin(angle)])) for angle in middles)


@pytest.mark.slow
@pytest.mark.parametrize("metric", [Mean(), ErrorRate(), Product(), Gradientless()], ids=lambda m: m.name)
@pytest.mark.parametrize("variant", ["powell", "och"])
def test_two_weights_end_in_the_optimum_of_all_angles(variant: str, metric: Metric) -> None:
    for seed in range(6):
        pool = scored_pool(seed, lists=10, most=7, dense=2, sparse=0)
        solution = solve("mert", run_for(pool, metric=metric, l2=0.0), variant=variant)
        assert solution.loss == pytest.approx(-best_of_all_angles(pool, metric), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_never_below_a_dense_random_search(seed: int) -> None:
    pool = scored_pool(200 + seed, lists=15, dense=3, sparse=2)
    found = solve("mert", run_for(pool, l2=0.0), restarts=10).loss
    searched = solve("search", run_for(pool, l2=0.0), trials=3000).loss
    assert found <= searched + 1e-12


def test_the_reported_loss_is_that_of_the_weights_which_sum_to_one() -> None:
    pool = scored_pool(31, lists=30)
    solution = solve("mert", run_for(pool, metric=Product(), l2=0.0), restarts=4)
    assert solution.loss == pytest.approx(
        CorpusError.build(pool, Product()).loss(solution.weights), rel=1e-12
    )
    assert solution.loss < solution.start_loss
    assert np.abs(solution.weights).sum() == pytest.approx(1.0)


def test_more_restarts_are_never_worse() -> None:
    pool = scored_pool(32, lists=40)
    losses = [solve("mert", run_for(pool, l2=0.0), restarts=restarts).loss for restarts in (0, 3, 7, 19)]
    assert losses == sorted(losses, reverse=True)


def test_bounds_and_frozen_weights_hold() -> None:
    pool = scored_pool(33, lists=30)
    run = run_for(
        pool,
        l2=0.0,
        start={"f0": 0.5, "f1": 0.25},
        frozen=["f1"],
        bounds={"f0": (0.4, 0.6), "f2": (-2.0, 0.0)},
    )
    weights = solve("mert", run, restarts=4).weights
    assert weights[1] == 0.25
    assert np.array_equal(run.space.project(weights), weights)


def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    make = partial(run_for, scored_pool(34, lists=25), l2=0.0)
    check_resumes("mert", tmp_path / "history.jsonl", make, 2, restarts=9)


def test_threads_change_nothing() -> None:
    pool = scored_pool(35, lists=30)
    runs = [solve("mert", run_for(pool, l2=0.0, threads=threads), restarts=8) for threads in (1, 3)]
    assert same(*runs)


@pytest.mark.parametrize(
    "options", [{"restarts": -1}, {"directions": -1}, {"rounds": 0}, {"variant": "newton"}, {"guided": 1}]
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        solve("mert", run_for(scored_pool(1)), **options)


@pytest.mark.slow
def test_it_reaches_what_moses_mert_reaches(shared_data: Path) -> None:
    lists, references = "moses/val.default.nbest100.gz", "multi30k.val.en.xz"
    pool = Pool.read(shared_data / lists, references=[shared_data / references])
    solution = solve("mert", run_for(pool, metric=Bleu(), l2=0.0, seed=1, threads=2))
    stats = pool.stats(Bleu())[pool.best(solution.weights)]
    assert 100 * float(Bleu().score(stats.sum(axis=0))) >= MOSES_MERT
