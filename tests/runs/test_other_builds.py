"""Stores and trainings that another build has begun go on with a warning."""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tunesmith.build import Build
from tunesmith.errors import TunesmithWarning
from tunesmith.reestimate import store as derivations
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.xbleu import store as lists
from tunesmith.xbleu.list_counts import FileCounts
from tunesmith.xbleu.list_folder import ListFolder
from tunesmith.xbleu.reordering import REORDERING
from tunesmith.xbleu.training_folder import SETTINGS, Checkpoint, TrainingFolder

ABOUT: dict[str, Any] = {"model": "m", "made_by": {"k": 1}, "text": {"pairs": 5, "empty": 0}}


def store_of_lists(folder: Path) -> Callable[[], None]:
    store = ListFolder(folder, {**ABOUT, "nbest": 5}, restart=False)
    if not store.files:
        (folder / lists.file_name(0)).write_bytes(b"lists")
        store.add(0, FileCounts(2))
    return store.finish


def store_of_derivations(folder: Path) -> Callable[[], None]:
    store = derivations.DerivationFolder(folder, {**ABOUT, "method": "force"}, restart=False)
    if not store.blocks:
        (folder / derivations.file_name(0)).write_bytes(b"derivations")
        store.add(0, BlockCounts())
    return store.finish


def training(folder: Path) -> Callable[[], None]:
    run = TrainingFolder(folder, {"seed": 1})
    if run.checkpoint() is None:
        run.commit(Checkpoint())
    return lambda: write_model(folder)


def write_model(folder: Path) -> None:
    (folder / REORDERING).write_text("{}")


KINDS = pytest.mark.parametrize(
    ("record", "begin"),
    [(lists.STORE, store_of_lists), (derivations.STORE, store_of_derivations), (SETTINGS, training)],
    ids=["lists", "derivations", "training"],
)


@KINDS
@pytest.mark.parametrize("build", [dataclasses.replace(Build.running(), native="0" * 32).record(), None])
def test_what_another_build_began_goes_on_with_a_warning_until_it_is_finished(
    record: str, begin: Callable[[Path], Callable[[], None]], build: object, tmp_path: Path
) -> None:
    begin(tmp_path)
    path = tmp_path / record
    known = json.loads(path.read_text())
    assert known["build"] == Build.running().record()
    path.write_text(json.dumps({**known, "build": build}))
    for _ in range(2):
        with pytest.warns(TunesmithWarning, match=f"{tmp_path} was begun by .*start anew with restart"):
            finish = begin(tmp_path)
    finish()
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        begin(tmp_path)


@KINDS
def test_what_this_build_began_goes_on_in_silence(
    record: str, begin: Callable[[Path], Callable[[], None]], tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        begin(tmp_path)
        begin(tmp_path)


def test_a_training_without_an_epoch_is_begun_by_the_build_that_runs(tmp_path: Path) -> None:
    TrainingFolder(tmp_path, {"seed": 1})
    path = tmp_path / SETTINGS
    path.write_text(json.dumps({**json.loads(path.read_text()), "build": None}))
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        TrainingFolder(tmp_path, {"seed": 1})
    assert json.loads(path.read_text())["build"] == Build.running().record()
