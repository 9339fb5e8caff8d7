"""`tunesmith features` and `tunesmith extract words`."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.commands import run

from tunesmith.model.parts.word_lists import WORD_LISTS

TEXT = "man hat keinen lehrer angerufen .\n"


def test_features_that_fire_are_listed_with_value_and_weight(small_model: Path):
    flags = ("--template", "target-bigrams", "--template", "lengths", "--weight", "Length_s1=0.5")
    done = run("features", small_model, *flags, stdin=TEXT)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {row[1].partition("_")[0] for row in rows} == {"TargetBigram", "Length"}
    assert ["1", "TargetBigram_._</s>", "1", "0"] in rows
    assert {row[3] for row in rows if row[1] == "Length_s1"} <= {"0.5"}
    everything = run("features", small_model, *flags, "--all", stdin=TEXT)
    assert {line.split("\t")[1] for line in everything.stdout.splitlines()} >= {"LM0", "WordPenalty0"}


def test_counts_serve_as_a_whitelist(small_model: Path, tmp_path: Path):
    counted = run("features", small_model, "--template", "target-bigrams", "--count", stdin=TEXT * 3)
    assert counted.stdout.splitlines()[0].split("\t")[1] == "3"
    only = tmp_path / "counts"
    only.write_text("".join(line + "\n" for line in counted.stdout.splitlines()[:2]))
    done = run("features", small_model, "--template", f"target-bigrams(only={only},least=3)", stdin=TEXT)
    assert sorted(line.split("\t")[1] for line in done.stdout.splitlines()) == sorted(
        line.split("\t")[0] for line in counted.stdout.splitlines()[:2]
    )


def test_lists_of_an_existing_model_are_those_of_training(small_model: Path, tmp_path: Path):
    shutil.copytree(small_model, tmp_path / "model")
    lists = WORD_LISTS
    trained = [(tmp_path / "model" / name).read_bytes() for name in lists]
    assert all(trained)
    for name in lists:
        (tmp_path / "model" / name).write_text("")
    done = run("extract", "words", tmp_path / "model")
    assert done.returncode == 1  # a changed file of the model is noticed
    for name, content in zip(lists, trained, strict=True):
        (tmp_path / "model" / name).write_bytes(content)
    done = run("extract", "words", tmp_path / "model")
    assert done.returncode == 0, done.stderr
    assert [(tmp_path / "model" / name).read_bytes() for name in lists] == trained
