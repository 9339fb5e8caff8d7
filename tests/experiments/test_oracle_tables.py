"""The commands of the experiments on re-estimation."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from experiments.oracle import rules, tables
from experiments.oracle import texts as oracle_texts
from experiments.oracle.tables import AGAIN, BASELINE, SYSTEMS, Setting
from experiments.oracle.texts import OracleTexts
from experiments.texts import RoleTexts
from tests.commands import run

from experiments import prepared
from tunesmith.files import open_write

Command = tuple[object, ...]
REESTIMATED = [system for system in SYSTEMS if system not in (BASELINE, AGAIN)]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    """What would be run."""
    found: list[Command] = []
    for module in (tables, prepared):
        monkeypatch.setattr(module, "tunesmith", lambda *arguments: found.append(arguments))
    return found


@pytest.mark.parametrize("system", REESTIMATED)
def test_a_system_is_re_estimated_with_options_that_there_are(
    commands: list[Command], tmp_path: Path, system: str
) -> None:
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1)
    for side in ("source", "target"):
        for role in ("train", "tune"):
            setting.out.joinpath("multi30k").mkdir(exist_ok=True)
            setting.out.joinpath("multi30k", f"{role}.{side}").write_text("a\n")
    assert setting.model("multi30k", system) == tmp_path / "multi30k" / system / "model"
    training, *_, (verb, _, *options) = commands
    assert training[0] == "train"
    # A folder without a model is refused after all options are read.
    done = run(verb, tmp_path / "multi30k", *options)
    assert done.returncode == 1
    assert "manifest.json" in done.stderr


def test_systems_share_the_folder_of_the_same_derivations_and_no_other(
    commands: list[Command], tmp_path: Path
) -> None:
    for role, side in itertools.product(("train", "tune"), ("source", "target")):
        (tmp_path / "multi30k").mkdir(exist_ok=True)
        (tmp_path / "multi30k" / f"{role}.{side}").write_text("a\n")
    folders: dict[object, set[Command]] = {}
    for system in REESTIMATED:
        Setting(tmp_path, tmp_path, threads=1, seeds=1).model("multi30k", system)
        given = dict(itertools.pairwise(commands[-1]))
        names = ("--method", "--mu", "--nbest", "--model-scale")
        found = (*(given.get(name) for name in names), "--jackknife" in commands[-1])
        folders.setdefault(given["--derivations"], set()).add(found)
    assert len(folders) == 7 == len(set.union(*folders.values()))


def test_forced_derivations_are_made_before_they_are_added(commands: list[Command], tmp_path: Path) -> None:
    (tmp_path / "multi30k").mkdir()
    for role, side in itertools.product(("train", "tune"), ("source", "target")):
        (tmp_path / "multi30k" / f"{role}.{side}").write_text("a\n")
    Setting(tmp_path, tmp_path, threads=1, seeds=1).model("multi30k", "both-mixed")
    forced, both = (dict(itertools.pairwise(each)) for each in commands if each[0] == "reestimate")
    assert forced["--derivations"] == both["--add-derivations"] != both["--derivations"]


def test_models_that_there_are_are_used_and_only_some_roles_translated(
    commands: list[Command], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(tables, "tune_and_translate", lambda *given: asked.append(given[2:4] + given[6:]))
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1, roles=("select",), models=tmp_path / "models")
    out = tmp_path / "enja" / BASELINE / "mira-1"
    tables.run(setting, "enja", BASELINE)
    assert asked == [(tmp_path / "models" / "enja" / "model", {1: out}, ("select",))]
    assert commands == []
    out.mkdir(parents=True)
    (out / "select.out").write_text("a\n")
    tables.run(setting, "enja", BASELINE)
    assert len(asked) == 1


def test_the_part_of_europarl_has_the_texts_of_all_but_less_to_train_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(oracle_texts, "PART", 2)
    lines = {"train": ["a", "b", "c"], "dev": [str(number) for number in range(1100)], "test": ["d"]}
    for part, written in lines.items():
        for language in ("fr", "en"):
            with open_write(tmp_path / f"europarl-fr-en.{part}.{language}.xz") as stream:
                stream.write("".join(f"{line}\n" for line in written).encode())
    texts = OracleTexts(tmp_path, tmp_path / "out")
    assert texts.text("europarl-60k", "train", "source").read_text() == "a\nb\n"
    assert texts.text("europarl-60k", "tune", "source").read_text().splitlines() == lines["dev"][:100]
    assert texts.text("europarl-60k", "test", "target").read_text() == "d\n"


def test_a_text_is_prepared_as_the_text_of_the_model(commands: list[Command], tmp_path: Path) -> None:
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1)
    folder = tmp_path / "europarl"
    folder.mkdir()
    for name in ("train.source", "train.target", "tune.source"):
        (folder / name).write_text("a\n")
    assert setting.prepared("europarl", "tune", "source") == folder / "tune.source.prepared"
    assert commands[-1] == (
        *("prepare", folder / "model", "--side", "source", folder / "tune.source"),
        *("-o", folder / "tune.source.prepared"),
    )


@pytest.mark.parametrize("system", ["alone", "mixed"])
def test_a_system_of_rules_is_re_estimated_with_options_that_there_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str
) -> None:
    found: list[Command] = []
    monkeypatch.setattr(rules, "tunesmith", lambda *arguments: found.append(arguments))
    (tmp_path / "multi30k").mkdir()
    for role, side in itertools.product(("train", "tune"), ("source", "target")):
        (tmp_path / "multi30k" / f"{role}.{side}").write_text("a\n")
    texts = RoleTexts(tmp_path, tmp_path)
    for each in ("baseline", system):
        rules.model_of(each, texts, 1)
    done = run("reestimate", tmp_path / "multi30k", *found[1][2:])
    assert done.returncode == 1 and "manifest.json" in done.stderr
