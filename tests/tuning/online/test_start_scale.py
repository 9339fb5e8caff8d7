"""The scale of start weights in online learning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import get_metric
from tunesmith.model import Model
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.systems.setup import NO_FOLD
from tunesmith.tuning.online.documents import open_document
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.start_scale import Spread, balancing_factor, scaled
from tunesmith.tuning.online.tune import tune_online
from tunesmith.weights import WeightStore

OPTIONS = {"shards": 2, "epochs": 1, "nbest": 10, "threads": 1}


def setup_of(folder: Path) -> ModelSetup:
    return ModelSetup.of(folder / "model", folder / "dev.de", [folder / "dev.en"])


def start_record(folder: Path, output: str, **options) -> dict:
    return tune_online(setup_of(folder), output=folder / output, **{**OPTIONS, **options}).history[0]


def test_the_factor_makes_scores_vary_as_much_as_gains() -> None:
    assert balancing_factor([Spread(1.0, 4.0), Spread(3.0, 12.0)]) == 0.25
    assert balancing_factor([Spread(1.0, 0.0)]) == balancing_factor([Spread(0.0, 2.0)]) == 1.0


def test_weights_are_scaled_by_name() -> None:
    found = scaled(WeightStore.of({"a": 2.0, "b": -3.0}), 0.5)
    assert dict(found.items()) == {"a": 1.0, "b": -1.5}


@pytest.mark.slow
def test_start_weights_of_any_scale_learn_the_same(loop_folder: Path) -> None:
    weights = Model.open(loop_folder / "model").weights
    records, results = [], []
    for factor in (1.0, 64.0):  # a power of two: the scaled weights are equal to the last bit
        start = {name: factor * value for name, value in weights.items()}
        result = tune_online(setup_of(loop_folder), output=loop_folder / f"x{factor}", start=start, **OPTIONS)
        records.append(result.history[0])
        results.append(dict(WeightStore.open(result.weights).items()))
    assert records[0]["start_scale"] == pytest.approx(64 * records[1]["start_scale"], rel=1e-4)
    assert records[0]["score"] == records[1]["score"]
    assert results[0] == pytest.approx(results[1], rel=1e-3, abs=1e-4)


@pytest.mark.slow
def test_the_factor_is_that_of_lists_under_the_start_weights(loop_folder: Path) -> None:
    setup, metric = setup_of(loop_folder), get_metric("bleu")
    judged = JudgedSystem.opened(setup, metric, 10, NO_FOLD)
    system = judged.system.use(WeightStore.of(setup.start))
    stats, _ = system.measured(metric, judged.references)
    words = sum(system.source_words(sentence) for sentence in range(len(system)))
    document = open_document("chiang", metric)
    document.begin(stats, words, len(system))
    gains = scores = 0.0
    for sentence in range(len(system)):
        found = judged.candidates(sentence)
        assert found is not None
        gains += np.std(document.gains(found.stats, system.source_words(sentence)))
        scores += np.std(found.scores)
    record = start_record(loop_folder, "one", shards=1)
    assert record["start_scale"] == pytest.approx(gains / scores, rel=1e-9)


@pytest.mark.slow
def test_a_given_factor_is_used_and_a_continued_run_is_not_scaled(loop_folder: Path) -> None:
    assert start_record(loop_folder, "given", start_scale=3.0)["start_scale"] == 3.0
    again = start_record(loop_folder, "continued", start=loop_folder / "given" / "weights")
    assert again["start_scale"] == 1.0
    for factor in (0.0, 1e300):
        with pytest.raises(OptionError, match="start_scale"):
            start_record(loop_folder, f"wrong {factor}", start_scale=factor)
