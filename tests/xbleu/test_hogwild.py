"""Threads that share the weights without locks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.xbleu.test_train import make_store, options
from tests.xbleu.test_training import GAIN, GAMMA, Compiled
from tests.xbleu.toy_lists import toy_lists

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.features import SparseHRM, SparseHRMUncommon
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder


@pytest.fixture(scope="module")
def toy_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("toy"))


@pytest.mark.parametrize("kind", [SparseHRM, SparseHRMUncommon])
def test_two_learners_reach_the_objective_of_one(kind: Any, tmp_path: Path) -> None:
    made = Compiled(toy_lists(300, seed=8, candidates=6), kind(), tmp_path)
    start, _ = _native.list_gradient(made.set, np.zeros(len(made.names), dtype=np.float32), GAIN, GAMMA)
    reached = []
    for learners in (1, 2):
        learner = made.learner(threads=learners, rate=0.02)  # large steps depend much on their order
        for epoch in range(1, 11):
            assert learner.learn(made.set, 1, epoch)[0] == 300
        reached.append(_native.list_gradient(made.set, learner.weights(), GAIN, GAMMA)[0])
    assert reached[0] > start + 0.05
    assert reached[1] == pytest.approx(reached[0], abs=0.05 * (reached[0] - start))


def test_a_training_with_learners_says_that_it_depends_on_timing(toy_store: Path, tmp_path: Path) -> None:
    said: list[str] = []
    record = train_reordering(toy_store, tmp_path / "out", options(learners=2), said.append).model.record
    assert "2 learners share the weights without locks: the result depends on timing" in said
    assert record["learners"] == [2]
    assert record["options"]["learners"] == "several"
    assert record["history"][record["epoch"] - 1]["held_out"] > record["start"]["held_out"]


def test_trials_of_gamma_have_one_thread(toy_store: Path, tmp_path: Path) -> None:
    trials = [
        train_reordering(
            toy_store, tmp_path / str(learners), options(gamma=None, epochs=1, learners=learners)
        ).model.record["gamma_trials"]
        for learners in (1, 3)
    ]
    assert trials[0] == trials[1] != []


def test_a_training_continues_with_another_number_of_learners_but_not_from_one_to_several(
    toy_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = TrainingFolder.commit

    def commit_once(self: TrainingFolder, state: Checkpoint) -> None:
        commit(self, state)
        raise KeyboardInterrupt

    for name, learners in (("one", 1), ("two", 2)):
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(TrainingFolder, "commit", commit_once)
            train_reordering(toy_store, tmp_path / name, options(learners=learners, tolerance=0.0))
    with pytest.raises(OptionError, match=r"learners (none, not several|several, not none)"):
        train_reordering(toy_store, tmp_path / "one", options(learners=2, tolerance=0.0))
    with pytest.raises(OptionError, match=r"learners (none, not several|several, not none)"):
        train_reordering(toy_store, tmp_path / "two", options(tolerance=0.0))
    done = train_reordering(toy_store, tmp_path / "two", options(learners=3, tolerance=0.0))
    assert done.resumed_after == 1
    assert done.model.record["learners"] == [2, 3]
    assert [each["learners"] for each in done.model.record["history"]] == [2, 3, 3, 3]


def test_records_of_one_thread_do_not_name_it(toy_store: Path, tmp_path: Path) -> None:
    """So that trainings of earlier versions can be continued, and results compared."""
    record = train_reordering(toy_store, tmp_path / "out", options(epochs=1)).model.record
    settings = json.loads((tmp_path / "out/training.json").read_text())
    for found in (record, record["options"], settings, *record["history"]):
        assert not {"learners", "joint", "dense_rate", "start_decoder_weights"} & set(found)


@pytest.mark.parametrize("given", [{"l2": 0.1}, {"batch": 2}, {"adagrad": True}, {"average_steps": True}])
def test_what_learners_cannot_share_is_refused(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(OptionError, match=f"{name} works with learners 1 only"):
        options(learners=2, **given)
    assert getattr(options(learners=1, **given), name) == given[name]
