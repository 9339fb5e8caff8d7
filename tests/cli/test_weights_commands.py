"""The commands of files of weights."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.commands import PROGRAM, run

from tunesmith.weights import Weights, WeightStore

WEIGHTS = {"LM0": 0.5, "PhraseLength_1x1": -2.0, "PhraseLength_2x2": 0.25, "PhraseLengths": 1.0, "zero": 0.0}
BY_SIZE = sorted(WEIGHTS, key=lambda name: -abs(WEIGHTS[name]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the same weights in all forms."""
    store = WeightStore.of(WEIGHTS)
    numbers = np.arange(len(store), dtype=np.uint32)
    store.native.set_memory(numbers, 1.0 + numbers, 4.0 * numbers, numbers.astype(np.int64))
    store.save(tmp_path / "weights", about={"method": "mira", "steps": 8})
    Weights(WEIGHTS).write(tmp_path / "weights.json", method="mira")
    Weights(WEIGHTS).write(tmp_path / "weights.txt")
    return tmp_path


def rows(text: str) -> list[tuple[str, float]]:
    cells = [line.split("\t") for line in text.splitlines()]
    return [(name, float(value)) for name, value in cells]


@pytest.mark.parametrize("name", ["weights", "weights.json", "weights.txt"])
def test_the_largest_weights_of_any_form_are_shown_first(folder: Path, name: str) -> None:
    done = run("weights", "show", name, "--top", 3, folder=folder)
    assert rows(done.stdout) == [(each, WEIGHTS[each]) for each in BY_SIZE[:3]]
    assert "5 features, 4 with a weight; the 3 largest" in done.stderr
    everything = run("weights", "show", name, "--top", 0, "-q", folder=folder)
    assert rows(everything.stdout) == [(each, WEIGHTS[each]) for each in BY_SIZE]
    assert everything.stderr == ""


def test_features_are_chosen_by_prefix_and_by_template(folder: Path) -> None:
    of_prefix = run("weights", "show", "weights", "--prefix", "PhraseLength", folder=folder).stdout
    assert [name for name, _ in rows(of_prefix)] == ["PhraseLength_1x1", "PhraseLengths", "PhraseLength_2x2"]
    of_template = run("weights", "show", "weights", "--template", "phrase-length", folder=folder).stdout
    assert [name for name, _ in rows(of_template)] == ["PhraseLength_1x1", "PhraseLength_2x2"]


def test_a_template_is_the_recorded_one_with_its_options(folder: Path) -> None:
    record = {"name": "phrase-length", "options": {"name": "LM0"}}
    WeightStore.of(WEIGHTS).save(folder / "named", about={"templates": [record]})
    done = run("weights", "show", "named", "--template", "phrase-length", folder=folder)
    assert rows(done.stdout) == [("LM0", 0.5)]


def test_rates_averages_and_last_steps_are_shown(folder: Path) -> None:
    done = run("weights", "show", "weights", "--prefix", "PhraseLength_2x2", "--rates", folder=folder)
    assert done.stdout == f"PhraseLength_2x2\t0.25\t3.0\t{0.25 - 8 / 8}\t2\n"
    assert "name, weight, rate, average, last step" in done.stderr


@pytest.mark.parametrize("name", ["weights", "weights.json", "weights.txt"])
def test_json_is_a_file_of_all_weights(folder: Path, name: str) -> None:
    done = run("weights", "show", name, "--json", folder=folder)
    (folder / "copy.json").write_text(done.stdout)
    copy = Weights.read(folder / "copy.json")
    assert list(copy.items()) == list(WEIGHTS.items())
    assert copy.about.get("method") == (None if name == "weights.txt" else "mira")


def test_json_has_rates_if_asked(folder: Path) -> None:
    record = json.loads(
        run("weights", "show", "weights", "--json", "--rates", "--top", 2, folder=folder).stdout
    )
    assert record["weights"] == {"PhraseLength_1x1": -2.0, "PhraseLengths": 1.0}
    assert record["last_steps"] == {"PhraseLength_1x1": 1, "PhraseLengths": 3}


@pytest.mark.process
def test_a_reader_that_leaves_early_ends_the_command_quietly(tmp_path: Path) -> None:
    names = [f"feature {number}" for number in range(100_000)]
    store = WeightStore()
    store.set(names, np.arange(len(names), dtype=np.float64))
    store.save(tmp_path / "weights")
    command = f"{' '.join(PROGRAM)} weights show weights --top 0 -q | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout == b"feature 99999\t99999.0\n"
    assert done.stderr == b""


def test_weights_are_converted_to_all_forms_and_back(folder: Path) -> None:
    for source, target in (("weights", "a.json"), ("a.json", "b.txt.gz"), ("b.txt.gz", "c"), ("c", "d.json")):
        done = run("weights", "convert", source, target, folder=folder)
        assert done.returncode == 0, done.stderr
        assert "wrote 5 features" in done.stderr
        assert list(WeightStore.open(folder / target).items()) == list(WEIGHTS.items())
    assert WeightStore.open(folder / "a.json").about["method"] == "mira"


def test_a_copy_of_a_container_keeps_everything_and_what_is_lost_is_reported(folder: Path) -> None:
    done = run("weights", "convert", "weights", "copy", folder=folder)
    assert "does not have" not in done.stderr
    assert (folder / "copy").read_bytes() == (folder / "weights").read_bytes()
    assert (
        "does not have rates, averages"
        in run("weights", "convert", "weights", "a.json", folder=folder).stderr
    )
    lines = run("weights", "convert", "weights", "a", "--format", "lines", folder=folder)
    assert "does not have the record of how to decode and rates" in lines.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["show", "absent"], 1, "no such file"),
        (["show", "weights", "--top", "-1"], 2, "--top must be at least 0"),
        (["show", "weights", "--template", "phrase-lengths"], 2, "did you mean 'phrase-length'"),
        (["convert", "weights", "weights"], 2, "is an input too"),
        (["convert", "weights", "a.gz"], 1, "cannot be compressed"),
        (
            ["convert", "weights", "a", "--format", "line"],
            2,
            "--format cannot be 'line'; did you mean 'lines'",
        ),
        (["convert", "weights", "nowhere/a.json"], 1, "the folder does not exist"),
    ],
)
def test_errors_say_what_to_do(folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = run("weights", *arguments, folder=folder)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
