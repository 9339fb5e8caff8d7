"""Stores of forests: jackknifed, resumed, trained on and attached; and the commands."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run
from tests.model.jackknife.folded import Folded, fold_corpus
from tests.xbleu.attached import write_classes
from tests.xbleu.made_forests import derivations_of, made_forests

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.metrics import Bleu
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.passes.decoding import Decoding
from tunesmith.xbleu import gamma
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.compiled import held_out_lists
from tunesmith.xbleu.forest_options import ForestOptions
from tunesmith.xbleu.forest_store import ForestStore, open_store
from tunesmith.xbleu.forests import write_forests
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions

KEPT = Decoding(jackknife=JackknifeOptions(jackknife=True, keep_fold_tables=True))
DENSITY, PAIRS = 8.0, 120
HRM = ForestOptions(features="hrm", density=DENSITY)


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("folded"), 60, folds=2)


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    """Fold models are made once, for all tests."""
    model = folded.train("phrase", max_phrase_length=2)
    models = FoldModels.of(model, KEPT.jackknife)
    for fold in range(2):
        with models.open(fold):
            pass
    return model


@pytest.fixture(scope="module")
def good_model(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model, with classes; it knows its text by heart."""
    folder = tmp_path_factory.mktemp("classes") / "model"
    shutil.copytree(small_model, folder)
    write_classes(folder, (20, 50, 80))
    return folder


@pytest.fixture(scope="module")
def store(good_model: Path, tmp_path_factory: pytest.TempPathFactory) -> ForestStore:
    some = replace(HRM, pairs=PAIRS, jackknife=False)
    return write_forests(good_model, tmp_path_factory.mktemp("store"), some).store


@pytest.fixture(scope="module")
def lists(good_model: Path, tmp_path_factory: pytest.TempPathFactory) -> ListStore:
    few = ListOptions(2, pairs=12, jackknife=False)
    return write_lists(good_model, tmp_path_factory.mktemp("lists"), options=few).store


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def options(**given: Any) -> ReorderingOptions:
    return ReorderingOptions(**{"features": "local", "gamma": 1.0, "epochs": 3, "tolerance": 0.0, **given})


def test_every_sentence_is_translated_without_its_fold(folded: Folded, model: Path, tmp_path: Path) -> None:
    store = write_forests(model, tmp_path / "store", HRM, KEPT).store
    assert store.sentences == 60
    folds, sides = folded.fold_of(), [folded.lines(side) for side in ("de", "en")]
    models = FoldModels.of(model, KEPT.jackknife)
    for fold, path in enumerate(store.files):
        file = _native.EventForestFile(str(path))
        rows = file.sentences().tolist()
        assert {int(folds[row]) for row in rows} == {fold}
        texts = [[side[row] for row in rows] for side in sides]
        with models.open(fold) as directory:
            decoder = PhraseDecoder.open(directory)
            wanted, _ = made_forests(decoder, *texts, tmp_path / "fold", density=DENSITY)
        assert [derivations_of(file, i) for i in (0, 1)] == [derivations_of(wanted, i) for i in (0, 1)]
        for number in range(max(len(file), len(wanted))):
            for found, expected in zip(file.forest(number), wanted.forest(number), strict=True):
                np.testing.assert_array_equal(found, expected)


def test_counts_are_sums_over_the_files(store: ForestStore) -> None:
    files = [_native.EventForestFile(str(path)) for path in store.files]
    counts = store.counts
    assert counts.sentences == store.sentences == sum(map(len, files)) == PAIRS
    assert counts.edges == sum(file.edge_count for file in files)
    assert counts.bytes == sum(path.stat().st_size for path in store.files)
    statistics = np.concatenate([file.best_statistics() for file in files])
    np.testing.assert_allclose(counts.statistics, statistics.sum(axis=0))
    short = statistics[statistics[:, 1] < statistics[:, 8]]
    assert counts.brevity == pytest.approx((short[:, 8] / short[:, 1]).sum()) and len(short)
    assert 0.5 < Bleu().score(counts.statistics) < 0.95
    assert isinstance(open_store(store.path), ForestStore)


def test_other_options_are_refused(good_model: Path, store: ForestStore) -> None:
    other = replace(HRM, pairs=PAIRS, jackknife=False, density=9)
    with pytest.raises(OptionError, match=r"contains forests with density 8.0, not 9"):
        write_forests(good_model, store.path, other)


@pytest.mark.parametrize("features", ["local", "hrm", "biphrases"])
def test_training_raises_the_expected_gain_of_held_out_forests(
    features: str, store: ForestStore, tmp_path: Path
) -> None:
    record = train_reordering(store.path, tmp_path / "out", options(features=features)).model.record
    assert record["lists"]["training"] + record["lists"]["held_out"] == PAIRS
    training = [each["training"] for each in record["history"]]
    assert training == sorted(training)
    kept = record["history"][record["epoch"] - 1]
    assert kept["held_out"] > record["start"]["held_out"] + 1e-4
    assert record["start"]["held_out"] == pytest.approx(0.75, abs=0.15)
    assert record["linear_bleu"]["matches"] == sorted(record["linear_bleu"]["matches"])


@pytest.mark.filterwarnings("ignore:the objective on held-out forests")
def test_gamma_is_chosen_by_the_entropy_of_derivations(store: ForestStore, tmp_path: Path) -> None:
    record = train_reordering(store.path, tmp_path / "out", options(gamma=None, epochs=1)).model.record
    assert record["gamma"] in [trial["gamma"] for trial in record["gamma_trials"]]
    chosen = next(trial for trial in record["gamma_trials"] if trial["gamma"] == record["gamma"])
    assert record["entropy"] == pytest.approx(chosen["entropy"], abs=2e-3)


@pytest.mark.parametrize(
    "given", [{}, {"adagrad": True, "objective": "cll"}, {"l2": 0.01, "average_steps": True}]
)
def test_a_training_that_was_killed_resumes_to_the_bit(
    given: Any, store: ForestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train_reordering(store.path, tmp_path / "whole", options(**given))
    commit = TrainingFolder.commit

    def commit_and_die(self: TrainingFolder, state: Checkpoint) -> None:
        commit(self, state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(TrainingFolder, "commit", commit_and_die)
        train_reordering(store.path, tmp_path / "killed", options(**given))
    resumed = train_reordering(store.path, tmp_path / "killed", options(**given))
    assert resumed.resumed_after == 1
    assert resumed.model.record == whole.model.record
    assert (tmp_path / "killed/weights").read_bytes() == (tmp_path / "whole/weights").read_bytes()


def test_a_model_trained_on_forests_is_attached_and_decodes(
    good_model: Path, store: ForestStore, tmp_path: Path
) -> None:
    trained = train_reordering(store.path, tmp_path / "out", options(features="hrm", epochs=1)).model
    attached = attach(good_model, trained.directory, tmp_path / "attached")
    decoder = PhraseDecoder.open(attached.directory)
    assert decoder.weights["SparseHRM_swap"] == 1.0
    for name, weight in store.record["weights"]["values"].items():
        assert decoder.weights[name] == pytest.approx(weight)
    sentence = (good_model / "source.txt").read_text().splitlines()[0]
    assert decoder.translate(sentence).text


def test_forests_for_local_features_serve_no_others(good_model: Path, tmp_path: Path) -> None:
    local = ForestOptions(features="local", density=8, pairs=60, jackknife=False)
    store = write_forests(good_model, tmp_path / "store", local).store
    assert not store.blocks
    train_reordering(store.path, tmp_path / "out", options(epochs=1))
    with pytest.raises(OptionError, match=r"forests for the features local.*--features hrm"):
        train_reordering(store.path, tmp_path / "other", options(features="hrm"))
    with pytest.raises(OptionError, match="smoothing is an option of lists"):
        train_reordering(store.path, tmp_path / "other", options(smoothing="add-one"))
    assert not (tmp_path / "other").exists()


def test_the_commands_report_what_they_wrote(good_model: Path, tmp_path: Path) -> None:
    command = ("xbleu", "forests", good_model, "--features", "hrm", "--pairs", 40, "--no-jackknife")
    done = run(*command, "-o", tmp_path / "store", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["forests"] == found["decoded"] == found["pairs"] == 40
    assert found["edges_per_forest"] > found["nodes_per_forest"] > 1
    assert found["bytes_per_forest"] * 40 == found["bytes"] > 0
    done = run(*command, "-o", tmp_path / "store")
    assert done.returncode == 0 and "40 forests of 40 sentence pairs" in done.stderr
    assert "resumed after 1 of 1 files" in done.stderr
    done = run(
        "xbleu", "train", tmp_path / "store", "--features", "local", "--epochs", 1, "-o", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    for shown in ("linear BLEU", "held-out forests", "BLEU of best derivations", "statistics, not clipped"):
        assert shown in done.stdout
    done = run("xbleu", "forests", good_model, "-o", tmp_path / "other")
    assert done.returncode == 2 and "--features" in done.stderr


def test_the_record_of_a_training_names_what_it_measured(store: ForestStore, tmp_path: Path) -> None:
    record = train_reordering(store.path, tmp_path / "out", options(epochs=1)).model.record
    for measures in (record["start"], *record["history"]):
        assert measures["linear_bleu"] <= measures["oracle_linear_bleu"]
        assert measures["expected_unclipped_bleu"] > 0
        assert not {"sentence_bleu", "oracle_sentence_bleu", "expected_bleu"} & set(measures)
    settings = json.loads((tmp_path / "out/training.json").read_text())
    assert "smoothing" not in record["options"] and "smoothing" not in settings


def test_messages_of_a_training_on_forests_are_about_forests(
    store: ForestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    still = options(epochs=1, rate=1e-30)
    with pytest.warns(TunesmithWarning, match="objective on held-out forests .* too few forests, or"):
        train_reordering(store.path, tmp_path / "out", still, lines.append)
    assert any("of even forests" in line for line in lines)
    assert any("(not clipped)" in line for line in lines)
    with pytest.raises(InputError, match="at least 2 forests, one to train on and one held out; found 1"):
        held_out_lists(1, 5000, 1, "forests")
    monkeypatch.setattr(gamma, "gamma_of_entropy", lambda *_: None)
    with pytest.raises(InputError, match=r"no gamma leaves the held-out forests .* or make other forests"):
        train_reordering(store.path, tmp_path / "other", options(gamma=None))


def test_a_store_of_the_other_kind_is_refused_by_its_kind(
    store: ForestStore, lists: ListStore, tmp_path: Path
) -> None:
    with pytest.raises(
        InputError, match=r"has forests of .*; expected a store of lists, as `tunesmith xbleu lists`"
    ):
        train_reordering(lists.path, tmp_path / "out", options(), others=[store.path])
    with pytest.raises(
        InputError, match=r"has lists of .*; expected a store of forests, as `tunesmith xbleu forest"
    ):
        ForestStore.open(lists.path)
    with pytest.raises(InputError, match=r"not a store of lists or forests: .* xbleu lists` or `.* forests`"):
        open_store(tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_text_without_usable_pairs_is_refused_with_the_reasons(good_model: Path, tmp_path: Path) -> None:
    short = replace(HRM, max_length=1, jackknife=False)
    with pytest.raises(InputError, match=r"has no sentence pair to translate; of .* \d+ are too long"):
        write_forests(good_model, tmp_path / "store", short)


def test_a_damaged_file_is_an_error(store: ForestStore, tmp_path: Path) -> None:
    shutil.copytree(store.path, tmp_path / "store")
    file = tmp_path / "store" / "forests.00000"
    file.unlink()
    with pytest.raises(
        InputError, match=r"forests.00000: is missing; run the same `tunesmith xbleu forests`"
    ):
        open_store(tmp_path / "store")
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"forests.00000"):
        train_reordering(tmp_path / "store", tmp_path / "out", options())
