"""The weights from which the systems of the experiments on reordering models start."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from experiments.xbleu import tables
from experiments.xbleu.tables import Setting, start_weights
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
