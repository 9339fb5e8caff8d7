"""Online learning with our own decoders, in this process, behind Mr. MIRA's protocol, and as a command."""

from __future__ import annotations

import pickle
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.model.jackknife.folded import fold_corpus
from tests.tuning.online.toy_online import judged_model

from tunesmith.decode.opening import open_decoder
from tunesmith.decode.request import Request
from tunesmith.distribute.shipping import Shipper
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import TEMPLATES
from tunesmith.generated import write_corpus
from tunesmith.metrics import get_metric
from tunesmith.metrics.base import Segments
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.model import Model
from tunesmith.systems.external_setup import ExternalSetup
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidate_view import CandidateView
from tunesmith.tuning.online.documents import open_document
from tunesmith.tuning.online.learner import LearnerOptions, learn_pass
from tunesmith.tuning.online.result import OnlineResult
from tunesmith.tuning.online.tasks import LearnTask, Part, learn_part
from tunesmith.tuning.online.tune import tune_online
from tunesmith.tuning.online.updates.passive_aggressive import PassiveAggressiveUpdate
from tunesmith.weights import WeightStore

PROGRAM = f"{shlex.quote(sys.executable)} -m tunesmith"


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    files = write_corpus(tmp_path_factory.mktemp("dev") / "dev", 10, seed=2, lowercase=True)
    return Path(files.source), [Path(target) for target in files.targets]


def learned(setup: Any, output: Path, **options: Any) -> OnlineResult:
    given = {"shards": 2, "epochs": 2, "nbest": 15, "threads": 1} | options
    return tune_online(setup, output=output, **given)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("small_model", "phrase-length"),
        ("small_hiero", "phrase-length"),
        ("small_model", "sparse-reordering"),
    ],
)
def test_sparse_weights_of_a_model_are_learned_and_recorded(
    kind: str, name: str, dev: tuple[Path, list[Path]], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    templates = [TEMPLATES[name]()]
    setup = ModelSetup.of(model, *dev, templates=templates)
    result = learned(setup, tmp_path / "run")
    counts = result.record["features_by_template"]
    store = WeightStore.open(result.weights)
    sparse = [each for each, value in store.items() if templates[0].owns(each) and value]  # shards may cancel
    assert counts[templates[0].name] == len(sparse) > 0
    assert result.record["features"] == len([value for value in store.values() if value])
    decoder = open_decoder(model, result.weights)  # the file records the templates
    assert [type(template) for template in decoder.templates] == [type(templates[0])]
    with pytest.raises(OptionError, match="templates"):
        open_decoder(model, result.weights, templates=[TEMPLATES["border-bigrams"]()])
    score = learned(setup, tmp_path / "again", start=result.weights, epochs=1).history[0]["score"]
    texts = Texts.of(each.text for each in decoder.translate_all(dev[0].read_text().splitlines()))
    metric = get_metric("bleu")
    stats = metric.measure(Segments.of(texts, [dev[1][0].read_text().splitlines()]))
    assert score == result.record["score"] == pytest.approx(float(metric.score(stats.sum(axis=0))))


@pytest.mark.process
def test_a_decoder_behind_the_protocol_learns_the_same_weights(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    start = WeightStore.of(Model.open(small_model).weights)
    inside = learned(
        ModelSetup.of(small_model, *dev, search={"table_breadth": 0}),
        tmp_path / "inside",
        start=start,
        start_scale=1.0,
    )
    command = f"{PROGRAM} mira-decoder {shlex.quote(str(small_model))} --nbest 15"
    setup = ExternalSetup.of(command, *dev, start, "mira")
    outside = learned(setup, tmp_path / "outside", start=start)
    found = dict(WeightStore.open(outside.weights).items())
    assert found == dict(WeightStore.open(inside.weights).items())


@pytest.mark.process
def test_a_command_that_writes_lists_is_run_once_per_shard_and_iteration(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    start = WeightStore.of(Model.open(small_model).weights)
    log = tmp_path / "log"
    command = (
        f"echo run >> {log}; {PROGRAM} decode {shlex.quote(str(small_model))} -q -i {{source}}"
        f" -o {tmp_path}/out"
        " --weights {weights} --nbest {size} --unique --nbest-output {nbest}"
    )
    setup = ExternalSetup.of(command, *dev, start, "nbest")
    result = learned(setup, tmp_path / "run", start=start, epochs=1, shards=1)
    assert 0 < result.record["updates"] <= 10
    assert len(log.read_text().splitlines()) == 3  # start, learning, score
    with pytest.raises(OptionError, match="needs start"):
        learned(setup, tmp_path / "other")
    with pytest.raises(OptionError, match="nbest or mira, not 'pipe'"):
        ExternalSetup.of(command, *dev, start, "pipe")


def test_training_text_is_translated_without_its_folds(tmp_path: Path) -> None:
    (tmp_path / "folded").mkdir()
    folded = fold_corpus(tmp_path / "folded", 60, folds=3)
    model = folded.train("phrase", max_phrase_length=3)
    rows = range(0, 12)
    for side in ("de", "en"):
        (tmp_path / side).write_text("".join(f"{folded.lines(side)[row]}\n" for row in rows))
    files = tmp_path / "de", [tmp_path / "en"]
    whole = learned(ModelSetup.of(model, *files), tmp_path / "whole", epochs=1)
    setup = ModelSetup.of(model, *files, jackknife=JackknifeOptions(jackknife=True))
    held_out = learned(setup, tmp_path / "held-out", epochs=1, shards=1)
    assert held_out.shards == len(set(folded.fold_of()[list(rows)].tolist()))
    assert held_out.history[0]["score"] < whole.history[0]["score"]
    assert whole.warnings and not held_out.warnings
    assert not any((model / "folds").glob("[0-9]*"))  # removed when no shard needs them


def test_sentences_without_a_translation_are_skipped_and_counted(small_model: Path) -> None:
    """Forced to a target that cannot be reached, a sentence has no translation."""
    metric, decoder = get_metric("bleu"), open_decoder(small_model)
    requests = [Request("der hund"), Request("die katze", target="xyzzy"), Request("ein haus")]
    texts = Texts.of(["the dog", "the cat", "a house"])
    online = judged_model(decoder, requests, (texts,), metric, 20)
    store = WeightStore.of(decoder.weights)
    document = open_document("chiang", metric)
    update, options = PassiveAggressiveUpdate(), LearnerOptions()
    view = CandidateView.of(options, online.system.dense)
    tally = learn_pass(online, store, update, document, [0, 1, 2], options, view)
    assert (tally.sentences, tally.skipped) == (2, 1)
    stats, missing = online.system.use(store).measured(metric, online.references)
    assert missing == 1
    assert stats[-1] == 6  # the reference of the skipped sentence counts: its translation is empty


@pytest.mark.slow
def test_weights_of_a_million_features_resume_in_two_seconds(tmp_path: Path) -> None:
    store = WeightStore()
    names = [f"RuleIdentity_{number}_the_house" for number in range(1_000_000)]
    store.set(names, np.linspace(0.5, 1.0, len(names)))
    store.save(tmp_path / "weights", about={"shards": 20})
    begin = time.monotonic()
    again = WeightStore.open(tmp_path / "weights")
    assert time.monotonic() - begin < 2.0
    assert len(again) == len(names)
    assert again[names[-1]] == 1.0


def test_a_task_has_paths_and_options_and_never_contents(tmp_path: Path) -> None:
    (tmp_path / "folded").mkdir()
    folded = fold_corpus(tmp_path / "folded", 60, folds=3)
    model = folded.train("phrase", max_phrase_length=3)
    for side in ("de", "en"):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in folded.lines(side)[:40]))
    templates = [TEMPLATES[name]() for name in ("phrase-length", "target-bigrams")]
    setup = ModelSetup.of(
        model,
        tmp_path / "de",
        [tmp_path / "en"],
        templates=templates,
        jackknife=JackknifeOptions(jackknife=True),
    )
    folds = setup.folds()  # which it keeps
    again = pickle.loads(pickle.dumps(setup))
    assert folds is not None and len(folds) == 40
    assert again == setup and "_folds" not in vars(again)
    part = Part(setup, get_metric("bleu"), 100, tmp_path / "shards", 0)
    files = tmp_path / "w", tmp_path / "s"
    options = LearnerOptions(), 0, 1, *files, setup.system.dense, None, (1.0,) * 20, tmp_path / "o"
    task = LearnTask(part, PassiveAggressiveUpdate(), *options)
    assert len(pickle.dumps((learn_part, task))) < 10_000
    assert len(Shipper().dumps((learn_part, task))) < 10_000


def test_shipping_refuses_files_that_would_stay_behind(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    ModelSetup.of(small_model, *dev).check_shipping()
    (tmp_path / "grammar").write_text("[X] ||| der ||| the ||| A=1\n")
    (tmp_path / "de").write_text('der hund\n<seg grammar="grammar">der hund</seg>\n')
    (tmp_path / "en").write_text("the dog\nthe dog\n")
    setup = ModelSetup.of(small_model, tmp_path / "de", [tmp_path / "en"])
    with pytest.raises(InputError, match=r"de:2: names the grammar .*, which ship would not send"):
        setup.check_shipping()
    assert setup.place(1) == f"{tmp_path / 'de'}:2"
    folds = JackknifeOptions(jackknife=True, fold_folder=tmp_path)
    with pytest.raises(OptionError, match="fold_folder names a folder of this machine"):
        ModelSetup.of(small_model, *dev, jackknife=folds).check_shipping()
