"""What holds for the folders of all runs: they are continued, replaced and refused alike."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.runs.kinds import EACH, OpenedKind
from tests.runs.trees import contents

from tunesmith.errors import InputError, OptionError
from tunesmith.runs.folder import is_begun

ONE, TWO = {"seed": 1}, {"seed": 2}


class Killed(BaseException):
    pass


@EACH
def test_the_same_settings_continue_a_run_and_others_are_refused(each: OpenedKind, tmp_path: Path) -> None:
    each.begin(tmp_path, ONE)
    before = contents(tmp_path)
    assert is_begun(tmp_path, each.kind, each.open(tmp_path, ONE).record)
    assert contents(tmp_path) == before
    with pytest.raises(OptionError, match=rf"contains {each.kind.title} with seed 1, not 2; use the same"):
        each.open(tmp_path, TWO)
    assert contents(tmp_path) == before
    assert not is_begun(tmp_path, each.kind, each.open(tmp_path, TWO, restart=True).record)
    each.open(tmp_path, TWO)


@EACH
def test_a_run_without_a_finished_piece_gives_way_to_any_other(each: OpenedKind, tmp_path: Path) -> None:
    each.open(tmp_path, ONE)
    assert each.open(tmp_path, TWO).record.settings == TWO


@EACH
def test_a_restart_that_is_killed_is_never_continued_as_another_run(
    each: OpenedKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, unlink, left = os.replace, Path.unlink, 0

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed

    def replacing(source: Path, target: Path) -> None:
        step()
        replace(source, target)

    def unlinking(path: Path, missing_ok: bool = False) -> None:
        step()
        unlink(path, missing_ok)

    for number in range(1, 20):
        folder = tmp_path / str(number)
        folder.mkdir()
        each.begin(folder, ONE)
        for name in each.kind.begun_by:
            (folder / name).touch()
        begun, left = contents(folder), number
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", replacing)
            patch.setattr(Path, "unlink", unlinking)
            try:
                each.open(folder, TWO, restart=True)
                break
            except Killed:
                pass
        if contents(folder) != begun:  # else nothing was lost yet
            run = each.open(folder, TWO)
            assert run.record.settings == TWO and not is_begun(folder, each.kind, run.record)
    assert number > 3
    (tmp_path / "new").mkdir()
    each.open(tmp_path / "new", TWO)
    assert contents(folder) == contents(tmp_path / "new")


@EACH
def test_a_record_of_another_version_is_refused_until_a_restart(each: OpenedKind, tmp_path: Path) -> None:
    each.begin(tmp_path, ONE)
    path = tmp_path / each.kind.record
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 9}))
    with pytest.raises(InputError, match=rf"{each.kind.record}: is damaged or of another version \(.*, 9\)"):
        each.open(tmp_path, ONE)
    each.open(tmp_path, ONE, restart=True)


@EACH
def test_two_processes_do_not_share_a_folder(each: OpenedKind, tmp_path: Path) -> None:
    busy = pytest.raises(InputError, match="another process is working in this folder")
    with each.kind.locked(tmp_path / "new"), busy, each.kind.locked(tmp_path / "new"):
        pass
