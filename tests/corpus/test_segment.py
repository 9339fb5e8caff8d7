"""Segmenters: commands and functions that split lines, and their inverses."""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from pathlib import Path

import pytest
from tests.commands import run
from tests.corpus import segmenters
from tests.small_models import fit_manifest

from tunesmith import decode_file
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.corpus.segment import FORBID, Segmenter, program_name, run_program
from tunesmith.decode import DecodeOutputs, model_side
from tunesmith.errors import InputError, OptionError, ProgramNotice
from tunesmith.model import Model, train
from tunesmith.texts import Texts

SPLIT = "sed 's/./& /g'"
LINES = Texts.of(["日本語", "", "a b"])


def test_a_command_splits_and_joins() -> None:
    assert list(Segmenter(SPLIT).apply(LINES)) == ["日 本 語", "", "a b"]
    joining = Segmenter(SPLIT, "tr -d ' '")
    assert joining.joins
    assert list(joining.invert(joining.apply(LINES))) == ["日本語", "", "ab"]
    assert list(Segmenter(SPLIT, join_with="_").invert(LINES)) == ["日本語", "", "a_b"]
    assert not Segmenter(SPLIT).joins


def test_a_function_splits_and_is_recorded_by_name() -> None:
    name = program_name(segmenters.characters, "source_segmenter")
    assert name == "python:tests.corpus.segmenters:characters"
    assert list(run_program(name, LINES)) == ["日 本 語", "", "a b"]
    for program in (lambda lines: lines, "python:tests.corpus.segmenters:missing", "python:here", " "):
        with pytest.raises(OptionError):
            program_name(program, "source_segmenter")


def test_functions_are_found_in_modules_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_segmenter.py").write_text("def split(lines):\n    return [' '.join(x) for x in lines]\n")
    (tmp_path / "raw.zh").write_text("你好\n", encoding="utf-8")
    (tmp_path / "raw.en").write_text("hello\n")
    given = ("--source", "raw.zh", "--target", "raw.en", "--tokenize", "none", "-o", "out")
    segmenter = ("--source-segmenter", "python:my_segmenter:split")
    done = run("corpus", "prepare", *given, *segmenter, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.source").read_text(encoding="utf-8") == "你 好\n"
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert list(run_program("python:my_segmenter:split", Texts.of(["你好"]))) == ["你 好"]
    with pytest.raises(OptionError, match="modules are found in the current folder, in PYTHONPATH"):
        program_name("python:no_such_module_anywhere:split", "source_segmenter")
    assert sys.path == before


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("head -n 1", "'head -n 1' returned 1 lines for 3; expected one line per line"),
        ("echo no >&2; exit 3", "failed with exit code 3: no"),
        ("kill -9 $$", "failed with signal 9"),
        ("missing-program", "failed with exit code 127"),
        ("printf '\\377\\n\\n\\n'", "not UTF-8"),
        ("python:tests.corpus.segmenters:too_few", "returned 2 lines for 3"),
    ],
)
def test_a_program_that_fails_is_an_error_that_says_how(program: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        run_program(program, LINES)
    assert message in str(error.value)


def test_inverses_need_a_segmenter_and_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="source_joiner needs source_segmenter"):
        PrepareOptions(tokenize="none", source_joiner="cat")
    with pytest.raises(OptionError, match="give target_joiner or target_join_with, not both"):
        PrepareOptions(tokenize="none", target_segmenter="cat", target_joiner="cat", target_join_with="")
    with pytest.raises(OptionError, match="name the languages of both sides"):
        PrepareOptions(target_language="en")
    assert PrepareOptions(target_language="en", source_segmenter="cat").sides[0].tokenizer is None


def test_each_side_is_prepared_in_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "ja").write_text("日本語。\n猫。\n", encoding="utf-8")
    (tmp_path / "en").write_text("Japanese, please.\nA cat.\n")
    options = PrepareOptions(target_language="en", source_segmenter=SPLIT)
    prepare(tmp_path / "ja", tmp_path / "en", tmp_path / "out", options)
    assert (tmp_path / "out.source").read_text(encoding="utf-8") == "日 本 語 。\n猫 。\n"
    assert (tmp_path / "out.en").read_text() == "japanese , please .\na cat .\n"


def test_segmenters_are_part_of_the_fingerprint_only_if_given() -> None:
    plain = PrepareOptions("de", "en").determinants
    assert not any("segmenter" in name or "join" in name for name in plain)
    assert PrepareOptions("de", "en", target_segmenter="cat").determinants == plain | {
        "target_segmenter": "cat"
    }


def test_programs_of_a_model_are_announced_once_and_others_are_not(tmp_path: Path) -> None:
    own, named = Segmenter(SPLIT, "cat"), Segmenter(SPLIT, "cat").of_model(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        own.invert(own.apply(LINES))
    with pytest.warns(ProgramNotice) as told:
        for _ in range(2):
            named.invert(named.apply(LINES))
    assert [str(each.message) for each in told] == [
        f"{tmp_path}: the model runs the program {program!r}" for program in (SPLIT, "cat")
    ]


def with_segmenter(small_model: Path, folder: Path) -> Path:
    """Copy a model, and let it name a program that leaves a trace."""
    model = folder / "model"
    shutil.copytree(small_model, model)
    features = json.loads((model / "features.json").read_text())
    features["text"]["source_segmenter"] = "tee trace"
    (model / "features.json").write_text(json.dumps(features))
    fit_manifest(model)
    return model


@pytest.mark.parametrize("forbidden", ["", "0", "1"])
def test_the_command_line_shows_programs_of_a_model_or_forbids_them(
    small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forbidden: str
) -> None:
    model = with_segmenter(small_model, tmp_path)
    monkeypatch.setenv(FORBID, forbidden)
    done = run("prepare", model, "--side", "source", folder=tmp_path, stdin="das Haus\n")
    if forbidden == "1":
        assert done.returncode == 1
        assert f"error: {model}: names the program 'tee trace', which does not run" in done.stderr
        assert not (tmp_path / "trace").exists()
    else:
        assert done.returncode == 0, done.stderr
        assert done.stderr == f"{model}: the model runs the program 'tee trace'\n"
        assert (tmp_path / "trace").read_text() == "das Haus\n"


@pytest.mark.slow
def test_a_model_records_its_segmenters_and_uses_them(tmp_path: Path) -> None:
    source = ["das Haus ist klein", "das Haus", "ist das Haus groß", "klein ist das", "groß", "das ist"] * 4
    target = ["家は小さい", "家", "家は大きいか", "小さい", "大きい", "これは"] * 4
    for name, lines in (("de", source), ("ja", target)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    model = tmp_path / "model"
    options = {
        "target_segmenter": segmenters.characters,
        "target_join_with": "",
        "lm_text": [tmp_path / "ja"],
        "lm_order": 2,
    }
    train(tmp_path / "de", tmp_path / "ja", model, **options)
    assert Model.open(model).text["target_segmenter"] == "python:tests.corpus.segmenters:characters"
    assert (model / "target.txt").read_text(encoding="utf-8").startswith("家 は 小 さ い\n")
    decode_file(model, tmp_path / "de", DecodeOutputs(tmp_path / "out", detokenize=True), prepare=True)
    made = (tmp_path / "out").read_text(encoding="utf-8")
    assert " " not in made
    assert "家" in made
    side = model_side(model, "target")
    with pytest.warns(ProgramNotice, match="the model runs the program 'python:tests.corpus.segmenters"):
        assert list(side.restore(side.prepare(Texts.of(target)))) == target
    done = run("prepare", model, tmp_path / "ja", "--side", "target")
    assert done.stdout == (model / "target.txt").read_text(encoding="utf-8")
    again = train(tmp_path / "de", tmp_path / "ja", model, **options)
    assert all(step.skipped for step in again.steps)
    changed = train(tmp_path / "de", tmp_path / "ja", model, **options | {"target_segmenter": SPLIT})
    assert {step.name for step in changed.steps if not step.skipped} >= {"corpus", "features"}
