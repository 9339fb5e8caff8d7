"""The weights from which the systems of the experiments on reordering models start."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from experiments.xbleu import tables
from experiments.xbleu.tables import Setting, start_weights
from tests.commands import run
from tests.decode import tiny
from tests.xbleu.attached import all_names, write_lists, write_reordering

from tunesmith.features import SparseReordering
from tunesmith.model import Model
from tunesmith.weights import Weights
from tunesmith.xbleu.attach import attach


def test_systems_start_from_the_weights_that_lists_were_made_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    corpus, system = "multi30k", "local-xbleu"
    model = Model.open(tiny.write_model(tmp_path / "moses", seed=5))
    write_lists(model.directory)
    template = SparseReordering("Trained", top=2)
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1, method="mira")
    tuned = {name: 0.3 * value + 0.1 for name, value in model.weights.items()}

    def tune(setting: Setting, corpus: str, system: str) -> None:
        assert (setting.method, setting.seeds, system) == ("mira", 1, "hrm")
        (tmp_path / corpus / "hrm" / "mira-1").mkdir(parents=True)
        Weights(tuned).write(tmp_path / corpus / "hrm" / "mira-1" / "weights.json")

    monkeypatch.setattr(tables, "run", tune)
    commands: list[tuple[object, ...]] = []
    monkeypatch.setattr(tables, "tunesmith", lambda *arguments: commands.append(arguments))
    monkeypatch.setattr(Setting, "model", lambda *_: model.directory)
    monkeypatch.setattr(Setting, "lists", lambda *_: tmp_path / "lists")
    setting.attached(corpus, system)
    _, verb, _, _, flag, weights, *_ = commands[-1]
    assert (verb, flag) == ("attach", "--weights")

    reordering = write_reordering(tmp_path / "reordering", template, all_names(model, template))
    made = attach(model.directory, reordering, tmp_path / "model", weights=str(weights)).directory
    assert start_weights(setting, corpus, system, made) is None
    own = Weights.read(made / "weights.start.json")
    assert {name: own[name] for name in tuned} == tuned
    assert {name: own[name] for name in own if name not in tuned} == {
        f"Trained_{each}": 1.0 for each in ("monotone", "swap", "left", "right")
    }

    assert start_weights(setting, corpus, "again", model.directory) == setting.tuned(corpus)
    shutil.copyfile(model.directory / "weights.start.json", tmp_path / "weights.start.json")
    path = start_weights(setting, corpus, "none", tmp_path)
    assert path is not None
    frozen = {name: 0.0 for name in tuned if name.startswith("LexicalReordering")}
    assert frozen and dict(Weights.read(path)) == {**tuned, **frozen}


@pytest.mark.parametrize(
    "system", ["hrm-xbleu", "uncommon-xbleu1-paper", "biphrases-cll-100", "local-cll01", "mine"]
)
def test_a_system_is_trained_with_options_that_there_are(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert system in tables.SYSTEMS or system == "mine"
    commands: list[tuple[object, ...]] = []
    monkeypatch.setattr(tables, "tunesmith", lambda *arguments: commands.append(arguments))
    monkeypatch.setattr(Setting, "lists", lambda *_: tmp_path / "lists")
    trials = {"mine": ("--features", "local", "--gamma", "2")}
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=1, method="mira", trials=trials)
    assert setting.reordering("europarl-de-en", system) == tmp_path / "europarl-de-en" / system / "reordering"
    done = run(*commands[0])  # there are no lists, which is found after all options are read
    assert done.returncode == 1
    assert "store.json" in done.stderr


def test_the_table_has_all_systems_that_translated_the_last_role(tmp_path: Path) -> None:
    lines = {"a": "the house is small today", "b": "the house is very small today indeed"}
    for system, text in (("hrm", "a"), ("again", "b"), ("mine", "a")):
        for seed in (1, 2):
            folder = tmp_path / "multi30k" / system / f"mira-{seed}"
            folder.mkdir(parents=True)
            (folder / "select.out").write_text(f"{lines[text]}\n" * 5)
            (folder / "weights.json").write_text("{}")
    (tmp_path / "multi30k" / "select.target").write_text(f"{lines['a']}\n" * 5)
    setting = Setting(tmp_path, tmp_path, threads=1, seeds=2, method="mira", roles=("select",))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in tables.table(setting).splitlines()]
    assert rows[0][4:] == ["BLEU select", "length select", "p select, against hrm", "against again"]
    assert [row[2] for row in rows[2:]] == ["hrm", "again", "mine"]
    assert [row[4:6] for row in rows[2:]] == [["100.00", "1.000"], ["20.56", "1.400"], ["100.00", "1.000"]]
    assert [(row[6] != "", row[7] != "") for row in rows[2:]] == [(False, True), (True, False), (True, True)]
