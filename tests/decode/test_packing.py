"""Packed models: one folder that translates as the model did, wherever it is."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.commands import run
from tests.decode.tiny import INI, write_random_lm

from tunesmith.decode.opening import open_decoder
from tunesmith.decode.packing import pack_model
from tunesmith.decode.preparation import model_side
from tunesmith.errors import InputError
from tunesmith.features import TargetBigrams
from tunesmith.features.record import template_record
from tunesmith.generated import write_corpus
from tunesmith.model import Manifest, Model, train
from tunesmith.model.importing import import_model
from tunesmith.model.inspection import inspect_model
from tunesmith.model.itg import itg_over
from tunesmith.model.manifest import checksum
from tunesmith.model.model import RECASER
from tunesmith.model.parts.names import PAIRS, SOURCE, TARGET
from tunesmith.weights import Weights

TEXTS = ("man hat keinen lehrer angerufen .", "schade , dass wir unseenword", "ja", "")


@pytest.fixture
def phrases(small_model: Path, tmp_path: Path) -> Path:
    """A copy of a model, which tests may delete."""
    return Path(shutil.copytree(small_model, tmp_path / "home" / "phrases"))


def translations(directory: Path) -> list[tuple[str, float, dict[str, float]]]:
    decoder = open_decoder(directory)
    return [(each.text, each.score, each.features) for each in map(decoder.translate, TEXTS)]


def rewrite(directory: Path, **changes: object) -> None:
    """Change the list of parts of a model, and record the change in its manifest."""
    replace(Model.read(directory), **changes).write()
    record = json.loads((directory / "manifest.json").read_text())
    for step in record["steps"].values():
        for name in step["outputs"]:
            path = directory / name
            step["outputs"][name] = {"bytes": path.stat().st_size, "sha256": checksum(path)}
    (directory / "manifest.json").write_text(json.dumps(record))


def test_a_packed_model_translates_bit_for_bit_after_a_move_without_the_originals(
    phrases: Path, tmp_path: Path
):
    derived = tmp_path / "elsewhere" / "itg"
    derived.parent.mkdir()
    itg_over(phrases, derived)
    expected = translations(derived)
    packed = pack_model(derived, tmp_path / "packed")
    assert len(packed.outside) == 2
    (tmp_path / "packed").rename(tmp_path / "moved")
    shutil.rmtree(tmp_path / "home")
    shutil.rmtree(derived)
    assert translations(tmp_path / "moved") == expected
    assert Model.open(tmp_path / "moved", verify=True).outside() == {}
    found = inspect_model(tmp_path / "moved")
    assert (found.origin, found.outside) == ("pack", {})
    files = {path.name for path in (tmp_path / "moved").iterdir()} - {"manifest.json"}
    assert files == set(packed.files) == set(Manifest.read(tmp_path / "moved").files)


def test_rules_and_casing_are_packed(small_hiero: Path, tmp_path: Path):
    pack_model(small_hiero, tmp_path / "hiero")
    assert translations(tmp_path / "hiero") == translations(small_hiero)
    files = write_corpus(tmp_path / "text", 40)
    options = {"source_language": "de", "target_language": "en", "case": "lower", "lm_order": 2}
    train(files.source, files.targets[0], tmp_path / "phrase", tokenize="moses", **options)
    itg_over(tmp_path / "phrase", tmp_path / "itg")
    expected = model_side(tmp_path / "itg", "target").recaser
    packed = pack_model(tmp_path / "itg", tmp_path / "packed")
    assert RECASER in packed.outside
    shutil.rmtree(tmp_path / "phrase")
    assert model_side(tmp_path / "packed", "target").recaser == expected is not None


def test_a_packed_model_does_not_need_the_text_that_it_was_imported_from(tmp_path: Path):
    (tmp_path / "phrases").write_text("a ||| W ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 |||\n")
    (tmp_path / "moses").mkdir()
    write_random_lm(tmp_path / "moses" / "lm.arpa", random.Random(1), 30)
    (tmp_path / "moses" / "moses.ini").write_text(INI.format(features="", weights=""))
    shutil.move(tmp_path / "phrases", tmp_path / "moses" / "phrases")
    import_model(tmp_path / "moses" / "moses.ini", tmp_path / "model")
    expected = open_decoder(tmp_path / "model").translate("a a")
    packed = pack_model(tmp_path / "model", tmp_path / "packed")
    assert packed.outside == () and Model.open(tmp_path / "packed").language_models[0].arpa is None
    shutil.rmtree(tmp_path / "moses")
    found = open_decoder(tmp_path / "packed").translate("a a")
    assert (found.text, found.score) == (expected.text, expected.score)


def test_given_weights_become_the_models_own_with_their_record(phrases: Path, tmp_path: Path):
    own = open_decoder(phrases).weights
    about = {"templates": [template_record(TargetBigrams())], "search": {"pop_limit": 7}}
    Weights({**own, "LM0": 0.25, "TargetBigram_a_b": 0.125}).write(tmp_path / "w.json", **about)
    packed = pack_model(phrases, tmp_path / "packed", weights=tmp_path / "w.json")
    decoder = open_decoder(tmp_path / "packed")
    assert decoder.weights["LM0"] == 0.25 and decoder.weights["TargetBigram_a_b"] == 0.125
    assert decoder.options.pop_limit == 7 and decoder.templates == (TargetBigrams(),)
    assert packed.files["weights.json"] > 0
    assert not {SOURCE, TARGET} & set(packed.files)
    again = pack_model(tmp_path / "packed", tmp_path / "again", link=True)
    assert again.files == packed.files
    assert translations(tmp_path / "again") == translations(tmp_path / "packed")


def test_what_is_there_is_never_overwritten_and_a_failure_leaves_nothing(phrases: Path, tmp_path: Path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(InputError, match="is not empty; name a new folder"):
        pack_model(phrases, tmp_path / "full")
    assert (tmp_path / "full" / "mine").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="exists and is not a folder"):
        pack_model(phrases, tmp_path / "file")
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match="no weight for the feature"):
        pack_model(phrases, tmp_path / "empty", weights={"LM0": 1.0})
    assert sorted(tmp_path.iterdir()) == before and not list((tmp_path / "empty").iterdir())
    pack_model(phrases, tmp_path / "empty")
    with (tmp_path / "empty" / "features.json").open("a") as stream:
        stream.write(" ")
    with pytest.raises(InputError, match="differs from the manifest; run the same `tunesmith pack` again"):
        Model.open(tmp_path / "empty")


def test_weights_of_another_model_are_refused_by_their_name_before_anything_is_copied(
    phrases: Path, tmp_path: Path
):
    (tmp_path / "wrong.json").write_text('{"weights": {"LM0": 1.0}}')
    done = run("pack", phrases, "--weights", "wrong.json", "-o", "packed", folder=tmp_path)
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert "wrong.json: no weight for the feature" in error and ".packed." not in error
    assert "phrases.bin" not in done.stderr and not (tmp_path / "packed").exists()


def test_a_weight_that_no_feature_has_is_told_once_with_the_users_file(phrases: Path, tmp_path: Path):
    rewrite(phrases, templates=(template_record(TargetBigrams()),))
    Weights({**open_decoder(phrases).weights, "TargetBigram_a": 1.0}).write(tmp_path / "w.json")
    done = run("pack", phrases, "--weights", "w.json", "-o", "packed", folder=tmp_path)
    assert done.returncode == 0 and done.stderr.count("'TargetBigram_a'") == 1, done.stderr
    assert "w.json: " in next(line for line in done.stderr.splitlines() if "'TargetBigram_a'" in line)


def test_a_model_without_tuned_weights_says_so(phrases: Path, tmp_path: Path):
    told = "weights: the start weights, as the model has no tuned ones; --weights packs others"
    done = run("pack", phrases, "-o", "packed", folder=tmp_path)
    assert (done.returncode, told in done.stderr) == (0, True), done.stderr
    open_decoder(phrases).weights.write(phrases / "weights.json")
    done = run("pack", phrases, "-o", "tuned", "--json", folder=tmp_path)
    assert (done.returncode, told in done.stderr) == (0, False), done.stderr
    assert json.loads(done.stdout)["tuned"] is True


@pytest.mark.parametrize("name", ["sub/../home/phrases", "link"])
def test_a_models_own_files_are_its_own_by_any_path_to_it(name: str, phrases: Path, tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(phrases)
    done = run("pack", name, "-o", "packed", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outside"] == []


def test_what_was_dropped_of_the_training_text_is_packed(phrases: Path, tmp_path: Path):
    cleaned = inspect_model(phrases).cleaned
    packed = pack_model(phrases, tmp_path / "packed")
    assert packed.files[PAIRS] > 0 and inspect_model(tmp_path / "packed").cleaned == cleaned is not None


def test_the_command_names_programs_and_whitelists_that_cannot_be_packed(phrases: Path, tmp_path: Path):
    rewrite(phrases, text={**Model.read(phrases).text, "source_segmenter": "cut --fine"})
    done = run("pack", phrases, "-o", tmp_path / "packed")
    assert done.returncode == 0, done.stderr
    assert "prepared by the program `cut --fine`, which is not packed" in done.stderr
    assert "packed " in done.stderr and done.stdout == ""
    (tmp_path / "only").write_text("TargetBigram_a_b\n")
    own = open_decoder(phrases).weights
    about = {"templates": [template_record(TargetBigrams(only=str(tmp_path / "only")))]}
    Weights(own).write(tmp_path / "w.json", **about)
    done = run("pack", phrases, "--weights", tmp_path / "w.json", "-o", tmp_path / "other")
    assert done.returncode == 1 and "the whitelist" in done.stderr and not (tmp_path / "other").exists()


def test_models_derived_from_one_beside_them_move_with_it(phrases: Path, tmp_path: Path):
    itg_over(phrases, tmp_path / "home" / "itg")
    expected = translations(tmp_path / "home" / "itg")
    record = json.loads((tmp_path / "home" / "itg" / "features.json").read_text())
    assert record["phrase_tables"][0]["path"].startswith("../phrases/")
    outside = inspect_model(tmp_path / "home" / "itg").outside
    assert {Path(path).parent for path in outside.values()} == {phrases.resolve()}
    (tmp_path / "home").rename(tmp_path / "moved")
    assert translations(tmp_path / "moved" / "itg") == expected
    shown = run("inspect", tmp_path / "moved" / "itg")
    assert "files outside of the model" in shown.stdout and "tunesmith pack" in shown.stdout
    itg_over(tmp_path / "moved" / "phrases", tmp_path / "far" / "away" / "itg")
    record = json.loads((tmp_path / "far" / "away" / "itg" / "features.json").read_text())
    assert Path(record["phrase_tables"][0]["path"]).is_absolute()


def test_a_link_that_no_manifest_records_is_not_followed(phrases: Path, tmp_path: Path):
    itg_over(phrases, tmp_path / "home" / "itg")
    path = tmp_path / "home" / "itg" / "features.json"
    record = json.loads(path.read_text())
    record["language_models"][0]["path"] = "../other/secret"
    (tmp_path / "home" / "other").mkdir()
    (tmp_path / "home" / "other" / "secret").write_text("secret")
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    model = Model.read(tmp_path / "home" / "itg")
    with pytest.raises(InputError, match="is not the file that the model"):
        Manifest.read(model.directory).check_outside(model.directory, model.outside(), verify=True)
