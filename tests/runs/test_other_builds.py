"""Stores and trainings that another build has begun go on with a warning."""

from __future__ import annotations

import dataclasses
import json
import warnings
from pathlib import Path

import pytest
from tests.runs.kinds import OPENED, OpenedKind

from tunesmith.build import Build
from tunesmith.errors import TunesmithWarning
from tunesmith.runs.store import StoreFolder
from tunesmith.xbleu.reordering import REORDERING

OTHER = dataclasses.replace(Build.running(), native="0" * 32).record()
SETTINGS = {"seed": 1}
# Runs of loops and of online learning warn when they go on: `tests/tuning/test_earlier_builds.py`.
NAMES = ("tunesmith-lists", "tunesmith-event-forests", "tunesmith-derivations", "tunesmith-training")
STORED = pytest.mark.parametrize("each", [OPENED[name] for name in NAMES], ids=NAMES)


@STORED
@pytest.mark.parametrize("build", [OTHER, None], ids=["other", "unknown"])
def test_what_another_build_began_goes_on_with_a_warning_until_it_is_finished(
    each: OpenedKind, build: object, tmp_path: Path
) -> None:
    each.begin(tmp_path, SETTINGS)
    path = tmp_path / each.kind.record
    known = json.loads(path.read_text())
    assert known["build"] == Build.running().record()
    path.write_text(json.dumps({**known, "build": build}))
    for _ in range(2):
        with pytest.warns(TunesmithWarning, match=f"{tmp_path} was begun by .*start anew with restart"):
            run = each.open(tmp_path, SETTINGS)
    if isinstance(run, StoreFolder):
        run.finish()
    else:
        (tmp_path / REORDERING).write_text("{}")
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        each.open(tmp_path, SETTINGS)


@STORED
def test_what_this_build_began_goes_on_in_silence(each: OpenedKind, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        each.begin(tmp_path, SETTINGS)
        each.open(tmp_path, SETTINGS)


@pytest.mark.parametrize("each", OPENED.values(), ids=OPENED)
def test_a_run_without_a_finished_piece_is_begun_by_the_build_that_runs(
    each: OpenedKind, tmp_path: Path
) -> None:
    each.open(tmp_path, SETTINGS)
    path = tmp_path / each.kind.record
    path.write_text(json.dumps({**json.loads(path.read_text()), "build": OTHER}))
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        each.open(tmp_path, SETTINGS)
    assert json.loads(path.read_text())["build"] == Build.running().record()
