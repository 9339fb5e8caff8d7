"""Training from a store to a finished model: choices, checkpoints, word lists, the command."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run
from tests.xbleu.toy_lists import toy_lists, write_store, write_word_lists

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.features import SparseHRMLocal, SparseHRMUncommon
from tunesmith.model import Model
from tunesmith.xbleu.compiled import compile_store, held_out_lists
from tunesmith.xbleu.gamma import ENTROPIES, choose_gamma, gamma_of_entropy
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import CHECKPOINT, Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions
from tunesmith.xbleu.word_lists import needed_lists, provide_lists

LISTS = (70, 50)
"""Lists per file of the toy store."""


@pytest.fixture(scope="module")
def toy_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two files of toy lists, and the model that it names."""
    return make_store(tmp_path_factory.mktemp("toy"))


def make_store(folder: Path, scale: float = 1.0) -> Path:
    model = folder / "model"
    model.mkdir()
    write_word_lists(model)
    files = [toy_lists(count, seed=10 + number) for number, count in enumerate(LISTS)]
    for each in itertools.chain(*files):
        each.scores = [scale * score for score in each.scores]
    return write_store(folder / "store", files, model=str(model))


def options(**given: Any) -> ReorderingOptions:
    return ReorderingOptions(**{"features": "local", "gamma": 1.5, "epochs": 4, **given})


def test_a_finished_model_scores_held_out_lists_better(toy_store: Path, tmp_path: Path) -> None:
    result = train_reordering(toy_store, tmp_path / "out", options(features="biphrases", tolerance=0.0))
    record = result.model.record
    assert record["lists"]["training"] + record["lists"]["held_out"] == sum(LISTS)
    assert [each["epoch"] for each in record["history"]] == [1, 2, 3, 4]
    training = [each["training"] for each in record["history"]]
    assert training == sorted(training)
    kept = record["history"][record["epoch"] - 1]
    assert kept["held_out"] == max(each["held_out"] for each in record["history"])
    assert kept["held_out"] > record["start"]["held_out"] + 0.01
    assert not list((tmp_path / "out").glob(CHECKPOINT))


def test_an_opened_model_is_the_one_that_was_written(toy_store: Path, tmp_path: Path) -> None:
    made = train_reordering(toy_store, tmp_path / "out", options()).model
    found = TrainedReordering.open(tmp_path / "out")
    assert found.template == made.template
    assert found.orientations == ("monotone", "swap", "left", "right", "global")
    assert dict(found.weights) == dict(made.weights)
    assert found.record == json.loads(json.dumps(made.record))
    assert len(found.weights) == found.record["features_with_weight"] > 100
    assert all(found.template.owns(name) for name in found.weights)
    seen = {row["part"]: row["seen"] for row in found.record["types"]}
    assert set(seen) == {
        f"phrase {place}" for place in ("source first", "source last", "target first", "target last")
    }


def test_the_same_seed_writes_the_same_bytes(toy_store: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train_reordering(toy_store, tmp_path / name, options(seed=seed, gamma=None))
    for file in ("weights", "reordering.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert (tmp_path / "a/weights").read_bytes() != (tmp_path / "c/weights").read_bytes()


@pytest.mark.parametrize("given", [{}, {"adagrad": True}, {"l2": 0.01}])
def test_training_does_not_depend_on_the_scale_of_scores(given: Any, toy_store: Path, tmp_path: Path) -> None:
    larger = make_store(tmp_path, scale=4.0)
    plain = train_reordering(toy_store, tmp_path / "a", options(gamma=1.5, **given)).model
    scaled = train_reordering(larger, tmp_path / "b", options(gamma=1.5 / 4, **given)).model
    assert plain.record["history"] == scaled.record["history"]
    assert dict(plain.weights) == dict(scaled.weights)
    assert plain.orientation_weight == pytest.approx(1 / 1.5, rel=1e-12)
    assert scaled.orientation_weight == 4 * plain.orientation_weight


@pytest.mark.parametrize("given", [{}, {"adagrad": True}, {"l2": 0.01, "average_steps": True}, {"batch": 7}])
def test_a_training_that_was_killed_resumes_to_the_bit(
    given: Any, toy_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = options(tolerance=0.0, **given)
    whole = train_reordering(toy_store, tmp_path / "whole", chosen)
    committed = 0
    commit = TrainingFolder.commit

    def commit_twice(self: TrainingFolder, state: Checkpoint) -> None:
        nonlocal committed
        commit(self, state)
        committed += 1
        if committed == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingFolder, "commit", commit_twice)
    with pytest.raises(KeyboardInterrupt):
        train_reordering(toy_store, tmp_path / "killed", chosen)
    resumed = train_reordering(toy_store, tmp_path / "killed", chosen)
    assert (whole.resumed_after, resumed.resumed_after) == (0, 2)
    assert resumed.model.record == whole.model.record
    assert (tmp_path / "killed/weights").read_bytes() == (tmp_path / "whole/weights").read_bytes()


@pytest.mark.parametrize("finished", [False, True])
def test_shards_of_a_training_that_was_killed_at_its_end_are_removed(
    finished: bool, toy_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, folder = options(shards=2), tmp_path / "killed"
    whole = train_reordering(toy_store, tmp_path / "whole", chosen)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        # All epochs are committed; it is killed before or after it writes the model.
        patched.setattr(
            *((TrainingFolder, "finish") if finished else (TrainedReordering, "write")), interrupt
        )
        train_reordering(toy_store, folder, chosen)
    (folder / ".shards").mkdir()  # a kill runs no code that would remove it
    for name in ("lists.0", ".state.npz", "state.1.npz"):
        (folder / ".shards" / name).write_text("")
    assert (folder / "checkpoint.npz").exists()
    again = train_reordering(toy_store, folder, chosen)
    assert again.model.record == whole.model.record
    names = {path.name for path in folder.iterdir()}
    assert names == {path.name for path in (tmp_path / "whole").iterdir()}
    assert not {".shards", "checkpoint.npz"} & names


def test_a_restart_without_shards_removes_those_of_a_killed_training(toy_store: Path, tmp_path: Path) -> None:
    train_reordering(toy_store, tmp_path / "model", options(shards=2))
    (tmp_path / "model" / ".shards").mkdir()
    train_reordering(toy_store, tmp_path / "model", options(restart=True))
    assert not (tmp_path / "model" / ".shards").exists()


def test_files_of_a_user_among_shards_stay(toy_store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    (folder / ".shards").mkdir(parents=True)
    (folder / ".shards" / "mine").write_text("precious")
    for _ in range(2):  # trained, and finished
        train_reordering(toy_store, folder, options(shards=2))
        assert [path.name for path in (folder / ".shards").iterdir()] == ["mine"]


def test_a_damaged_checkpoint_is_refused(
    toy_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(TrainedReordering, "write", interrupt)
        train_reordering(toy_store, tmp_path / "out", options())
    checkpoint = tmp_path / "out" / CHECKPOINT
    whole = checkpoint.read_bytes()
    for wrong in (b"", whole[: len(whole) // 2], b"nothing of the kind"):
        checkpoint.write_bytes(wrong)
        with pytest.raises(InputError, match="is damaged"):
            train_reordering(toy_store, tmp_path / "out", options())
    checkpoint.write_bytes(whole)
    assert train_reordering(toy_store, tmp_path / "out", options()).resumed_after == 4


def interrupt(*arguments: object) -> None:
    raise KeyboardInterrupt


def test_a_finished_training_is_not_repeated_and_another_one_is_refused(
    toy_store: Path, tmp_path: Path
) -> None:
    train_reordering(toy_store, tmp_path / "out", options())
    before = (tmp_path / "out/weights").stat().st_mtime_ns
    assert train_reordering(toy_store, tmp_path / "out", options()).seconds == 0
    assert (tmp_path / "out/weights").stat().st_mtime_ns == before
    with pytest.raises(OptionError, match=r"contains a training with rate 0\.1, not 0\.2; use the same"):
        train_reordering(toy_store, tmp_path / "out", options(rate=0.2))
    again = train_reordering(toy_store, tmp_path / "out", options(rate=0.2, restart=True))
    assert again.model.record["options"]["rate"] == 0.2
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file").touch()
    with pytest.raises(InputError, match="expected a new or an empty"):
        train_reordering(toy_store, tmp_path / "other", options())


def test_a_training_that_diverges_says_so(toy_store: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="diverged in epoch 1"):
        train_reordering(toy_store, tmp_path / "out", options(rate=1e38, gamma=1e-6))


def test_gamma_leaves_the_entropy_that_was_asked_for(toy_store: Path, tmp_path: Path) -> None:
    lists = compiled(toy_store, tmp_path)
    nothing = np.zeros(len(lists.features), dtype=np.float32)
    for entropy in ENTROPIES:
        gamma = gamma_of_entropy(lists.held_out, len(nothing), entropy)
        assert gamma is not None
        assert _native.evaluate_lists(lists.held_out, nothing, gamma).entropy == pytest.approx(
            entropy, abs=2e-3
        )


def test_the_largest_gamma_with_most_of_the_best_gain_is_chosen(toy_store: Path, tmp_path: Path) -> None:
    lists = compiled(toy_store, tmp_path)

    def learner(gamma: float) -> _native.ReorderingLearner:
        objective = _native.ListObjective.EXPECTED_GAIN
        return _native.ReorderingLearner(len(lists.features), objective=objective, gamma=gamma, rate=0.1)

    gamma, trials = choose_gamma(lists, learner, options().metric, 1)
    assert [trial.entropy for trial in trials] == list(ENTROPIES)
    nothing = np.zeros(len(lists.features), dtype=np.float32)
    start = options().metric.score(_native.evaluate_lists(lists.held_out, nothing, 1.0).best)
    best = max(trial.bleu for trial in trials)
    assert best > start
    good = [trial.gamma for trial in trials if trial.bleu - start >= 0.75 * (best - start)]
    assert gamma == max(good)
    assert sorted(trial.gamma for trial in trials) == [trial.gamma for trial in trials]


def compiled(store: Path, folder: Path) -> Any:
    opened = ListStore.open(store)
    template = SparseHRMLocal().with_lists(opened.model)
    return compile_store(opened, template, options().metric, held_out_lists(sum(LISTS), 12, 1), folder)


@pytest.mark.parametrize(
    ("lists", "wanted", "expected"), [(100_000, 5000, 5000), (120, 5000, 12), (5, 5000, 1)]
)
def test_held_out_lists_are_drawn_and_never_more_than_a_tenth(lists: int, wanted: int, expected: int) -> None:
    chosen = held_out_lists(lists, wanted, 1)
    assert chosen.sum() == expected
    assert (chosen == held_out_lists(lists, wanted, 1)).all()
    if expected > 1:
        assert (chosen != held_out_lists(lists, wanted, 2)).any()


def test_a_single_list_cannot_be_trained_on() -> None:
    with pytest.raises(InputError, match="at least 2"):
        held_out_lists(1, 5000, 1)


def test_lists_that_a_model_lacks_are_made_from_its_text(small_model: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    shutil.copy(small_model / "frequent.source.txt", model)
    for name in ("source.txt", "target.txt"):
        lines = (small_model / name).read_text().splitlines(keepends=True)
        (model / name).write_text("".join(lines[:60]))
    said: list[str] = []
    for template in (SparseHRMLocal(classes=(4,)), SparseHRMUncommon(classes=(4,))):
        provide_lists(template, model, tmp_path, said.append)
        assert template.with_lists(tmp_path).source_labels is not None
        assert all((tmp_path / name).is_file() for name in needed_lists(template))
    assert any("classes.source.4.txt" in line for line in said)
    assert any("words.target.txt" in line for line in said)
    assert any("frequent.target.txt" in line for line in said)
    assert not any("frequent.source.txt" in line for line in said)  # the model has it
    text = (model / "source.txt").read_text().split()
    listed = [line.split("\t") for line in (tmp_path / "words.source.txt").read_text().splitlines()]
    assert {word: int(count) for word, count in listed} == {word: text.count(word) for word in set(text)}


def test_a_model_without_text_names_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(InputError, match="no training text") as error:
        provide_lists(SparseHRMLocal(), tmp_path / "model", tmp_path)
    assert "tunesmith classes" in str(error.value)


def test_a_model_that_was_moved_can_be_named(toy_store: Path, tmp_path: Path) -> None:
    store, moved = tmp_path / "store", tmp_path / "moved"
    shutil.copytree(toy_store, store)
    shutil.copytree(ListStore.open(toy_store).model, moved)
    record = json.loads((store / "store.json").read_text())
    (store / "store.json").write_text(json.dumps(record | {"model": str(tmp_path / "gone")}))
    command = ("xbleu", "train", store, "--features", "local", "--epochs", 2, "--gamma", 1)
    done = run(*command, "-o", tmp_path / "out")
    assert done.returncode == 1
    assert f"{tmp_path / 'gone'}: is not there, but it made the lists" in done.stderr
    assert "if it was moved, say where to by --model" in done.stderr
    done = run(*command, "-o", tmp_path / "out", "--model", moved)
    assert done.returncode == 0, done.stderr


def test_the_text_of_a_model_that_adds_parts_is_that_of_its_base(small_model: Path, tmp_path: Path) -> None:
    base = replace(Model.open(small_model).anchored(), base=str(small_model), directory=tmp_path / "model")
    base.directory.mkdir()
    base.write()
    template = SparseHRMLocal(classes=())
    provide_lists(template, base.directory, tmp_path)
    assert all((tmp_path / name).is_file() for name in needed_lists(template))
    (tmp_path / "other").mkdir()
    replace(base, base=str(tmp_path / "gone")).write()
    with pytest.raises(InputError, match=r"gone: is not there, but .*model adds parts to it.*xbleu attach"):
        provide_lists(template, base.directory, tmp_path / "other")


def test_a_damaged_model_or_another_folder_is_refused(toy_store: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="xbleu train"):
        TrainedReordering.open(tmp_path)
    folder = train_reordering(toy_store, tmp_path / "out", options()).model.directory
    words = (folder / "frequent.source.txt").read_text()
    (folder / "frequent.source.txt").write_text(words.replace("s1\t", "s1x\t"))
    with pytest.raises(InputError, match="is damaged"):
        TrainedReordering.open(folder)
    (folder / "frequent.source.txt").write_text(words)
    TrainedReordering.open(folder)
    record = json.loads((folder / "reordering.json").read_text())
    for wrong in ({"version": 2}, {"template": 3}, {"orientations": None}, {"template": {"name": "nothing"}}):
        (folder / "reordering.json").write_text(json.dumps(record | wrong))
        with pytest.raises(InputError):
            TrainedReordering.open(folder)


def test_the_command_prints_types_and_objectives(toy_store: Path, tmp_path: Path) -> None:
    options = ("--features", "hrm", "--epochs", 2, "--objective", "cll", "-o", tmp_path / "out")
    done = run("xbleu", "train", toy_store, *options)
    assert done.returncode == 0, done.stderr
    assert "stack target last" in done.stdout
    assert "log-likelihood" in done.stdout
    assert "epoch 2:" in done.stderr
    assert "gamma" in done.stderr
    record = json.loads((tmp_path / "out/reordering.json").read_text())
    assert 0.1 <= record["entropy"] <= 0.91
    assert record["gamma"] in [trial["gamma"] for trial in record["gamma_trials"]]
    printed = run("xbleu", "train", toy_store, *options, "--json")
    assert json.loads(printed.stdout)["types"] == record["types"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--features", "locl"), 2, "locl"),
        (("--features", "local", "--gamma", "-1"), 2, "--gamma"),
        (("--features", "local", "--rate", "0"), 2, "--rate"),
        (("--features", "local", "--gamma", "1e300"), 2, "--gamma"),
        (("--features", "local", "--rate", "0.1", "--l2", "20"), 2, "--l2"),
        ((), 2, "--features"),
    ],
)
def test_wrong_options_end_with_two(
    arguments: Any, code: int, said: str, toy_store: Path, tmp_path: Path
) -> None:
    done = run("xbleu", "train", toy_store, *arguments, "-o", tmp_path / "out")
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


def test_a_folder_without_lists_ends_with_one(tmp_path: Path) -> None:
    done = run("xbleu", "train", tmp_path, "--features", "local", "-o", tmp_path / "out")
    assert done.returncode == 1
    assert "xbleu lists" in done.stderr
