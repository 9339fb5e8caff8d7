"""The commands of the experiment on default options."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import pytest
from experiments.defaults import tables
from experiments.defaults.tables import CHOICES, DEFAULT, GRIDS, Setting, Settings
from tests.commands import run

from tunesmith.files import read_lines

CASES = [
    (choose, pair, kind, name)
    for choose, grids in ((False, GRIDS), (True, CHOICES))
    for (pair, kind), grid in grids.items()
    for name in grid
    if pair == "ja-en" or (pair == "europarl" and not choose)
]


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """Texts of one line."""
    for pair in tables.PAIRS:
        (tmp_path / pair).mkdir()
        for role in ("train", "dev", "select", "test"):
            for side in ("source", "target"):
                (tmp_path / pair / f"{role}.{side}").write_text("a\n")
    return Setting(tmp_path, tmp_path, threads=1, seeds=1)


@pytest.mark.parametrize(("choose", "pair", "kind", "name"), CASES)
def test_a_run_has_options_that_there_are(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, choose: bool, pair: str, kind: str, name: str
) -> None:
    setting = replace(setting, choose=choose)
    found: list[tuple[object, ...]] = []
    monkeypatch.setattr(tables, "tunesmith", lambda *arguments: found.append(arguments))
    setting.run(pair, kind, name, setting.grids[pair, kind][name])
    training, tuning, *decoding = found[-4:]
    assert (training[0], tuning[:2], len(decoding)) == ("train", ("tune", "model"), 2)
    # Files that are not there are refused after all options are read.
    # The alignments of a grid come from the default run, which is run first.
    assert len(found) == (8 if setting.grids[pair, kind][name].aligned else 4)
    missing = (*training[:2], setting.out / "missing", *training[3:])
    assert "missing" in run(*missing).stderr
    (setting.folder(pair, kind, name) / "1").mkdir(parents=True)
    for command, file in ((tuning, "manifest.json"), *((each, "weights.json") for each in decoding)):
        done = run(*command)
        assert done.returncode == 1 and file in done.stderr


def test_a_run_is_not_repeated_and_the_best_on_dev_is_marked(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = {DEFAULT: ("a b c d e", "a b c d x"), "distortion 6": ("a b c d e f", "a b c d e")}
    outputs["distortion 9"] = ("a b c d x", "a b c d e f")
    (setting.out / "ja-en" / "dev.target").write_text("a b c d e f\n")
    (setting.out / "ja-en" / "test.target").write_text("a b c d e f\n")
    for name, texts in outputs.items():
        folder = setting.folder("ja-en", "phrase", name) / "1"
        folder.mkdir(parents=True)
        for role, text in zip(("dev", "test"), texts, strict=True):
            (folder / f"{role}.out").write_text(f"{text}\n")
    monkeypatch.setattr(tables, "tunesmith", pytest.fail)
    setting.run("ja-en", "phrase", DEFAULT, Settings())
    rows = [line.split(" | ")[2] for line in tables.table(setting).splitlines()[2:]]
    assert rows == [DEFAULT, "**distortion 6**", "distortion 9"]


def test_choosing_holds_out_the_end_of_the_training_text(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "enja.train.ja.xz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{number}\n" for number in range(1500))
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1, choose=True)
    lines = {role: read_lines(setting.text("ja-en", role, "source")) for role in ("train", "select")}
    assert lines == {
        "train": [str(number) for number in range(500)],
        "select": [str(number) for number in range(500, 1500)],
    }
