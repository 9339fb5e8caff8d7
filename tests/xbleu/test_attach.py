"""Models with a trained reordering model: what they contain, and what can be done with them."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from tests.commands import run
from tests.decode import tiny
from tests.decode.test_sparse_reordering import WIDE, weight_of
from tests.model.jackknife.folded import Folded, fold_corpus
from tests.xbleu.attached import assert_equal, dense, of_sparse, write_classes

from tunesmith import Decoding, decode_file
from tunesmith.decode import DecodeOutputs
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError, TunesmithWarning, UnusedWeightWarning
from tunesmith.features import SparseReordering
from tunesmith.features.sparse_hrm import SparseHRM, SparseHRMBiPhrases, SparseHRMLocal
from tunesmith.model import Model
from tunesmith.model.exporting import export_model
from tunesmith.model.itg import itg_over
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.part_records import TrainedReorderingPart
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning import tune_model
from tunesmith.weights import Weights, WeightStore
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_options import ReorderingOptions

CLASSES = 8


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("folded"), 240, folds=4)


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    return folded.train("phrase", classes=CLASSES)


def write_trained(folder: Path, model: Path, template: SparseReordering, sentences: list[str]) -> Path:
    """A trained model with a weight for each feature of some sentences."""
    folder.mkdir()
    for path in model.glob("*.txt"):
        if path.name.startswith(("frequent.", "words.", "classes.")):
            shutil.copyfile(path, folder / path.name)
    decoder = open_decoder(model, templates=[template])
    names: set[str] = set()
    for found in decoder.translate_all(sentences, forest=True):
        assert found.forest is not None
        names.update(filter(template.owns, found.forest.feature_names))
    store = WeightStore.of({name: weight_of(name) / 10 for name in sorted(names)})
    TrainedReordering.write(folder, template.with_lists(folder), store, {})
    return folder


@pytest.fixture(scope="module")
def sentences(folded: Folded) -> list[str]:
    return folded.lines("de")[:12]


@pytest.fixture(scope="module")
def reordering(model: Path, sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    template = SparseHRMBiPhrases(classes=(CLASSES,))
    return write_trained(tmp_path_factory.mktemp("trained") / "biphrases", model, template, sentences)


@pytest.fixture(scope="module")
def attached(model: Path, reordering: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return attach(model, reordering, tmp_path_factory.mktemp("attached") / "model").directory


def test_a_model_has_one_feature_per_orientation_with_the_weight_one(model: Path, attached: Path):
    made, whole = Model.open(attached, verify=True), Model.open(model)
    names = [f"SparseHRMBiPhrases_{each}" for each in ("monotone", "swap", "left", "right", "global")]
    assert dict(made.weights) == {**whole.weights, **dict.fromkeys(names, 1.0)}
    assert made.phrase_tables[0].path == str((model / "phrases.bin").resolve())
    assert list(open_decoder(attached).feature_names)[-5:] == names
    assert not (attached / "phrases.bin").exists()
    assert json.loads(json.dumps(made.record)) == json.loads((attached / "features.json").read_text())


def test_nothing_is_done_again_unless_the_model_changed(model: Path, reordering: Path, tmp_path: Path):
    first = attach(model, reordering, tmp_path / "model")
    assert not any(step.skipped for step in first.steps)
    again = attach(model, reordering, tmp_path / "model")
    assert all(step.skipped for step in again.steps)
    shutil.copytree(reordering, tmp_path / "other")
    store = WeightStore.open(tmp_path / "other" / "weights")
    store.set(["SparseHRMBiPhrases_phrase_source_first_C8_c1_swap"], [0.25])
    store.save(tmp_path / "other" / "weights")
    changed = attach(model, tmp_path / "other", tmp_path / "model")
    assert {step.name for step in changed.steps if not step.skipped} == {"reordering", "scores 0", "features"}


def test_the_file_of_scores_does_not_depend_on_the_number_of_threads(
    model: Path, reordering: Path, attached: Path, tmp_path: Path
):
    one = attach(model, reordering, tmp_path / "one", threads=1).directory
    three = attach(model, reordering, tmp_path / "three", threads=3).directory
    assert (one / "reordering/rows.0.bin").read_bytes() == (three / "reordering/rows.0.bin").read_bytes()


def test_two_models_may_be_attached_but_not_two_of_one_name(
    model: Path, attached: Path, reordering: Path, sentences: list[str], tmp_path: Path
):
    template = SparseHRMLocal(classes=(CLASSES,))
    local = write_trained(tmp_path / "local", model, template, sentences)
    both = attach(attached, local, tmp_path / "both").directory
    opened = Model.open(both, verify=True)
    assert [part.name for part in opened.trained_reordering] == ["SparseHRMBiPhrases", "SparseHRMLocal"]
    assert opened.base == str(model.resolve())
    decoder = open_decoder(both)
    plain = open_decoder(model, templates=[template])
    phi = TrainedReordering.open(local).weights
    for sentence in sentences[:4]:
        best = decoder.translate(sentence)
        steps = decoder.replay(sentence, best.derivation)
        assert_equal(
            dense(steps, template.name), of_sparse(plain.replay(sentence, best.derivation), template, phi)
        )
        assert dense(steps, "SparseHRMBiPhrases")
    with pytest.raises(InputError, match="has features of a reordering model 'SparseHRMBiPhrases' already"):
        attach(both, reordering, tmp_path / "third")


def test_a_model_under_another_name_scores_the_same(
    attached: Path, reordering: Path, sentences: list[str], tmp_path: Path
):
    twice = attach(attached, reordering, tmp_path / "twice", name="Again").directory
    decoder = open_decoder(twice)
    found = decoder.translate(sentences[1]).features
    own = {name: value for name, value in found.items() if name.startswith("Again_")}
    assert any(own.values())
    assert own == {name: found[name.replace("Again", "SparseHRMBiPhrases")] for name in own}


def test_a_model_has_the_lists_that_were_made_for_its_features(
    folded: Folded, model: Path, sentences: list[str], reordering: Path, tmp_path: Path
):
    plain = folded.train("phrase")
    assert not (plain / f"classes.source.{CLASSES}.txt").exists()
    made = attach(plain, reordering, tmp_path / "model").directory
    template = SparseHRM(classes=(CLASSES,))
    assert open_decoder(made, templates=[template]).translate(sentences[0]).found


def test_fold_models_have_the_trained_model_and_score_pairs_by_their_words(
    attached: Path, reordering: Path, model: Path, folded: Folded
):
    template = TrainedReordering.open(reordering).template
    phi = TrainedReordering.open(reordering).weights
    with FoldModels.of(attached).open(1) as directory, FoldModels.of(model).open(1) as plain_directory:
        fold = Model.open(directory, verify=True)
        assert fold.trained_reordering[0].rows == ()
        assert (directory / "phrases.bin").read_bytes() == (plain_directory / "phrases.bin").read_bytes()
        decoder = open_decoder(directory)
        plain = open_decoder(plain_directory, templates=[template])
        fired = 0
        for sentence in folded.fold("de", 1)[:5]:
            best = decoder.translate(sentence)
            found = dense(decoder.replay(sentence, best.derivation), template.name)
            assert_equal(found, of_sparse(plain.replay(sentence, best.derivation), template, phi))
            fired += len(found)
        assert fired


@pytest.mark.filterwarnings("ignore:the objective on held-out lists")  # there are 5
def test_lists_can_be_made_and_trained_on_again_with_the_new_model(model: Path, tmp_path: Path):
    directory = tmp_path / "plain"
    shutil.copytree(model, directory)
    write_classes(directory, (20, 50, 80))
    for number in range(2):
        seen = pytest.warns(
            TunesmithWarning, match=r"reordering model of .* \(Hrm0\) was trained on all folds"
        )
        with seen if number else nullcontext() as said:
            stored = write_lists(
                directory, tmp_path / f"lists{number}", options=ListOptions(nbest=10, pairs=60)
            )
        assert said is None or len(said) == 1
        options = ReorderingOptions(features="biphrases", epochs=2, tolerance=0.0, held_out_lists=5)
        train_reordering(stored.store.path, tmp_path / f"reordering{number}", options)
        made = attach(
            directory, tmp_path / f"reordering{number}", tmp_path / f"model{number}", name=f"Hrm{number}"
        )
        directory = made.directory
    decoder = open_decoder(directory)
    found = decoder.translate((model / "source.txt").read_text().splitlines()[0]).features
    assert {name.partition("_")[0] for name, value in found.items() if value} >= {"Hrm0", "Hrm1"}


@pytest.mark.filterwarnings("ignore:the objective on held-out lists does not rise")
def test_start_weights_are_those_that_the_lists_were_made_with(model: Path, tmp_path: Path):
    whole = Model.open(model)
    tuned = {name: value * 0.7 + 0.01 * n for n, (name, value) in enumerate(whole.weights.items())}
    Weights(tuned).write(tmp_path / "tuned.json")
    few = ListOptions(nbest=10, pairs=60)
    store = write_lists(model, tmp_path / "lists", few, Decoding(weights=tmp_path / "tuned.json")).store
    assert store.record["weights"]["values"] == tuned
    train_reordering(
        store.path, tmp_path / "reordering", ReorderingOptions(features="local", epochs=2, held_out_lists=5)
    )
    notes: list[str] = []
    made = attach(model, tmp_path / "reordering", tmp_path / "model", announce=notes.append)
    unit = 1 / TrainedReordering.open(tmp_path / "reordering").record["gamma"]
    ones = {f"SparseHRMLocal_{each}": unit for each in ("monotone", "swap", "left", "right", "global")}
    start = {**Weights.read(model / "weights.start.json"), **ones, **Weights.read(tmp_path / "tuned.json")}
    assert dict(Weights.read(made.directory / "weights.start.json")) == start == {**tuned, **ones}
    assert not notes
    lm = next(name for name in whole.weights if name.startswith("LM"))
    with pytest.warns(UnusedWeightWarning, match="^1 weight has no effect, because .* 'Another'$"):
        given = attach(model, tmp_path / "reordering", tmp_path / "given", weights={lm: 0.25, "Another": 3.0})
    assert dict(Model.open(given.directory).weights) == {**whole.weights, lm: 0.25, **ones}
    with pytest.raises(InputError, match="has no weight of the model"):
        attach(model, tmp_path / "reordering", tmp_path / "none", weights={"Another": 3.0})


def test_without_recorded_weights_the_models_own_are_used_with_a_note(
    model: Path, reordering: Path, tmp_path: Path
):
    notes: list[str] = []
    made = attach(model, reordering, tmp_path / "model", announce=notes.append).directory
    assert {name: Model.open(made).weights[name] for name in Model.open(model).weights} == dict(
        Model.open(model).weights
    )
    assert len(notes) == 1 and "does not record the weights" in notes[0]
    damaged = shutil.copytree(reordering, tmp_path / "damaged")
    record = json.loads((damaged / "reordering.json").read_text())
    for value in ({"LM0": "x"}, [1.0]):
        (damaged / "reordering.json").write_text(json.dumps({**record, "decoder_weights": value}))
        with pytest.raises(InputError, match=r"is damaged .*decoder_weights"):
            attach(model, damaged, tmp_path / "other")


def test_jackknifed_input_of_a_model_with_a_trained_part_warns_once(
    attached: Path, folded: Folded, tmp_path: Path
):
    own = folded.fold_of() == 1
    for side in ("de", "en"):
        lines = [line for line, is_own in zip(folded.lines(side), own, strict=True) if is_own][:3]
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines))
    jackknife = JackknifeOptions(jackknife=True, fold_folder=tmp_path / "folds", keep_fold_tables=True)
    with pytest.warns(TunesmithWarning, match="was trained on all folds") as said:
        decode_file(attached, tmp_path / "de", DecodeOutputs(tmp_path / "out"), Decoding(jackknife=jackknife))
    assert len(said) == 1
    setup = ModelSetup.of(attached, tmp_path / "de", [tmp_path / "en"], jackknife=jackknife)
    with pytest.warns(TunesmithWarning, match="was trained on all folds") as said:
        assert setup.details["jackknife"] and setup.folds() is not None
    assert len(said) == 1


def test_weights_of_the_orientations_are_tuned_like_any_other(
    attached: Path, folded: Folded, sentences: list[str], tmp_path: Path
):
    (tmp_path / "de").write_text("".join(f"{line}\n" for line in sentences))
    (tmp_path / "en").write_text("".join(f"{line}\n" for line in folded.lines("en")[: len(sentences)]))
    result = tune_model(
        attached,
        tmp_path / "de",
        [tmp_path / "en"],
        "pro",
        output=tmp_path / "run",
        iterations=1,
        nbest=20,
        standardize=True,
    )
    assert "SparseHRMBiPhrases_swap" in result.weights
    decoder = open_decoder(attached, result.weights)
    assert decoder.translate(sentences[0]).found


def test_models_of_rules_and_exports_refuse_it(attached: Path, reordering: Path, model: Path, tmp_path: Path):
    itg = itg_over(attached, tmp_path / "itg").directory
    assert Model.open(itg).trained_reordering == ()
    assert not [name for name in Model.open(itg).weights if name.startswith("SparseHRM")]
    with pytest.raises(InputError, match="is not a phrase model"):
        attach(itg, reordering, tmp_path / "chart")
    with pytest.raises(InputError, match="'SparseHRMBiPhrases', which Moses does not have"):
        export_model(attached, tmp_path / "moses")


def test_a_chart_decoder_and_damaged_records_are_errors(attached: Path, small_hiero: Path):
    model = Model.open(attached).anchored()
    chart = replace(Model.open(small_hiero), trained_reordering=model.trained_reordering)
    with pytest.raises(InputError, match="needs a decoder that goes from left to right"):
        ChartDecoder(chart)
    (part,) = model.trained_reordering
    for template in (
        {},
        {"name": "sparse-hrm", "options": {"top": "x"}, "lists": {}},
        {"name": "lengths", "options": {}, "lists": {}},
        {"name": "sparse-hrm", "options": {"only": "/etc/hostname"}, "lists": {}},
        {**part.template, "lists": {"source_labels": "0"}},
    ):
        damaged = replace(model, trained_reordering=(replace(part, template=template),))
        with pytest.raises(InputError, match="with a template that cannot be used"):
            PhraseDecoder(damaged, None, WIDE)
    record = Model.open(attached).record["trained_reordering"][0]
    for key, value in (("lists", ["../x"]), ("rows", [1]), ("template", "x"), ("folder", None)):
        with pytest.raises(ValueError, match=r"list|rows|template|folder"):
            TrainedReorderingPart.read({**record, key: value})


def test_a_damaged_file_of_scores_is_an_error_and_not_a_crash(attached: Path, tmp_path: Path):
    rows = (attached / "reordering/rows.0.bin").read_bytes()
    shutil.copytree(attached, tmp_path / "model")
    (tmp_path / "model/reordering/rows.0.bin").write_bytes(rows[:-8] + b"\x7f" * 8)
    with pytest.raises(InputError, match=r"rows\.0\.bin"):
        PhraseDecoder(Model.read(tmp_path / "model"), None, WIDE)


def test_errors_name_the_command_that_made_the_model(model: Path, reordering: Path, tmp_path: Path):
    base = shutil.copytree(model, tmp_path / "base")
    made = attach(base, reordering, tmp_path / "model").directory
    rows = (made / "reordering/rows.0.bin").read_bytes()
    (made / "reordering/rows.0.bin").write_bytes(rows[:-8])
    with pytest.raises(
        InputError, match="differs from the manifest; run the same `tunesmith xbleu attach` again"
    ):
        Model.open(made)
    (made / "reordering/rows.0.bin").unlink()
    with pytest.raises(InputError, match="is missing; run the same `tunesmith xbleu attach` again"):
        Model.open(made)
    (made / "reordering/rows.0.bin").write_bytes(rows)
    base.rename(tmp_path / "moved")
    with pytest.raises(
        InputError,
        match=r"base/.*: is missing, .* move both folders together, .* with `tunesmith xbleu attach`",
    ):
        Model.open(made)
    attach(tmp_path / "moved", reordering, made)
    assert open_decoder(made).translate("a").found


def test_a_model_is_not_attached_over_an_imported_one(reordering: Path, tmp_path: Path):
    imported = tiny.write_model(tmp_path / "moses", seed=5)
    before = {path: path.read_bytes() for path in imported.rglob("*.bin")}
    with pytest.raises(InputError, match=r"from import, not of kind .* from attach; name another folder"):
        attach(imported, reordering, imported)
    assert {path: path.read_bytes() for path in imported.rglob("*.bin")} == before


@pytest.mark.parametrize("name", ["", "a b", "x=", "a\tb", "a|||b"])
def test_names_that_lists_cannot_contain_are_refused(
    name: str, model: Path, reordering: Path, tmp_path: Path
):
    with pytest.raises(OptionError, match="which n-best lists cannot contain; expected letters"):
        attach(model, reordering, tmp_path / "model", name=name)
    assert not (tmp_path / "model").exists()


@pytest.mark.process
def test_the_command_attaches_and_the_result_decodes(model: Path, sentences: list[str], tmp_path: Path):
    template = SparseHRM(classes=(CLASSES,))
    reordering = write_trained(tmp_path / "hrm", model, template, sentences)
    done = run("xbleu", "attach", model, reordering, "-o", tmp_path / "model2")
    assert done.returncode == 0, done.stderr
    assert "does not record the weights" in done.stderr
    Weights({"LM0": 0.75}).write(tmp_path / "weights.json")
    flags = ("--weights", tmp_path / "weights.json", "-o", tmp_path / "weighted")
    done = run("xbleu", "attach", model, reordering, *flags)
    assert done.returncode == 0, done.stderr
    assert Model.open(tmp_path / "weighted").weights["LM0"] == 0.75
    decoded = run("decode", tmp_path / "model2", stdin=f"{sentences[0]}\n")
    assert decoded.returncode == 0 and decoded.stdout.strip()
    again = run("xbleu", "attach", tmp_path / "model2", reordering, "-o", tmp_path / "model3")
    assert again.returncode == 1
    assert "has features of a reordering model 'SparseHRM' already" in again.stderr
