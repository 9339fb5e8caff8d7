"""Names in the files of a model never lead out of its directory, except to files that are only read."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.commands import run
from tests.small_models import fit_manifest

from tunesmith.checksums import checksum
from tunesmith.errors import InputError
from tunesmith.model.model import Model
from tunesmith.model.steps import BuildStep, Workshop, run_steps


def write(name: str, text: str = "x") -> BuildStep:
    def make(shop: Workshop) -> None:
        shop[name].write_text(text)

    return BuildStep(name, (name,), make)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim.txt"
    path.write_text("precious")
    return path


@pytest.mark.parametrize("absolute", [False, True])
def test_an_output_outside_the_model_is_refused_and_not_deleted(tmp_path, victim, absolute):
    folder = tmp_path / "model"
    run_steps(folder, "toy", [write("a")])
    manifest = json.loads((folder / "manifest.json").read_text())
    outputs = manifest["steps"]["a"]["outputs"]
    outputs[str(victim) if absolute else "../victim.txt"] = outputs["a"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"manifest\.json: names '.*victim\.txt'; expected .* inside"):
        run_steps(folder, "toy", [write("b")])
    assert victim.read_text() == "precious"


def test_a_step_cannot_have_an_output_outside(tmp_path, victim):
    with pytest.raises(InputError, match="expected the name of a file inside"):
        run_steps(tmp_path / "model", "toy", [write("../victim.txt")])
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("name", ["a", "log.jsonl", ".scratch", ".lock", "manifest.json"])
def test_links_in_a_model_are_not_followed_when_it_is_built(tmp_path, victim, name):
    folder = tmp_path / "model"
    run_steps(folder, "toy", [write("a")])
    if name == "manifest.json":
        shutil.copy(folder / name, victim)
    (folder / name).unlink(missing_ok=True)
    before = victim.read_bytes()
    (folder / name).symlink_to(victim)
    if name == ".lock":
        with pytest.raises(InputError, match=r"\.lock: is a link"):
            run_steps(folder, "toy", [write("a", "y")])
    else:
        run_steps(folder, "toy", [BuildStep("a", ("a",), write("a").run, options={"k": 1})])
        assert not (folder / name).is_symlink()
    assert victim.read_bytes() == before


@pytest.fixture
def model(small_model: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_model, tmp_path / "model")
    return tmp_path / "model"


def change(model: Path, part: str, **fields: object) -> None:
    """Change fields of the first part of a kind, and let the manifest agree."""
    path = model / "features.json"
    record = json.loads(path.read_text())
    record[part][0] |= fields
    path.write_text(json.dumps(record))
    fit_manifest(model)


@pytest.mark.parametrize(("key", "value"), [("folder", "a/../b"), ("case", "Lower"), ("tokenize", 5)])
def test_a_wrong_record_of_the_preparation_is_refused(model, key, value):
    path = model / "features.json"
    record = json.loads(path.read_text())
    record["text"][key] = value
    path.write_text(json.dumps(record))
    fit_manifest(model)
    with pytest.raises(InputError, match=r"features\.json"):
        Model.open(model)


@pytest.mark.parametrize("name", ["a/../../phrases.bin", "a/../phrases.bin"])
def test_a_part_whose_name_goes_in_and_out_of_the_model_is_refused(model, name):
    change(model, "phrase_tables", path=name)
    with pytest.raises(InputError, match=rf"features\.json: names '{re.escape(name)}'"):
        Model.open(model)


def test_a_folder_of_casing_outside_the_model_is_refused_unless_its_files_are_recorded(model):
    (model.parent / "other").mkdir()
    (model.parent / "other" / "recaser.target.txt").write_text("x")
    path = model / "features.json"
    record = json.loads(path.read_text())
    record["text"]["folder"] = "../other"
    path.write_text(json.dumps(record))
    fit_manifest(model)
    with pytest.raises(InputError, match=r"names '.*recaser\.target\.txt', which is outside of the model"):
        Model.open(model)


@pytest.mark.parametrize("relative", [False, True])
def test_a_file_beside_the_model_is_read_only_if_it_was_recorded(model, relative):
    other = model.parent / "other.bin"
    shutil.copy(model / "lm.bin", other)
    change(model, "language_models", path="../other.bin" if relative else str(other))
    with pytest.raises(InputError, match=r"names '.*other\.bin', which is outside of the model and not"):
        Model.open(model)
    record_input(model, "LM0", other)
    assert Model.open(model).language_model().order == 3


def record_input(model: Path, label: str, file: Path) -> None:
    """Record a file as an input of the model's first step, as `import` and `itg` do."""
    path = model / "manifest.json"
    manifest = json.loads(path.read_text())
    next(iter(manifest["steps"].values()))["inputs"][label] = checksum(file)
    path.write_text(json.dumps(manifest))


@pytest.fixture
def elsewhere(model: Path, tmp_path: Path) -> Path:
    """A language model outside of the model, which names it."""
    path = tmp_path / "elsewhere.bin"
    shutil.copy(model / "lm.bin", path)
    change(model, "language_models", path=str(path))
    return path


def test_a_file_outside_is_read_where_it_is_if_it_was_recorded_when_the_model_was_made(model, elsewhere):
    record_input(model, "LM0", elsewhere)
    assert Model.open(model).language_model().order == 3


def test_a_file_outside_that_was_not_recorded_is_refused_by_name(model, elsewhere):
    with pytest.raises(
        InputError,
        match=r"names '.*elsewhere\.bin', which is outside of the model and not .*; make the model",
    ):
        Model.open(model)


def test_a_file_outside_with_other_content_than_was_recorded_is_refused(model, elsewhere):
    record_input(model, "LM0", elsewhere)
    shutil.copy(model / "phrases.bin", elsewhere)
    with pytest.raises(InputError, match=r"elsewhere\.bin: is not the file that the model .* was made of"):
        Model.open(model)


@pytest.mark.parametrize("verify", [False, True])
def test_a_large_file_outside_is_compared_too(verify, model, elsewhere, tmp_path, monkeypatch):
    monkeypatch.setattr("tunesmith.model.manifest._SMALL", 10)
    monkeypatch.setattr("tunesmith.checksums.LEAST_RECORDED", 10)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    record_input(model, "LM0", elsewhere)
    Model.open(model, verify=verify)
    content = bytearray(elsewhere.read_bytes())
    content[-1] ^= 1
    elsewhere.write_bytes(content)
    with pytest.raises(InputError, match="is not the file that the model"):
        Model.open(model, verify=verify)


@pytest.mark.parametrize("part", ["phrase_tables", "language_models"])
def test_a_pipe_in_place_of_a_file_of_a_model_is_refused_at_once(model, part):
    os.mkfifo(model / "pipe")
    change(model, part, path="pipe")
    done = run("decode", model, stdin="das haus\n")
    assert done.returncode == 1
    assert "pipe: is not a regular file" in done.stderr


def test_errors_do_not_print_files_that_a_model_names(model, tmp_path):
    (tmp_path / "secret").write_text("password: xyzzy\n")
    for fields in ({"path": str(tmp_path / "secret")}, {"path": None, "arpa": str(tmp_path / "secret")}):
        change(model, "language_models", **fields)
        record_input(model, "LM0", tmp_path / "secret")
        done = run("decode", model, stdin="das haus\n")
        assert done.returncode == 1
        assert "secret" in done.stderr
        assert "xyzzy" not in done.stderr + done.stdout


def test_an_export_copies_no_file_that_was_not_imported(model, tmp_path):
    (tmp_path / "secret").write_text("password: xyzzy\n")
    change(model, "language_models", arpa=str(tmp_path / "secret"))
    for label in ("other", "LM0"):
        done = run("export", model, "-o", tmp_path / "exported")
        assert done.returncode == 1
        assert "secret" in done.stderr
        record_input(model, label, model / "lm.bin")
    assert not (tmp_path / "exported").exists()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_tuned_weights_of_a_model_are_a_regular_file(model, make):
    make(model / "weights.json")
    with pytest.raises(InputError, match=r"weights\.json: is not a regular file"):
        Model.open(model)
