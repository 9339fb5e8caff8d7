"""The decoder's weights, trained jointly with a reordering model."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.commands import run
from tests.xbleu.test_train import make_store as plain_store
from tests.xbleu.test_train import options
from tests.xbleu.toy_lists import ToyList, toy_lists, write_store, write_word_lists

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.features import SparseHRMLocal
from tunesmith.metrics import Bleu
from tunesmith.xbleu.compiled import CompiledLists, compile_store, held_out_lists
from tunesmith.xbleu.decoder_weights import DecoderWeights
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder

METRIC = Bleu(sentence="gao-he")
GAIN, LIKELIHOOD = _native.ListObjective.EXPECTED_GAIN, _native.ListObjective.LIKELIHOOD
GAMMA = 1.25
THETA = {"LM0": 0.5, "Wide0": 0.01, "Constant0": 2.0, "UnknownWordPenalty0": 0.01}
NOTHING = np.zeros(0, dtype=np.float32)


def dense_lists(count: int, seed: int, wide: float = 1.0) -> list[ToyList]:
    """Draw lists with values of features, of which the LM prefers good candidates more than its weight
    says; scores are features times weights."""
    draw = random.Random(seed)
    lists = toy_lists(count, seed=seed)
    for each in lists:
        gains = each.gains(METRIC)
        each.dense = [
            [
                -4 + 3 * float(gain) + draw.gauss(0, 0.3),
                wide * draw.gauss(-50, 40),
                7.0,
                draw.choice([0, -100]),
            ]
            for gain in gains
        ]
        theta = (THETA["LM0"], THETA["Wide0"] / wide, THETA["Constant0"], THETA["UnknownWordPenalty0"])
        each.scores = [float(np.dot(theta, row)) for row in each.dense]
    return lists


def make_store(folder: Path, wide: float = 1.0) -> Path:
    model = folder / "model"
    model.mkdir(parents=True)
    write_word_lists(model)
    files = [dense_lists(count, 20 + number, wide) for number, count in enumerate((60, 40))]
    weights = {"values": {**THETA, "Wide0": THETA["Wide0"] / wide}}
    return write_store(folder / "store", files, tuple(THETA), model=str(model), weights=weights)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("dense"))


@pytest.fixture(scope="module")
def lists(store: Path, tmp_path_factory: pytest.TempPathFactory) -> CompiledLists:
    opened = ListStore.open(store)
    template = SparseHRMLocal().with_lists(opened.model)
    folder = tmp_path_factory.mktemp("scratch")
    marks = held_out_lists(opened.sentences, 10, 1)
    return compile_store(opened, template, METRIC, marks, folder, None, dense=tuple(THETA))


def learner(lists: CompiledLists, **given: Any) -> _native.ReorderingLearner:
    chosen = {"objective": GAIN, "gamma": GAMMA, "rate": 0.1, **given}
    return _native.ReorderingLearner(len(lists.features), **chosen)


@settings(max_examples=30)
@given(
    st.integers(1, 3).flatmap(
        lambda features: st.lists(
            st.lists(
                st.sampled_from([0.0, 1.0, -2.5, 1e-3]) | st.floats(-1e6, 1e6, width=32),
                min_size=features,
                max_size=features,
            ),
            min_size=1,
            max_size=40,
        )
    )
)
def test_stored_values_are_differences_from_the_first_candidate(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "packed"
    names = [f"F{number}" for number in range(len(rows[0]))]
    writer = _native.ListWriter(names)
    count = len(rows)
    for _ in range(2):
        flat = [value for row in rows for value in row]
        matches = [[1, 0, 0, 0, 0]] * count
        _native.add_list(writer, 0, 3, ["a"], [0.0] * count, matches, [], [], [[]] * count, flat)
    writer.write(str(path))
    file = ListFile.open(path)
    assert file.dense_names == tuple(names)
    expected = (np.array(rows) - rows[0]).astype(np.float32)
    np.testing.assert_allclose(file.dense, np.concatenate([expected, expected]), atol=1e-5)


@pytest.mark.parametrize("objective", [GAIN, LIKELIHOOD])
def test_the_gradient_by_the_decoders_weights_equals_finite_differences(
    lists: CompiledLists, objective: Any
) -> None:
    weights = np.random.default_rng(3).normal(0, 0.2, len(lists.features)).astype(np.float32)
    changes = np.array([0.25, -0.004, 0.5, 0.001])
    value, phi, theta = _native.joint_gradient(lists.training, weights, changes.tolist(), objective, GAMMA)
    assert np.abs(theta[[0, 1, 3]]).min() > 1e-4
    assert theta[2] == 0, "it never varies"
    for feature, step in enumerate((1e-3, 1e-5, 1e-3, 1e-5)):
        values = []
        for sign in (-1, 1):
            moved = changes.copy()
            moved[feature] += sign * step
            values.append(
                _native.joint_gradient(lists.training, weights, moved.tolist(), objective, GAMMA)[0]
            )
        assert (values[1] - values[0]) / (2 * step) == pytest.approx(theta[feature], rel=1e-4, abs=1e-9)
    for feature in np.argsort(-np.abs(phi))[:10]:
        values = []
        for step in (-1 / 256, 1 / 256):
            moved_weights = weights.copy()
            moved_weights[feature] += np.float32(step)
            values.append(
                _native.joint_gradient(lists.training, moved_weights, changes.tolist(), objective, GAMMA)[0]
            )
        width = float(np.float32(weights[feature] + 1 / 256)) - float(np.float32(weights[feature] - 1 / 256))
        assert (values[1] - values[0]) / width == pytest.approx(phi[feature], rel=1e-3)
    if objective is GAIN:
        found = _native.evaluate_lists(lists.training, weights, GAMMA, changes.tolist())
        assert found.gain == pytest.approx(value, rel=1e-12)


def test_deviations_are_those_within_lists(lists: CompiledLists, store: Path) -> None:
    opened = ListStore.open(store)
    held_out = held_out_lists(opened.sentences, 10, 1)
    sums, candidates, number = np.zeros(len(THETA)), 0, 0
    for path in opened.files:
        file = ListFile.open(path)
        for begin, end in zip(file.scores[0][:-1], file.scores[0][1:], strict=True):
            if not held_out[number]:
                values = file.dense[begin:end].astype(np.float64)
                sums += ((values - values.mean(axis=0)) ** 2).sum(axis=0)
                candidates += len(values)
            number += 1
    found = lists.training.dense_deviations()
    np.testing.assert_allclose(found, np.sqrt(sums / candidates), rtol=1e-6)
    assert found[2] == 0


def test_a_step_of_a_batch_follows_the_mean_gradient_and_decays_to_the_start(lists: CompiledLists) -> None:
    rates, changes = np.array([0.5, 1e-4, 0.1, 0.0]), np.array([0.25, -0.004, 0.5, 0.0])
    nothing = np.zeros(len(lists.features), dtype=np.float32)
    _, _, gradient = _native.joint_gradient(lists.training, nothing, changes.tolist(), GAIN, GAMMA)
    learning = learner(lists, batch=len(lists.training), dense_rates=rates.tolist(), dense_decay=0.25)
    learning.set_dense_state(changes.tolist(), [])
    learning.learn(lists.training, 1, 1)
    np.testing.assert_allclose(learning.dense_changes(), 0.75 * changes + rates * gradient, rtol=1e-9)


def test_adagrad_divides_steps_of_the_decoders_weights(lists: CompiledLists) -> None:
    rates = np.array([0.1, 0.002, 0.1, 0.0])
    nothing = np.zeros(len(lists.features), dtype=np.float32)
    changes = squares = np.zeros(len(THETA))
    learning = learner(lists, batch=len(lists.training), rate=1e-30, adagrad=True, dense_rates=rates.tolist())
    for epoch in (1, 2):
        _, _, gradient = _native.joint_gradient(lists.training, nothing, changes.tolist(), GAIN, GAMMA)
        squares = squares + gradient**2
        changes = changes + rates * gradient / np.sqrt(np.where(squares > 0, squares, 1))
        learning.learn(lists.training, 1, epoch)
    np.testing.assert_allclose(learning.dense_changes(), changes, rtol=1e-9)
    np.testing.assert_allclose(learning.dense_squares(), squares, rtol=1e-9)
    assert changes[0] > 0.1


@pytest.mark.parametrize("batch", [1, 7])
def test_averages_are_means_of_the_decoders_weights_after_each_step(lists: CompiledLists, batch: int) -> None:
    count, rates = len(lists.training), [0.2, 1e-4, 0.0, 0.0]
    after_steps = []
    for taken in (*range(batch, count, batch), count):
        learning = learner(lists, batch=batch, dense_rates=rates)
        learning.learn(lists.training, 7, 1, taken)
        after_steps.append(learning.dense_changes())
    averaging = learner(lists, batch=batch, dense_rates=rates, average=True)
    averaging.learn(lists.training, 7, 1)
    np.testing.assert_array_equal(averaging.dense_changes(), after_steps[-1])
    np.testing.assert_allclose(averaging.dense_averages(), np.mean(after_steps, axis=0), rtol=1e-9)


def joint(**given: Any) -> Any:
    return options(**{"joint": True, "gamma": GAMMA, "tolerance": 0.0, **given})


def test_joint_training_without_a_rate_is_the_plain_one_to_the_bit(store: Path, tmp_path: Path) -> None:
    plain = train_reordering(store, tmp_path / "plain", joint(joint=False, gamma=None)).model
    still = train_reordering(store, tmp_path / "still", joint(dense_rate=0.0, gamma=None)).model
    assert (tmp_path / "plain/weights").read_bytes() == (tmp_path / "still/weights").read_bytes()
    for name in ("history", "gamma", "gamma_trials", "start", "decoder_weights"):
        assert plain.record[name] == still.record[name]
    assert still.record["start_decoder_weights"] == THETA


def test_joint_training_moves_the_weights_that_help(store: Path, tmp_path: Path) -> None:
    plain = train_reordering(store, tmp_path / "plain", joint(joint=False)).model.record
    made = train_reordering(store, tmp_path / "joint", joint(dense_rate=0.1)).model
    learned = made.decoder_weights
    assert learned == TrainedReordering.open(tmp_path / "joint").decoder_weights
    assert learned is not None
    assert learned["LM0"] > THETA["LM0"] + 0.1
    assert learned["Wide0"] != THETA["Wide0"]
    assert {name: learned[name] for name in ("Constant0", "UnknownWordPenalty0")} == {
        name: THETA[name] for name in ("Constant0", "UnknownWordPenalty0")
    }
    assert made.record["start_decoder_weights"] == THETA
    best, before = made.record["history"][made.record["epoch"] - 1], plain["history"][plain["epoch"] - 1]
    assert best["held_out"] > before["held_out"] + 0.01
    assert best["bleu"] > before["bleu"]


@pytest.mark.parametrize("given", [{}, {"adagrad": True}, {"l2": 0.05, "average_steps": True}])
def test_the_scale_of_a_feature_does_not_matter(given: Any, store: Path, tmp_path: Path) -> None:
    wide = make_store(tmp_path / "wide", wide=4.0)
    chosen = joint(dense_rate=0.05, epochs=2, **given)
    plain, scaled = (
        train_reordering(each, tmp_path / name, chosen).model for each, name in ((store, "a"), (wide, "b"))
    )
    assert plain.record["history"] == scaled.record["history"]
    first, second = (made.decoder_weights for made in (plain, scaled))
    assert first is not None and second is not None
    assert first["Wide0"] == pytest.approx(4 * second["Wide0"], rel=1e-12)
    assert first["LM0"] == second["LM0"]


def test_a_penalty_keeps_the_decoders_weights_at_their_start(store: Path, tmp_path: Path) -> None:
    far, near = (
        train_reordering(store, tmp_path / str(l2), joint(dense_rate=0.1, l2=l2)).model.decoder_weights
        for l2 in (0.0, 2.0)
    )
    assert far is not None and near is not None
    assert THETA["LM0"] < near["LM0"] < (THETA["LM0"] + far["LM0"]) / 2


@pytest.mark.parametrize("given", [{}, {"adagrad": True}, {"l2": 0.01, "average_steps": True, "batch": 3}])
def test_a_joint_training_that_was_killed_resumes_to_the_bit(
    given: Any, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = joint(epochs=3, **given)
    whole = train_reordering(store, tmp_path / "whole", chosen)
    commit = TrainingFolder.commit

    def commit_once(self: TrainingFolder, state: Checkpoint) -> None:
        commit(self, state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(TrainingFolder, "commit", commit_once)
        train_reordering(store, tmp_path / "killed", chosen)
    resumed = train_reordering(store, tmp_path / "killed", chosen)
    assert resumed.resumed_after == 1
    assert resumed.model.record == whole.model.record
    assert (tmp_path / "killed/weights").read_bytes() == (tmp_path / "whole/weights").read_bytes()


def test_learners_train_the_decoders_weights_too(store: Path, tmp_path: Path) -> None:
    one, two = (
        train_reordering(store, tmp_path / str(learners), joint(dense_rate=0.1, learners=learners)).model
        for learners in (1, 2)
    )
    assert one.decoder_weights is not None and two.decoder_weights is not None
    assert two.decoder_weights["LM0"] == pytest.approx(one.decoder_weights["LM0"], rel=0.1)


def test_lists_without_values_are_refused_with_the_way_out(tmp_path: Path) -> None:
    done = run(
        *("xbleu", "train", plain_store(tmp_path), "--features", "local", "--joint", "-o", tmp_path / "out")
    )
    assert done.returncode == 1
    assert "--joint" in done.stderr and "xbleu lists --dense" in done.stderr


def test_wrong_options_and_numbers_are_refused(lists: CompiledLists, store: Path) -> None:
    with pytest.raises(OptionError, match=r"dense_rate is the rate .* with joint only"):
        joint(joint=False, dense_rate=0.1)
    with pytest.raises(OptionError, match="dense_rate times l2"):
        joint(dense_rate=2.0, l2=0.5)
    with pytest.raises(InputError, match="values of 4 dense features, but there are 2 rates"):
        learner(lists, dense_rates=[1.0, 1.0]).learn(lists.training, 1, 1)
    nothing = np.zeros(len(lists.features), dtype=np.float32)
    with pytest.raises(InputError, match="values of 4 dense features, but there are 3 changes"):
        _native.evaluate_lists(lists.held_out, nothing, GAMMA, [0.0] * 3)
    with pytest.raises(InputError, match="1 values of dense features; expected 2 of each of 1"):
        _native.add_list(
            _native.ListWriter(["A", "B"]), 0, 3, ["a"], [0.0], [[1, 0, 0, 0, 0]], [], [], [[]], [1.0]
        )
    opened = ListStore.open(store)
    del opened.record["weights"]["values"]["LM0"]
    with pytest.raises(InputError, match="no weight of LM0"):
        DecoderWeights.of(opened)


def test_the_command_shows_the_decoders_weights(store: Path, tmp_path: Path) -> None:
    command = ("xbleu", "train", store, "--features", "local", "--epochs", 2, "--gamma", 1, "--joint")
    done = run(*command, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    learned = TrainedReordering.open(tmp_path / "out").decoder_weights
    assert learned is not None
    for name, weight in learned.items():
        assert f"{weight:.4f}" in next(line for line in done.stdout.splitlines() if f" {name} " in line)
