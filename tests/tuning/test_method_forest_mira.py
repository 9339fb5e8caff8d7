"""MIRA on forests, small ones and those of both decoders."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.objectives.forests.margin_forests import rolled_pool
from tests.tuning import runs

from tunesmith.corpus import Alignments
from tunesmith.decode import open_decoder
from tunesmith.errors import OptionError
from tunesmith.forest import prune
from tunesmith.forest.pool import ForestPool
from tunesmith.generated import generate
from tunesmith.metrics import Bleu, get_metric
from tunesmith.model import train
from tunesmith.objectives.forests.forest_hope_fear import ForestHopeFear

POOL = rolled_pool(7, sentences=40)
TRAINED, TUNED = 200, 40


run_for = partial(runs.run_for, metric=Bleu(), l2=0.0)
solve = partial(runs.solve, "forest-mira")


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def decoded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ForestPool:
    """Forests of sentences that a model was not trained on."""
    folder = tmp_path_factory.mktemp(request.param)
    pairs = list(generate(TRAINED + TUNED, seed=1, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs[:TRAINED]))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs[:TRAINED]))
    Alignments.of(pair.alignment for pair in pairs[:TRAINED]).write(folder / "align")
    options = {"max_phrase_length": 4} if request.param == "phrase" else {"grammar": "global"}
    train(
        folder / "de",
        folder / "en",
        folder / "model",
        alignment=folder / "align",
        kind=request.param,
        lm_order=3,
        **options,
    )
    decoder = open_decoder(folder / "model")
    weights = {name: 1.0 if name.startswith("Unknown") else 0.1 for name in decoder.feature_names}
    decoder.weights = weights
    found = decoder.translate_all((pair.source for pair in pairs[TRAINED:]), forest=True, threads=1)
    forests = [prune(one.forest, weights, density=30) for one in found]
    return ForestPool.of(forests, [[pair.target for pair in pairs[TRAINED:]]])


@pytest.mark.parametrize("oracle", ["linear", "beam"])
def test_bleu_of_real_forests_improves(decoded: ForestPool, oracle: str) -> None:
    start = np.full(len(decoded.feature_names), 0.1)
    passes = 20 if oracle == "linear" else 8
    solution = solve(run_for(decoded, start=start), oracle=oracle, epochs=passes, beam=8, c=0.1)
    assert solution.loss < solution.start_loss - 0.01
    best = decoded.nbest(decoded.weights(solution.weights), 1, threads=1)
    assert solution.loss == -Bleu().gain(best.stats(Bleu()).sum(axis=0))


def test_the_result_is_the_best_average_of_its_history() -> None:
    run = run_for(POOL)
    solution = solve(run, epochs=25, c=0.5)
    losses = [record["loss"] for record in run.history.records]
    assert len(losses) == 25
    assert solution.loss == min(losses) < solution.start_loss
    assert solution.loss == ForestHopeFear.build(POOL, Bleu()).loss(solution.weights)


def test_bounds_and_frozen_weights_hold() -> None:
    run = run_for(POOL, start={"tm": 0.25}, frozen=["tm"], bounds={"lm": (0.0, 0.01)})
    weights = POOL.weights(solve(run, epochs=5, c=1.0).weights)
    assert weights["tm"] == 0.25
    assert 0.0 <= weights["lm"] <= 0.01
    assert weights["own0"] != 0


def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    make = partial(run_for, POOL, l2=0.1)
    runs.check_resumes("forest-mira", tmp_path / "history.jsonl", make, 4, epochs=8)


def test_the_seed_tells_the_order_of_visits() -> None:
    one, other = (solve(run_for(POOL, seed=seed), epochs=1).weights for seed in (1, 2))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, solve(run_for(POOL), epochs=1).weights)


@pytest.mark.parametrize(
    "options",
    [
        {"c": 0.0},
        {"decay": 1.5},
        {"decay": -0.1},
        {"epochs": 0},
        {"epochs": 1.5},
        {"oracle": "exact"},
        {"beam": 0},
    ],
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"forest-mira: {next(iter(options))} (must|cannot)"):
        solve(run_for(POOL), **options)


def test_other_metrics_are_refused() -> None:
    with pytest.raises(OptionError, match="need bleu, not chrf"):
        solve(run_for(POOL, metric=get_metric("chrf")))
