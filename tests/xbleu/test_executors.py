"""Lists by workers that are used again, and trainings by executors: those of this process, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.distribute.shipping_executor import ShippingExecutor
from tests.model.jackknife.folded import fold_corpus
from tests.xbleu.test_train import make_store

from tunesmith import _native
from tunesmith.decode import open_decoder
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import InputError, OptionError
from tunesmith.passes.decoding import Decoding
from tunesmith.xbleu import list_text
from tunesmith.xbleu.compiled import compile_store, held_out_lists
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.shard_passes import LearnerSetup, ShardPasses, state_of
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_options import ReorderingOptions


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.mark.process
def test_workers_that_are_used_again_take_the_new_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_text, "PIECE", 8)
    model = fold_corpus(tmp_path, 24, folds=2).train("phrase", max_phrase_length=2)
    options = ListOptions(nbest=5, jackknife=False)
    start = dict(open_decoder(model).weights)
    others = {name: -weight for name, weight in start.items()}
    with LocalExecutor(2) as executor:
        write_lists(model, tmp_path / "run", options, Decoding(weights=start, executor=executor))
        first = bytes_of(tmp_path / "run")
        again = ListOptions(nbest=5, jackknife=False, restart=True)
        write_lists(model, tmp_path / "run", again, Decoding(weights=others, executor=executor))
    write_lists(model, tmp_path / "usual", options, Decoding(weights=others, threads=1))
    lists = {name for name in first if name.startswith("lists.0")}
    assert len(lists) > 1
    for name in lists:
        assert bytes_of(tmp_path / "run")[name] == bytes_of(tmp_path / "usual")[name] != first[name]


@pytest.fixture(scope="module")
def toy_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("toy"))


def options(**given: Any) -> ReorderingOptions:
    chosen = {"features": "local", "gamma": 1.5, "epochs": 3, "tolerance": 0.0, "shards": 3, **given}
    return ReorderingOptions(**chosen)


def test_a_training_on_shards_depends_on_no_executor_and_resumes(toy_store: Path, tmp_path: Path) -> None:
    given = options(adagrad=True, average_steps=True)
    local = train_reordering(toy_store, tmp_path / "local", given, executor=LocalExecutor(1))
    shipped = train_reordering(
        toy_store, tmp_path / "shipped", given, executor=ShippingExecutor(tmp_path, backwards=True)
    )
    with pytest.raises(KeyboardInterrupt):
        train_reordering(toy_store, tmp_path / "cut", given, executor=ShippingExecutor(tmp_path, most=7))
    resumed = train_reordering(toy_store, tmp_path / "cut", given, executor=LocalExecutor(1))
    assert resumed.resumed_after == 2
    for other in (shipped, resumed):
        assert bytes_of(other.model.directory)["weights"] == bytes_of(local.model.directory)["weights"]
        assert other.model.record["history"] == local.model.record["history"]
    assert local.model.record["options"]["shards"] == 3
    assert not (local.model.directory / ".shards").exists()
    best = max(each["held_out"] for each in local.model.record["history"])
    assert best > local.model.record["start"]["held_out"]
    with pytest.raises(OptionError, match="two ways of training"):
        options(learners=2)


def test_an_epoch_of_shards_is_the_mean_of_learners_of_their_lists(toy_store: Path, tmp_path: Path) -> None:
    store, given = ListStore.open(toy_store), options()
    template = given.template().with_lists(store.model)
    held_out = held_out_lists(120, 10, 1)
    compiled = compile_store(store, template, given.metric, held_out, tmp_path)
    training = compiled.training
    assert isinstance(training, _native.TrainingSet)
    setup = LearnerSetup(len(compiled.features), "xbleu", {"gamma": 1.5, "rate": 0.2})
    begin = state_of(setup.learner())
    with pytest.raises(OptionError, match=r"shards 1000 is more than the \d+ lists to train on"):
        ShardPasses(training, 1000, tmp_path / "shards", LocalExecutor(1))
    passes = ShardPasses(training, 4, tmp_path / "shards", LocalExecutor(1))
    mixed, objective = passes.learn(setup, begin, 7, 1)
    learned, objectives = [], []
    sets = [_native.TrainingSet.open(str(tmp_path / "shards" / f"lists.{shard}")) for shard in range(4)]
    assert sum(map(len, sets)) == len(training)
    assert sum(each.uses for each in sets) == training.uses
    for each in sets:
        learner = setup.learner()
        objectives.append(learner.learn(each, 7, 1))
        learned.append(learner.averages())
    np.testing.assert_array_equal(
        mixed["averages"], np.mean([each.astype(np.float64) for each in learned], axis=0).astype(np.float32)
    )
    lists = [number for number, _ in objectives]
    assert objective == pytest.approx(np.average([value for _, value in objectives], weights=lists))
    whole, parts = setup.learner(), setup.learner()
    training.write(str(tmp_path / "whole"), 0, len(training))
    whole.learn(training, 7, 1)
    parts.learn(_native.TrainingSet.open(str(tmp_path / "whole")), 7, 1)
    np.testing.assert_array_equal(whole.weights(), parts.weights())
    passes.close()


@pytest.mark.process
def test_workers_that_are_used_again_take_the_lists_of_another_training(
    toy_store: Path, tmp_path: Path
) -> None:
    store, given = ListStore.open(toy_store), options()
    template = given.template().with_lists(store.model)
    found: dict[tuple[int, int], Any] = {}
    for workers in (1, 2):
        with LocalExecutor(workers) as executor:
            for seed in (1, 2):
                (folder := tmp_path / f"{workers}-{seed}").mkdir()
                held_out = held_out_lists(120, 60, seed)
                compiled = compile_store(store, template, given.metric, held_out, folder)
                assert isinstance(compiled.training, _native.TrainingSet)
                setup = LearnerSetup(len(compiled.features), "xbleu", {"gamma": 1.5, "rate": 0.2})
                passes = ShardPasses(compiled.training, 2, tmp_path / "shards", executor)
                found[workers, seed] = passes.learn(setup, state_of(setup.learner()), 7, 1)[1]
                passes.close()
    assert found[2, 1] == found[1, 1] != found[1, 2] == found[2, 2]


def test_damaged_lists_of_a_shard_are_refused(toy_store: Path, tmp_path: Path) -> None:
    store, given = ListStore.open(toy_store), options()
    template = given.template().with_lists(store.model)
    compiled = compile_store(store, template, given.metric, held_out_lists(120, 10, 1), tmp_path)
    assert isinstance(compiled.training, _native.TrainingSet)
    with pytest.raises(InputError, match="expected a range"):
        compiled.training.write(str(tmp_path / "x"), 5, 1000)
    compiled.training.write(str(tmp_path / "part"), 5, 9)
    content = bytearray((tmp_path / "part").read_bytes())
    content[-40] ^= 255
    (tmp_path / "part").write_bytes(content)
    with pytest.raises(InputError):
        _native.TrainingSet.open(str(tmp_path / "part"))
