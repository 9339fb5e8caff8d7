"""Methods over forests: what each one finds."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.toy_forests import random_forest_pool
from tests.tuning import runs
from tests.tuning.runs import run_for

from tunesmith import tune
from tunesmith.errors import OptionError
from tunesmith.forest import Edge, build_forest
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.forests.expected_counts import ExpectedCounts
from tunesmith.tuning.method import METHODS, methods_for
from tunesmith.tuning.methods.cobleu import Cobleu
from tunesmith.tuning.methods.forest_risk import ForestRisk
from tunesmith.tuning.run import Solution

POOL = random_forest_pool(11, sentences=20, references=2)
METRIC = Bleu(order=2)


def solve(
    method: str, *, seed: int = 1, start: dict[str, float] | None = None, **options: object
) -> Solution:
    run = run_for(POOL, metric=METRIC, l2=METHODS[method].l2, seed=seed, start=start)
    return runs.solve(method, run, **options)


@pytest.mark.parametrize("method", methods_for(ForestPool))
def test_every_method_improves_its_own_objective_from_zero(method: str) -> None:
    found = solve(method)
    assert found.loss < found.start_loss
    assert np.isfinite(found.weights).all()
    assert found.weights.any()


@pytest.mark.slow
@pytest.mark.parametrize("method", methods_for(ForestPool))
def test_the_same_seed_finds_the_same_weights(method: str) -> None:
    assert np.array_equal(solve(method).weights, solve(method).weights)


@pytest.mark.parametrize("method", methods_for(ForestPool))
def test_every_method_tells_of_its_options(method: str) -> None:
    kind = METHODS[method]
    assert kind.__doc__
    assert kind.summary
    with pytest.raises(OptionError, match="no such option"):
        kind.configure({"no such option": 1})


@pytest.mark.parametrize("optimizer", ["adaptive", "lbfgs"])
def test_cobleu_raises_the_metric_of_expected_counts(optimizer: str) -> None:
    objective = ExpectedCounts.build(POOL, METRIC)
    before = objective.score(np.zeros(4))
    found = solve("cobleu", optimizer=optimizer)
    assert found.notes["consensus"] == objective.score(found.weights) > before + 0.02
    assert found.notes["edges"] == objective.corpus.edge_count


def test_both_optimizers_of_cobleu_end_close_to_each_other() -> None:
    ends = [solve("cobleu", optimizer=name, optimizer_iterations=500).loss for name in ("adaptive", "lbfgs")]
    assert ends[0] == pytest.approx(ends[1], rel=0.01)


def test_the_penalty_of_cobleu_does_not_depend_on_the_size_of_the_corpus() -> None:
    small = ForestPool.of(POOL.forests[:6], [list(texts)[:6] for texts in POOL.references])
    twice = ForestPool.of([*small.forests] * 2, [list(texts) * 2 for texts in small.references])
    once, again, weaker = (
        tune(data, "cobleu", METRIC, l2=l2, threads=1)
        for data, l2 in ((small, 0.05), (twice, 0.05), (small, 0.02))
    )
    # The metric of a corpus with each sentence twice is the same: only the penalty could differ.
    names = small.feature_names
    ends = [[result.weights[name] for name in names] for result in (once, again, weaker)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-3)
    assert np.linalg.norm(ends[2]) > 1.05 * np.linalg.norm(ends[0])


def test_annealing_ends_at_the_last_gamma() -> None:
    found = solve("cobleu", temperatures=3, gamma=2.0)
    assert found.notes["gamma"] == 2.0
    objective = dataclasses.replace(ExpectedCounts.build(POOL, METRIC), gamma=2.0)
    assert found.notes["consensus"] == pytest.approx(objective.score(found.weights))


def test_a_temperature_keeps_the_distribution_flat() -> None:
    sharp, flat = (solve("forest-risk", temperature=t) for t in (0.0, 10.0))
    assert np.linalg.norm(flat.weights) < 0.5 * np.linalg.norm(sharp.weights)


@pytest.mark.parametrize("kind", [Cobleu, ForestRisk])
@pytest.mark.parametrize("options", [{"optimizer_iterations": 0}, {"temperatures": 0}, {"memory": "much"}])
def test_options_that_cannot_work_are_refused(kind: type, options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        kind(**options)


def test_a_checkpoint_of_other_words_is_not_taken_for_ones_own() -> None:
    """Forests that differ in words alone are other data: a killed run must not go on with them."""
    texts = {"cat": {"x": 1.0}, "dog": {"x": -1.0}}
    pools = [
        ForestPool.of(
            [build_forest([[Edge((), (word,), f) for word, f in zip(order, texts.values(), strict=True)]])],
            [["cat"]],
        )
        for order in (("cat", "dog"), ("dog", "cat"))
    ]
    digests = [pool.fingerprint_arrays(METRIC)[0] for pool in pools]
    assert not np.array_equal(*digests)
