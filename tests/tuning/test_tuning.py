"""The one call that tunes: what it promises whatever the method."""

import dataclasses
import json

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith import tune
from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.features import Features
from tunesmith.errors import DegenerateError, InputError, OptionError
from tunesmith.metrics import Bleu
from tunesmith.seeds import stream_seed
from tunesmith.texts import Texts
from tunesmith.tuning.degenerate import refuse_degenerate
from tunesmith.tuning.method import methods_for
from tunesmith.tuning.run import Solution

QUICK = {
    "mert": {"restarts": 3},
    "mira": {"epochs": 5},
    "search": {"trials": 60},
}
METHODS = methods_for(Pool)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_deterministic_and_independent_of_threads(method: str) -> None:
    pool = random_pool(1, lists=30)
    runs = [tune(pool, method, seed=3, threads=threads, **QUICK.get(method, {})) for threads in (1, 1, 2, 3)]
    for run in runs[1:]:
        assert run.weights == runs[0].weights
        assert run.history == runs[0].history


@pytest.mark.parametrize("method", METHODS)
def test_a_method_improves_its_objective_and_reports_the_reranked_score(method: str) -> None:
    pool = random_pool(2, lists=60, size=10)
    result = tune(pool, method, "bleu", **QUICK.get(method, {}))
    assert result.best.loss < result.best.start_loss
    best = rerank(pool, result.weights)
    assert result.score == pytest.approx(float(Bleu().score(pool.stats(Bleu())[best.rows].sum(axis=0))))
    assert result.interval.low <= result.score <= result.interval.high
    assert len(result.history) >= 1
    assert {"iteration", "loss", "score"} <= set(result.history[0])


@pytest.mark.parametrize("method", METHODS)
def test_frozen_features_keep_their_start_and_bounds_hold(method: str) -> None:
    pool = random_pool(4, lists=80, size=10)
    result = tune(
        pool,
        method,
        start={"f0": 0.5, "f1": 0.25},
        frozen=["f1"],
        bounds={"f2": (0.0, 0.3), "s*": (-0.1, 0.1)},
        **QUICK.get(method, {}),
    )
    assert result.weights["f1"] == 0.25
    assert 0.0 <= result.weights["f2"] <= 0.3
    assert all(-0.1 <= result.weights[f"s{i}"] <= 0.1 for i in range(4))


@pytest.mark.parametrize("penalty", ["l1", "l2"])
@pytest.mark.parametrize("method", METHODS)
def test_a_strong_penalty_shrinks_the_weights(method: str, penalty: str) -> None:
    pool = random_pool(5, lists=40)
    start = {"f0": 1.0, "f2": 1.0}
    sizes = []
    for strength in (1e-6, 4.0):
        options = (
            {"l2": 0.0, penalty: strength}
            | QUICK.get(method, {})
            | ({"epochs": 40, "standardize": False} if method == "mira" else {})
        )
        result = tune(pool, method, start=start, **options)
        sizes.append(sum(abs(value) for value in result.weights.values()))
    assert sizes[1] < sizes[0]


def test_replicas_report_mean_and_spread_and_return_the_best() -> None:
    result = tune(random_pool(6, lists=40, size=10), "search", replicas=3, trials=10)
    scores = [replica.score for replica in result.replicas]
    assert [replica.seed for replica in result.replicas] == [stream_seed(1, "replica", n) for n in range(3)]
    assert result.mean == pytest.approx(np.mean(scores))
    assert result.spread == pytest.approx(np.std(scores, ddof=1))
    assert result.best.loss == min(replica.loss for replica in result.replicas)


def test_a_replica_is_repeated_by_a_single_run_from_its_seed_and_is_no_run_of_another_seed() -> None:
    pool = random_pool(6, lists=40, size=10)
    replicas = tune(pool, "search", replicas=2, trials=10).replicas
    assert tune(pool, "search", seed=replicas[1].seed, trials=10).weights == replicas[1].weights
    assert tune(pool, "search", seed=2, trials=10).weights != replicas[1].weights


def test_selecting_by_metric_returns_the_best_iteration() -> None:
    pool = random_pool(7, lists=60, size=10)
    by_metric = tune(pool, "mira", select="metric", epochs=8)
    assert by_metric.score >= max(record["score"] for record in by_metric.history) - 1e-12


def test_the_written_weights_tell_how_they_came_about(tmp_path) -> None:
    result = tune(random_pool(8), "mert", restarts=2)
    result.write(tmp_path / "weights.json")
    record = json.loads((tmp_path / "weights.json").read_text())
    assert record["method"] == "mert"
    assert record["weights"] == dict(result.weights)
    assert record["score"] == result.score


def test_lists_of_one_candidate_are_refused_with_a_reason() -> None:
    with pytest.raises(DegenerateError, match="one candidate"):
        tune(random_pool(9, size=1), "mert")


def test_candidates_that_are_all_worth_the_same_are_refused() -> None:
    pool = random_pool(10)
    alike = dataclasses.replace(pool, texts=Texts.of(["the same"] * pool.n_candidates))
    with pytest.raises(DegenerateError, match="equal"):
        tune(alike, "mert", Bleu())


@pytest.mark.parametrize(
    ("weights", "loss", "reason"),
    [
        ([0.0, 0.0], -1.0, "all zero"),
        ([np.nan, 1.0], -1.0, "not finite"),
        ([1.0, 1.0], np.nan, "not finite"),
        ([1e12, 1.0], -1.0, "exploding"),
        ([1.0, 1.0], 0.0, "did not improve"),
        ([0.0, 0.0], 0.0, "did not improve"),
    ],
)
def test_degenerate_solutions_are_refused(weights, loss, reason) -> None:
    with pytest.raises(DegenerateError, match=reason):
        refuse_degenerate("mert", Solution(np.array(weights), loss, 0.0))


def test_features_that_do_not_vary_within_lists_are_refused() -> None:
    pool = random_pool(14, lists=20)
    constant = np.repeat(np.arange(len(pool), dtype=float), np.diff(pool.offsets))
    same = type(pool)(
        pool.ids, pool.offsets, Features.from_dense(constant[:, None]), pool.texts, pool.references
    )
    for method in METHODS:
        with pytest.raises(DegenerateError, match="varies"):
            tune(same, method)


def test_a_metric_that_is_zero_whatever_one_picks_is_refused_with_advice() -> None:
    pool = random_pool(15)
    other = type(pool)(pool.ids, pool.offsets, pool.features, pool.texts, (Texts.of(["x y"] * len(pool)),))
    with pytest.raises(DegenerateError, match="nothing to learn"):
        tune(other, "mert")


@pytest.mark.parametrize("seed", range(8))
def test_mert_finds_weights_under_sign_bounds(seed: int) -> None:
    result = tune(random_pool(seed, lists=20), "mert", bounds={"*": (0.0, np.inf)}, restarts=3)
    assert any(value > 0 for value in result.weights.values())
    assert all(value >= 0 for value in result.weights.values())


def test_a_penalty_does_not_make_mert_shrink_to_nothing() -> None:
    pool = random_pool(16, lists=40, size=8)
    for penalty in ({"l1": 5.0}, {"l2": 1e6}):
        weights = np.array(list(tune(pool, "mert", restarts=3, **penalty).weights.values()))
        scores = pool.features.dot(weights)
        means = np.add.reduceat(scores, pool.offsets[:-1]) / np.diff(pool.offsets)
        assert np.std(scores - np.repeat(means, np.diff(pool.offsets))) == pytest.approx(1.0, rel=0.2)


def test_too_many_features_for_a_method_and_unset_frozen_ones_are_warned_of() -> None:
    wide = tune(random_pool(17, lists=40, sparse=60), "mert", restarts=1, directions=1)
    assert any("overfit" in warning for warning in wide.warnings)
    frozen = tune(random_pool(17, lists=40), "mira", frozen=["f1"], epochs=3)
    assert any("stay at 0" in warning for warning in frozen.warnings)


def test_zero_start_weights_are_legal() -> None:
    assert tune(random_pool(12, lists=60), "mira", start={"f0": 0.0}, epochs=3).score > 0


def test_a_drop_of_the_metric_only_warns() -> None:
    pool = random_pool(13, lists=40, size=8)
    oracle = pool.stats(Bleu())
    order = np.concatenate(
        [
            row + np.argsort(-Bleu().sentence_gain(oracle[row:stop]), kind="stable")
            for row, stop in zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
        ]
    )
    best_first = type(pool)(
        pool.ids, pool.offsets, pool.features.take(order), pool.texts.take(order), pool.references
    )
    result = tune(best_first, "search", start={"f1": 1.0}, trials=50)
    assert result.score < result.baseline
    assert "got worse" in result.warnings[0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"method": "mertt"}, OptionError, "did you mean 'mert'"),
        ({"metric": "blue"}, OptionError, "did you mean 'bleu'"),
        ({"epoch": 3}, OptionError, "did you mean 'epochs'"),
        ({"frozen": ["nope"]}, OptionError, "no feature matches"),
        ({"start": {"nope": 1.0}}, InputError, "unknown feature"),
        ({"start": {"f0": float("nan")}}, InputError, "not finite"),
        ({"bounds": {"f0": (1.0, 0.0)}}, OptionError, "empty range"),
        ({"l2": -1.0}, OptionError, "l2"),
        ({"replicas": 0}, OptionError, "replicas"),
        ({"frozen": ["*"]}, OptionError, "nothing is left"),
        ({"select": "best"}, OptionError, "select"),
        ({"threads": 0}, OptionError, "threads"),
        ({"seed": -1}, OptionError, "seed must be"),
        ({"seed": 2**70, "method": "pl"}, OptionError, "seed must be"),
        ({"seed": 2**63, "method": "pro"}, OptionError, "seed must be"),
    ],
)
def test_wrong_arguments_are_errors_that_help(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        tune(random_pool(1), **arguments)
