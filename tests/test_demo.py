"""The demo on a small scale."""

import json
import shlex
from functools import partial
from pathlib import Path

import pytest
from tests.commands import run
from tests.once import made_once
from tests.remembered import run_or_repeat

from tunesmith.candidates import Pool
from tunesmith.cli.demo import LIST_COMMANDS
from tunesmith.demo import ModelDemo, demo_pool
from tunesmith.tuning.method import methods_for


@pytest.mark.slow
def test_the_demo_tunes_with_every_method_and_beats_the_untuned_order() -> None:
    done = run("demo", "--only", "lists", "--lists", 60, "--nbest", 15, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["lists"]}
    assert list(rows) == ["untuned", *methods_for(Pool)]
    assert "generated" in done.stderr
    for method in methods_for(Pool):
        assert rows[method]["dev"] > rows["untuned"]["dev"]
        for lists in ("dev", "test"):
            around = rows[method][f"{lists}_interval"]
            assert around["low"] <= rows[method][lists] <= around["high"]


def test_tuning_lists_and_held_out_lists_are_different_sentences() -> None:
    dev, test = demo_pool(30, nbest=3), demo_pool(30, nbest=3, held_out=True)
    assert dev.feature_names == test.feature_names
    assert len(dev.references) == 4
    assert len(set(dev.sources) & set(test.sources)) < 5


@pytest.mark.slow
def test_the_demo_trains_tunes_and_tests_a_model_as_its_commands_do(tmp_path: Path) -> None:
    options = ("--only", "model", "--pairs", 300, "--threads", 1)
    done = run("demo", *options, "--output", tmp_path / "demo")
    assert done.returncode == 0, done.stderr
    demo, hand = tmp_path / "demo", tmp_path / "hand"
    hand.mkdir()
    for command in ModelDemo(300).commands("bleu"):
        assert command in done.stdout
        by_hand = run(*shlex.split(command)[1:], folder=hand)
        assert by_hand.returncode == 0, by_hand.stderr
    for name in ("part.test.en", "model/phrases.bin", "tuned/weights.json", "untuned.out", "tuned.out"):
        assert (demo / name).read_bytes() == (hand / name).read_bytes(), name
    score = by_hand.stdout.split("tuned.out")[-1].split()[1]  # of the last row
    assert f" {score} " in done.stdout
    assert str(demo) in done.stdout
    assert "were in the model's training text" not in done.stderr


@pytest.mark.slow
def test_the_demo_leaves_nothing_behind_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("demo", "--only", "model", "--pairs", 100, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "--output FOLDER keeps them" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_commands_for_lists_run(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_here(command: str) -> None:
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, done.stderr

    monkeypatch.chdir(tmp_path)
    memory = made_once(tmp_path_factory, "memory", lambda folder: None)
    for command in LIST_COMMANDS:
        run_or_repeat(command, memory, partial(run_here, command))


def test_parts_and_sizes_of_the_demo_are_checked() -> None:
    done = run("demo", "--only", "everything")
    assert (done.returncode, done.stderr) == (2, "error: --only must be lists or model, not 'everything'\n")
    done = run("demo", "--pairs", 5)
    assert (done.returncode, done.stderr) == (2, "error: demo: --pairs must be at least 100, not 5\n")


@pytest.mark.parametrize(
    "flag", [("--write",), ("--only", "model", "--pairs", 300, "--output"), ("--output",)]
)
def test_the_demo_does_not_replace_files_of_a_user(flag: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "dev.en").write_text("mine\n")
    done = run("demo", *flag, tmp_path)
    assert done.returncode == 1
    assert "another folder" in done.stderr or "name a new or an empty folder" in done.stderr
    assert "making" not in done.stderr  # refused before the lists
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("dev.en", "mine\n")]
