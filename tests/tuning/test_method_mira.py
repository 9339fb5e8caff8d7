from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import random_pool, scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import (
    check_resumes,
    chosen_quality,
    first_quality,
    run_for,
    solve,
)

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics import get_metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.corpus_error import corpus_loss

MOSES_MIRA = 40.365
"""BLEU of Moses' kbmira on the same lists."""

POOL = scored_pool(41, lists=50)


def test_the_model_learns_to_choose_better_candidates() -> None:
    assert chosen_quality(POOL, solve("mira", run_for(POOL, l2=0.0))) > first_quality(POOL) + 0.1


def test_the_result_is_the_best_average_of_its_history() -> None:
    run = run_for(POOL, l2=0.0)
    solution = solve("mira", run, epochs=25, c=0.05)
    losses = [record["loss"] for record in run.history.records]
    assert len(losses) == 25
    assert losses.index(min(losses)) < 24, "the last average is the best one: the test shows nothing"
    assert solution.loss == min(losses) < solution.start_loss
    assert solution.loss == corpus_loss(POOL, Mean(), solution.weights)


def test_more_passes_are_never_worse() -> None:
    losses = [solve("mira", run_for(POOL, l2=0.0), epochs=passes).loss for passes in (1, 3, 10, 30)]
    assert losses == sorted(losses, reverse=True)


def test_the_order_of_a_mixed_metric_does_not_matter() -> None:
    """Sizes of BLEU are words, of chrF characters: a sum must not take those of whatever comes first."""
    pool = random_pool(3, lists=30)
    mixes = [get_metric(text) for text in ("0.5*bleu + 0.5*chrf", "0.5*chrf + 0.5*bleu")]
    one, other = (solve("mira", run_for(pool, metric=metric, l2=0.0), epochs=5).weights for metric in mixes)
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_bounds_and_frozen_weights_hold() -> None:
    run = run_for(POOL, l2=0.0, start={"f1": 0.25}, frozen=["f1"], bounds={"f0": (0.0, 0.01)})
    weights = solve("mira", run, epochs=5).weights
    assert weights[1] == 0.25
    assert 0.0 <= weights[0] <= 0.01


def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    check_resumes("mira", tmp_path / "history.jsonl", partial(run_for, POOL), 4, epochs=8)


@pytest.mark.parametrize(
    "options", [{"c": 0.0}, {"c": -1.0}, {"decay": 1.5}, {"decay": -0.1}, {"epochs": 0}, {"epochs": 1.5}]
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"mira: {next(iter(options))} must"):
        solve("mira", run_for(POOL), **options)


def test_it_reaches_what_moses_mira_reaches(shared_data: Path) -> None:
    lists, references = "moses/val.default.nbest100.gz", "multi30k.val.en.xz"
    pool = Pool.read(shared_data / lists, references=[shared_data / references])
    solution = solve("mira", run_for(pool, metric=Bleu(), l2=0.0))
    stats = pool.stats(Bleu())[pool.best(solution.weights)]
    assert 100 * float(Bleu().score(stats.sum(axis=0))) >= MOSES_MIRA


def test_multiplying_all_features_has_the_effect_of_a_larger_c() -> None:
    rows = POOL.features
    larger = dataclasses.replace(
        POOL, features=Features(rows.names, rows.offsets, rows.columns, 4.0 * rows.values)
    )
    scaled = solve("mira", run_for(larger, l2=0.0), c=0.01, epochs=5)
    plain = solve("mira", run_for(POOL, l2=0.0), c=0.16, epochs=5)
    assert np.array_equal(4.0 * scaled.weights, plain.weights)
    other = solve("mira", run_for(POOL, l2=0.0), c=0.01, epochs=5)
    assert not np.allclose(4.0 * scaled.weights, other.weights)
