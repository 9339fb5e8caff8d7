"""When a training ends: the rule on made values, and trainings that end by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run
from tests.xbleu.test_train import make_store

from tunesmith.errors import OptionError
from tunesmith.xbleu.stopping import StoppingRule
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import SETTINGS, Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions


@pytest.fixture(scope="module")
def toy_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("toy"))


def options(**given: Any) -> ReorderingOptions:
    return ReorderingOptions(**{"features": "local", "gamma": 1.5, "epochs": 40, **given})


def ended_after(rule: StoppingRule, values: list[float]) -> tuple[int, str | None]:
    """Return after how many epochs training ends, and by what."""
    for count in range(len(values) + 1):
        if (ending := rule.ending(values[:count])) is not None:
            return count, ending
    return len(values), None


def test_two_values_that_are_close_by_chance_do_not_end_a_training_with_patience() -> None:
    values = [0.300, 0.310, 0.31001, 0.320, 0.315, 0.330, 0.329, 0.328, 0.33005]
    assert ended_after(StoppingRule(9, 0, 0.0003), values) == (3, "tolerance")
    assert ended_after(StoppingRule(9, 1, 0.0003), values) == (3, "patience")
    assert ended_after(StoppingRule(9, 2, 0.0003), values) == (8, "patience")
    assert ended_after(StoppingRule(9, 3, 0.0003), values) == (9, "patience")  # 0.33005 is hardly above 0.330
    assert ended_after(StoppingRule(9, 4, 0.0003), values) == (9, "epochs")


def test_a_fall_ends_a_training_with_patience_only() -> None:
    falling = [-10.0 - epoch for epoch in range(8)]
    assert ended_after(StoppingRule(8, 3, 0.0003), falling) == (4, "patience")
    assert ended_after(StoppingRule(8, 0, 0.0003), falling) == (8, "epochs")


@pytest.mark.parametrize("patience", [0, 1, 5])
def test_no_tolerance_means_all_epochs(patience: int) -> None:
    assert ended_after(StoppingRule(6, patience, 0.0), [0.5] * 10) == (6, "epochs")
    assert ended_after(StoppingRule(1, patience, 0.1), [0.5] * 10) == (1, "epochs")


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_the_last_epochs_is_compared_with_the_best_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = (1 - np.exp(-np.arange(60) / 10) + 0.03 * rng.standard_normal(60) - 2 * (seed % 2)).tolist()
    patience = 1 + seed % 7
    count, ending = ended_after(StoppingRule(60, patience, 0.001), values)
    for tried in range(1, count + 1):
        best = [max(values[:end]) for end in range(1, tried + 1)]
        level = tried > patience and best[-1] - best[-1 - patience] < 0.001 * abs(best[-1 - patience])
        assert level == (tried == count and ending == "patience")


def test_training_waits_and_the_record_and_the_report_say_why_it_ended(
    toy_store: Path, tmp_path: Path
) -> None:
    lines: list[str] = []
    chosen = options(tolerance=0.01, patience=3)
    record = train_reordering(toy_store, tmp_path / "out", chosen, lines.append).model.record
    values = [each["held_out"] for each in record["history"]]
    assert ended_after(chosen.stopping, values) == (len(values), "patience")
    assert 3 < len(values) < 40 and record["ended"] == "patience"
    said = "as the last 3 epochs together raised the held-out objective by less than 1%"
    assert lines[-1] == f"ended after {len(values)} epochs, {said}; epoch {record['epoch']} is kept"
    command = ("xbleu", "train", toy_store, "--features", "local", "--gamma", 1.5, "--epochs", 40)
    done = run(*command, "--tolerance", 0.01, "--patience", 3, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert f"{len(values)} epochs ({said})" in done.stdout


def test_the_literal_rule_and_all_epochs_are_options(toy_store: Path, tmp_path: Path) -> None:
    literal = train_reordering(toy_store, tmp_path / "a", options(tolerance=0.05, patience=0)).model.record
    values = [each["held_out"] for each in literal["history"]]
    changes = np.abs(np.diff(values)) / np.abs(values[:-1])
    assert literal["ended"] == "tolerance" and len(values) < 40
    assert changes[-1] < 0.05 and (changes[:-1] >= 0.05).all()
    whole = train_reordering(toy_store, tmp_path / "b", options(tolerance=0)).model.record
    assert (len(whole["history"]), whole["ended"]) == (40, "epochs")


def test_a_training_of_an_earlier_version_is_continued_by_its_own_rule_only(
    toy_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, folder = options(tolerance=0.05, patience=0), tmp_path / "out"
    whole = train_reordering(toy_store, tmp_path / "whole", chosen)
    commit = TrainingFolder.commit

    def commit_once(self: TrainingFolder, state: Checkpoint) -> None:
        commit(self, state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(TrainingFolder, "commit", commit_once)
        train_reordering(toy_store, folder, chosen)
    settings = json.loads((folder / SETTINGS).read_text())
    del settings["patience"]  # there was no such option
    (folder / SETTINGS).write_text(json.dumps(settings))
    with pytest.raises(OptionError, match=r"contains a training with patience 0, not \d+; use the same"):
        train_reordering(toy_store, folder, options(tolerance=0.05))
    resumed = train_reordering(toy_store, folder, chosen)
    assert resumed.resumed_after == 1
    assert resumed.model.record == whole.model.record


def test_a_training_of_all_epochs_does_not_depend_on_patience(toy_store: Path, tmp_path: Path) -> None:
    whole = train_reordering(toy_store, tmp_path / "out", options(epochs=3, tolerance=0, patience=2))
    assert "patience" not in whole.model.record["options"]
    again = train_reordering(toy_store, tmp_path / "out", options(epochs=3, tolerance=0, patience=7))
    assert again.seconds == 0
