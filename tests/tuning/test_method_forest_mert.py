from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.decoded_forests import decoded_pool
from tests.toy_forests import chain_pool
from tests.tuning import runs
from tests.tuning.runs import same

from tunesmith.errors import OptionError
from tunesmith.forest import kbest_pool
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import Metric, get_metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

START = {"lm": 1.0, "tm": 0.5, "wp": -0.25}


run_for = partial(runs.run_for, metric=Bleu(), l2=0.0, start=START)
solve = partial(runs.solve, "forest-mert")


def best_of_all_angles(pool: ForestPool, metric: Metric) -> float:
    """The largest gain that two weights can reach: a look between every two angles where derivations tie."""
    everything = kbest_pool(pool.forests, pool.weights(np.ones(2)), 100_000)
    rows = everything.features.to_dense()
    angles = []
    for begin, end in zip(everything.offsets[:-1], everything.offsets[1:], strict=True):
        differences = (rows[begin:end, None] - rows[None, begin:end]).reshape(-1, 2)
        differences = differences[np.abs(differences).max(axis=1) > 1e-9]
        angles.append(np.arctan2(differences[:, 1], differences[:, 0]) + np.pi / 2)
    borders = np.unique(np.round(np.concatenate(angles) % (2 * np.pi), 12))
    middles = (borders + np.append(borders[1:], borders[0] + 2 * np.pi)) / 2
    objective = ForestError.build(pool, metric)
    return -min(objective.loss(np.array([np.cos(angle), np.sin(angle)])) for angle in middles)


@pytest.mark.parametrize("metric", ["bleu", "wer"])
@pytest.mark.parametrize("variant", ["powell", "och"])
def test_two_weights_end_in_the_optimum_of_all_angles(variant: str, metric: str) -> None:
    measure = get_metric(metric)
    for seed in range(2):
        pool = chain_pool(seed, 3, names=("f", "g"), nodes=3)
        run = run_for(pool, metric=measure, start={"f": 1.0, "g": 1.0})
        solution = solve(run, variant=variant, restarts=8)
        assert solution.loss == pytest.approx(-best_of_all_angles(pool, measure), rel=1e-12)


@pytest.mark.parametrize("start", [START, {}])
@pytest.mark.parametrize("guided", [True, False])
def test_it_improves_on_its_start_and_tells_the_loss_of_its_weights(
    guided: bool, start: dict[str, float]
) -> None:
    pool = chain_pool(21, 20)
    solution = solve(run_for(pool, start=start), guided=guided, restarts=2)
    assert solution.loss < solution.start_loss
    assert ForestError.build(pool, Bleu()).loss(solution.weights) == pytest.approx(solution.loss, rel=1e-12)
    assert np.abs(solution.weights).sum() == pytest.approx(1.0)
    assert solution.notes["edges"] == pool.edge_count
    assert 1.0 < float(solution.notes["lines"]) < 20.0  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["small_model", "small_hiero"])
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_forests_of_decoders_are_tuned(kind: str, metric: str, request: pytest.FixtureRequest) -> None:
    pool, weights = decoded_pool(request.getfixturevalue(kind), sentences=8)
    run = run_for(pool, metric=get_metric(metric), start=pool.weights(weights))
    solution = solve(run, restarts=0, directions=1, rounds=2)
    assert solution.loss <= solution.start_loss


def test_bounds_and_frozen_weights_hold() -> None:
    run = run_for(chain_pool(22), frozen=["tm"], bounds={"lm": (0.9, 1.1), "wp": (-2.0, 0.0)})
    solution = solve(run, restarts=2)
    assert solution.weights[run.data.feature_names.index("tm")] == 0.5
    assert np.array_equal(run.space.project(solution.weights), solution.weights)
    assert solution.loss <= solution.start_loss


@pytest.mark.slow
def test_a_penalty_is_part_of_the_loss() -> None:
    run = run_for(chain_pool(23), l2=0.5)
    solution = solve(run, restarts=1)
    penalized = ForestError.build(run.data, Bleu()).loss(solution.weights) + run.space.penalty(
        solution.weights
    )
    assert solution.loss == pytest.approx(penalized, rel=1e-12)


@pytest.mark.slow
def test_more_restarts_are_never_worse() -> None:
    losses = [solve(run_for(chain_pool(24, 20)), restarts=restarts).loss for restarts in (0, 3, 7)]
    assert losses == sorted(losses, reverse=True)


def test_scouts_find_better_starts_than_the_given_one() -> None:
    run = run_for(chain_pool(28, 30))
    alone, scouted = (solve(run, turns=turns, restarts=0, rounds=1) for turns in (0, 3))
    assert scouted.loss < alone.loss < alone.start_loss == scouted.start_loss


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    runs = [solve(run_for(chain_pool(25, 40), threads=threads), restarts=1) for threads in (1, 2, 3)]
    assert same(runs[0], runs[1])
    assert same(runs[0], runs[2])


def test_searches_that_share_an_objective_do_not_disturb_one_another() -> None:
    pool = chain_pool(26, 20)
    space = Space.build(pool.feature_names, len(pool), start=START)

    def run(threads: int) -> tuple[FloatArray, float]:
        objective, optimizer = ForestError.build(pool, Bleu()), LineSearch(restarts=7, threads=threads)
        state = optimizer.start(objective, space)
        while not state.done:
            state = optimizer.step(objective, space, state, lambda loss, weights: None)
        return state.weights, state.loss

    (one, loss), (four, other) = run(1), run(4)
    assert loss == other
    assert np.array_equal(one, four)


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    make = partial(run_for, chain_pool(27))
    runs.check_resumes("forest-mert", tmp_path / "history.jsonl", make, 2, restarts=9)


@pytest.mark.parametrize(
    "options",
    [
        {"restarts": -1},
        {"scouts": -1},
        {"turns": -1},
        {"directions": -1},
        {"rounds": 0},
        {"reach": 0.0},
        {"variant": "newton"},
        {"guided": 1},
    ],
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        solve(run_for(chain_pool(1)), **options)
