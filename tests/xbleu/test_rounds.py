"""Trainings that start from an earlier model and learn from several stores, on toy lists."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run
from tests.decode import tiny
from tests.xbleu.toy_lists import ToyList, toy_lists, write_store, write_word_lists

from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.chosen_lists import ChosenLists
from tunesmith.xbleu.compiled import held_out_lists
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.seen_sentences import SENTENCES, SeenSentences
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions

pytestmark = pytest.mark.filterwarnings("ignore:the objective on held-out lists does not rise")  # few

WEIGHTS = {"LM0": 0.5, "Distortion0": 0.25}
GAMMA = 1.5
TUNED = {"monotone": 0.5, "swap": 2.0, "left": 1.0, "right": -1.0, "global": 1.5}
ONES = dict.fromkeys(TUNED, 1.0)
NAME = "SparseHRMLocal"


def distinct(lists: list[ToyList]) -> list[ToyList]:
    """The first list of each source sentence."""
    return list({each.source: each for each in reversed(lists)}.values())[::-1]


FIRST = distinct(toy_lists(90, seed=3, longest=6))
SECOND = distinct([each for each in FIRST if len(each.source) > 2] + toy_lists(30, seed=5, longest=6))[5:]
"""Lists of many of the same sentences, at other places; some are new."""


def make_store(
    folder: Path,
    lists: Sequence[ToyList],
    *,
    weights: Mapping[str, float] | None = WEIGHTS,
    left_out: Mapping[str, Mapping[str, float]] | None = None,
    digests: Mapping[str, str] | None = None,
    model: str = "nowhere",
) -> Path:
    about: dict[str, Any] = {"model": model}
    if weights is not None:
        added = {f"{name}_{each}": w for name, of in (left_out or {}).items() for each, w in of.items()}
        about["weights"] = {"values": {**weights, **added}}
    if left_out:
        about["left_out"] = left_out
    if digests:
        about["left_out_digests"] = digests
    return write_store(folder, [list(lists)], **about)


def options(**given: Any) -> ReorderingOptions:
    chosen = {"features": "local", "gamma": None, "epochs": 2, "tolerance": 0.0, "rate": 0.02}
    return ReorderingOptions(**{**chosen, **given})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stores of two rounds, and the model of the first."""
    folder = tmp_path_factory.mktemp("rounds")
    (folder / "model").mkdir()
    write_word_lists(folder / "model")
    first = make_store(folder / "first", FIRST, model=str(folder / "model"))
    make_store(folder / "second", SECOND, left_out={NAME: TUNED})
    train_reordering(first, folder / "one", options(gamma=GAMMA))
    return folder


def scores_of(lists: Sequence[ToyList], phi: Mapping[str, float], trained: TrainedReordering) -> Any:
    """The scores of the candidates of each list under weights by name, by the template's own code."""
    return [
        np.array(each.scores)
        + [sum(phi.get(n, 0.0) * v for n, v in row.items()) for row in each.features(trained.template)]
        for each in lists
    ]


def test_the_start_is_the_decoders_whole_score(home: Path, tmp_path: Path) -> None:
    """Held-out measures before training are those of the start model in the decoder that made the lists."""
    one = TrainedReordering.open(home / "one")
    made = train_reordering(home / "second", tmp_path / "two", options(), start=home / "one").model
    phi = {name: value * TUNED[name.rpartition("_")[2]] for name, value in one.weights.items()}
    before = SeenSentences.read(home / "one")
    marks = ChosenLists.of(ListStore.open(home / "second"), [], before, options()).stores[0][1]
    held_out = [each for each, mark in zip(SECOND, marks.tolist(), strict=True) if mark == 1]
    assert len(held_out) == made.record["lists"]["held_out"] >= 3
    expected, best, metric = 0.0, np.zeros(9), options().metric
    for each, scores in zip(held_out, scores_of(held_out, phi, one), strict=True):
        p = np.exp(GAMMA * (scores - scores.max()))
        expected += float(p @ each.gains(metric) / p.sum()) / len(held_out)
        best += each.statistics()[scores.argmax()]
    assert made.record["gamma"] == GAMMA
    assert made.record["start"]["held_out"] == pytest.approx(expected, abs=1e-6)
    assert made.record["start"]["bleu"] == pytest.approx(metric.score(best))
    assert made.record["start_model"]["weights"] == TUNED


def test_no_held_out_sentence_is_trained_on_in_any_store_or_round(home: Path) -> None:
    first, second = (ListStore.open(home / name) for name in ("first", "second"))
    one = SeenSentences.read(home / "one")
    trained = {
        each.source for each, held in zip(FIRST, held_out_lists(len(FIRST), 5000, 1), strict=True) if not held
    }
    naive = held_out_lists(len(SECOND), 5000, 1)  # what a draw from the second store would hold out
    assert trained & {each.source for each, held in zip(SECOND, naive, strict=True) if held}
    for start, main, other in ((one, second, first), (one, first, second), (None, second, first)):
        chosen = ChosenLists.of(main, [other], start, options())
        texts = {first.path: FIRST, second.path: SECOND}
        marked = [
            (each.source, mark)
            for store, marks in chosen.stores
            for each, mark in zip(texts[store.path], marks.tolist(), strict=True)
        ]
        held_out = {source for source, mark in marked if mark == 1}
        learned = {source for source, mark in marked if mark == 0} | (trained if start else set())
        assert held_out and not held_out & learned
        assert any(mark == 2 for _, mark in marked) and (chosen.stores[1][1] != 1).all()
        assert sum(mark == 0 for _, mark in marked) > len(FIRST)


def test_nothing_is_learned_from_held_out_lists_of_another_store(home: Path, tmp_path: Path) -> None:
    both = options(features="biphrases", gamma=GAMMA)
    first, second = (ListStore.open(home / name) for name in ("first", "second"))
    result = train_reordering(
        second.path, tmp_path / "out", both, others=[first.path], model=home / "model"
    ).model
    assert len(result.weights) == result.record["features_with_weight"]
    chosen = ChosenLists.of(second, [first], None, both)
    seen: dict[bool, set[str]] = {True: set(), False: set()}
    for lists, (_, marks) in zip((SECOND, FIRST), chosen.stores, strict=True):
        for each, mark in zip(lists, marks.tolist(), strict=True):
            seen[mark == 0].update(chain(*each.features(result.template)))
    assert seen[False] - seen[True] and set(result.weights) <= seen[True]
    count = sum(int((marks == 0).sum()) for _, marks in chosen.stores)
    assert result.record["lists"]["training"] == count


def test_rounds_go_on_to_hold_out_the_sentences_of_the_first(home: Path, tmp_path: Path) -> None:
    two = train_reordering(
        home / "second", tmp_path / "two", options(), start=home / "one", others=[home / "first"]
    ).model
    one, before = (SeenSentences.read(folder).held_out for folder in (home / "one", tmp_path / "two"))
    assert np.isin(one, before).all()
    third = make_store(tmp_path / "third", SECOND[::-1], left_out={NAME: ONES})
    three = train_reordering(third, tmp_path / "three", options(), start=tmp_path / "two").model
    assert (SeenSentences.read(three.directory).held_out == before).all()
    assert three.record["lists"]["held_out"] == two.record["lists"]["held_out"]


def test_weights_of_features_that_do_not_occur_again_are_kept(home: Path, tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", SECOND[:30], left_out={NAME: TUNED})
    made = train_reordering(store, tmp_path / "two", options(), start=home / "one").model
    one = TrainedReordering.open(home / "one")
    occurring = {name for each in SECOND[:30] for row in each.features(one.template) for name in row}
    others = [name for name in one.weights if name not in occurring]
    assert others and any(name in occurring for name in one.weights)
    for name in others:
        assert made.weights[name] == pytest.approx(
            made.record["gamma"] * one.weights[name] * TUNED[name.rpartition("_")[2]]
        )
    assert made.record["features_with_weight"] == len(made.weights)
    assert made.record["types"] and made.record["replaces"] == [NAME]


def test_word_lists_are_those_of_the_start_model(home: Path, tmp_path: Path) -> None:
    """The store names a model that is not there: nothing is taken from it."""
    made = train_reordering(home / "second", tmp_path / "two", options(), start=home / "one").model
    for path in (home / "one").glob("*.txt"):
        assert (made.directory / path.name).read_bytes() == path.read_bytes()
    assert made.record["template"] == TrainedReordering.open(home / "one").record["template"]


def test_a_killed_training_with_a_start_resumes_to_the_bit(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"start": home / "one", "others": [home / "first"]}
    whole = train_reordering(home / "second", tmp_path / "whole", options(epochs=3), **given)
    commit = TrainingFolder.commit

    def dying(self: TrainingFolder, state: Checkpoint) -> None:
        commit(self, state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(TrainingFolder, "commit", dying)
        train_reordering(home / "second", tmp_path / "killed", options(epochs=3), **given)
    resumed = train_reordering(home / "second", tmp_path / "killed", options(epochs=3), **given)
    assert resumed.resumed_after == 1 and resumed.model.record == whole.model.record
    assert (tmp_path / "killed/weights").read_bytes() == (tmp_path / "whole/weights").read_bytes()


def test_another_start_or_other_stores_are_another_training(home: Path, tmp_path: Path) -> None:
    def again(**given: Any) -> None:
        train_reordering(
            home / "second", tmp_path / "out", options(gamma=GAMMA), model=home / "model", **given
        )

    again(start=home / "one")
    again(start=home / "one")
    for given, message in (
        ({}, "a training with another start model; use"),
        ({"start": home / "one", "others": [home / "first"]}, "a training with other added stores; use"),
    ):
        with pytest.raises(OptionError, match=message):
            again(**given)


def test_gamma_is_that_of_the_start_unless_the_scale_is_another(home: Path, tmp_path: Path) -> None:
    larger = make_store(
        tmp_path / "store",
        SECOND,
        weights={name: 4 * value for name, value in WEIGHTS.items()},
        left_out={NAME: TUNED},
    )
    chosen = train_reordering(larger, tmp_path / "chosen", options(), start=home / "one").model.record
    assert chosen["gamma_trials"]
    kept = train_reordering(home / "second", tmp_path / "kept", options(), start=home / "one").model.record
    assert kept["gamma"] == GAMMA and not kept["gamma_trials"]
    given = train_reordering(larger, tmp_path / "given", options(gamma=0.75), start=home / "one").model.record
    assert given["gamma"] == 0.75


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({**WEIGHTS, "LM0": 0.75}, r"differ in the weight of LM0 \(0.5, 0.75\), so that the scales"),
        ({"LM0": 0.5}, r"differ in their features \(one has Distortion0\)"),
        (None, "does not record the weights of its decoder"),
        (WEIGHTS, None),
    ],
)
def test_stores_of_other_weights_are_warned_of(
    weights: Mapping[str, float] | None, message: str | None, home: Path, tmp_path: Path
) -> None:
    other = make_store(tmp_path / "other", FIRST, weights=weights)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        train_reordering(home / "second", tmp_path / "out", options(), start=home / "one", others=[other])
    about = [str(each.message) for each in said if "scales" in str(each.message)]
    if message is None:
        assert not about
    else:
        with pytest.raises(TunesmithWarning, match=message):
            raise TunesmithWarning(*about)


def test_a_start_that_does_not_fit_is_refused(home: Path, tmp_path: Path) -> None:
    def refused(message: str, store: Path = home / "second", **given: Any) -> None:
        with pytest.raises((InputError, OptionError), match=message):
            train_reordering(
                store, tmp_path / "out", options(**given, restart=True), start=start, others=others
            )
        assert not (tmp_path / "out").exists()

    start, others = home / "one", list[Path]()
    refused("is a model with features local, not hrm; expected one of the same", features="hrm")
    refused("is a model with orientations mslrg, not msd; expected one", orientations="msd")
    kept = make_store(tmp_path / "kept", SECOND, weights={**WEIGHTS, f"{NAME}_monotone": 1.0})
    refused(f"contain those of {NAME}, which training would add once more; make lists with .*--retrain", kept)
    others = [kept]
    refused(f"contain those of {NAME}, which training would add once more")
    others = [home / "second"]
    refused("has the same lists as .*; name each store once")
    others = []
    renamed = make_store(tmp_path / "renamed", SECOND, left_out={"Other": ONES})
    refused(f"leave out the scores of Other, but the start model .* is named {NAME}; start from", renamed)
    known = make_store(tmp_path / "known", [each for each in FIRST if each.source not in held(FIRST)])
    refused("has only lists of sentences that the start model was trained on, so that none can be", known)
    alone = make_store(tmp_path / "alone", [each for each in FIRST if each.source in held(FIRST)])
    refused("has only lists of sentences that are held out, so that there is nothing to train on", alone)
    start = shutil.copytree(home / "one", tmp_path / "older")
    (start / SENTENCES).write_bytes(b"nothing of the kind")
    refused(f"{SENTENCES}: is damaged; train the model again")
    (start / SENTENCES).unlink()
    refused(f"older: has no {SENTENCES}, which says what was held out: it was trained on forests or by")


def held(lists: Sequence[ToyList]) -> set[tuple[str, ...]]:
    marks = held_out_lists(len(lists), 5000, 1)
    return {each.source for each, mark in zip(lists, marks, strict=True) if mark}


def test_lists_of_another_model_of_the_same_name_are_refused(home: Path, tmp_path: Path) -> None:
    """The start model must be the one that made the lists, not only have its name."""
    msd = {"monotone": 1.0, "swap": 1.0, "discontinuous": 1.0}
    digest = TrainedReordering.open(home / "one").digest
    for name, left_out, made_with, message in (
        ("same", TUNED, digest, None),
        ("other", TUNED, digest[::-1], f"made with another model {NAME} than the start model .*; start from"),
        ("older", msd, None, f"made with a model {NAME} of the orientations monotone, swap, discontinuous"),
    ):
        digests = None if made_with is None else {NAME: made_with}
        store = make_store(tmp_path / name, SECOND, left_out={NAME: left_out}, digests=digests)
        if message is None:
            train_reordering(store, tmp_path / "out", options(), start=home / "one")
        else:
            with pytest.raises(InputError, match=message):
                train_reordering(store, tmp_path / "out2", options(), start=home / "one")


def test_models_that_added_stores_leave_out_are_replaced(home: Path, tmp_path: Path) -> None:
    made = train_reordering(home / "first", tmp_path / "out", options(), others=[home / "second"]).model
    assert made.record["replaces"] == [NAME]


def test_a_training_that_is_refused_leaves_no_folder(home: Path, tmp_path: Path) -> None:
    for given, message in (
        ({"joint": True}, "has no values of the decoder's features"),
        ({"features": "uncommon"}, "is not there, but it made the lists"),
    ):
        with pytest.raises(InputError, match=message):
            train_reordering(home / "first", tmp_path / "out", options(**given), model=tmp_path / "gone")
        assert not (tmp_path / "out").exists()


def test_a_model_attached_under_another_name_is_found_by_it(home: Path, tmp_path: Path) -> None:
    one = TrainedReordering.open(home / "one")
    other = one.renamed("Other")
    folder = shutil.copytree(home / "one", tmp_path / "other")
    made = {key: one.record[key] for key in ("gamma", "options", "store", "store_digest", "decoder_weights")}
    digest = TrainedReordering.write(folder, other.template, other.weights, made).digest
    store = make_store(tmp_path / "store", SECOND, left_out={"Other": TUNED}, digests={"Other": digest})
    renamed = train_reordering(store, tmp_path / "two", options(), start=folder).model
    plain = train_reordering(home / "second", tmp_path / "plain", options(), start=home / "one").model
    assert dict(renamed.weights) == dict(plain.weights) and renamed.template.name == NAME


def test_the_result_is_not_attached_to_the_model_that_it_replaces(home: Path, tmp_path: Path) -> None:
    plain = tiny.write_model(tmp_path / "plain", seed=5)
    attach(plain, home / "one", tmp_path / "model2")
    train_reordering(home / "second", tmp_path / "two", options(), start=home / "one")
    assert (tmp_path / "model2/reordering" / SENTENCES).read_bytes() == (
        home / "one" / SENTENCES
    ).read_bytes()
    with pytest.raises(
        InputError, match=f"has the reordering model '{NAME}', which .* to replace; attach it"
    ):
        attach(tmp_path / "model2", tmp_path / "two", tmp_path / "model3", name="Another")
    attach(plain, tmp_path / "two", tmp_path / "model3")


def test_the_command_takes_start_and_further_stores(home: Path, tmp_path: Path) -> None:
    command = ("xbleu", "train", home / "second", "--features", "local", "--epochs", 2, "--json")
    done = run(*command, "--start", home / "one", "--with", home / "first", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["start_model"]["folder"] == str(home / "one") and len(record["other_stores"]) == 1
    done = run(*command, "--with", home / "second", "-o", tmp_path / "twice")
    assert done.returncode == 2 and "--with: " in done.stderr
