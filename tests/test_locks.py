"""Locks of folders and files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.runs.trees import contents

from tunesmith.errors import InputError
from tunesmith.leftovers import temporary_name
from tunesmith.locks import LOCK, locked_files, locked_folder, shared_lock


def own(folder: Path) -> None:
    """Any folder is the caller's."""


def foreign(folder: Path) -> None:
    assert (folder / LOCK).is_file()
    raise InputError("is not ours", path=folder)


def test_a_folder_has_one_owner_at_a_time(tmp_path):
    with (
        locked_folder(tmp_path, "busy", own),
        pytest.raises(InputError, match="busy"),
        locked_folder(tmp_path, "busy", own),
    ):
        pass
    with locked_folder(tmp_path, "busy", own):
        pass


def test_a_lock_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / LOCK).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"\.lock: is a link"), locked_folder(tmp_path, "busy", own):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_is_refused_stays_as_it_was(tmp_path):
    host = temporary_name(tmp_path / "x").name.split("-")[1]
    for name in ("file", ".notes.2023.tmp", f".x.99999998-{host}", ".x.99999998.tmp"):
        (tmp_path / name).write_text(name)
    before = contents(tmp_path)
    for _ in range(2):
        with pytest.raises(InputError, match="not ours"), locked_folder(tmp_path, "busy", foreign):
            pass
        assert contents(tmp_path) == before
        (tmp_path / LOCK).touch()  # of another program, or of an earlier run
        before = contents(tmp_path)


def test_a_folder_that_another_process_has_locked_keeps_its_lock(tmp_path):
    with locked_folder(tmp_path, "busy", own):
        with pytest.raises(InputError, match="busy"), locked_folder(tmp_path, "busy", foreign):
            pass
        assert (tmp_path / LOCK).exists()


def test_files_are_locked_by_any_of_their_names_and_nothing_stays(tmp_path):
    (tmp_path / "other").symlink_to(tmp_path / "weights")
    with locked_files([tmp_path / "weights", None], "busy"):
        assert {path.name for path in tmp_path.iterdir()} == {"other", ".weights.lock"}
        with pytest.raises(InputError, match="busy"), locked_files([tmp_path / "other"], "busy"):
            pass
        with locked_files([tmp_path / "history"], "busy"):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_streams_devices_and_what_cannot_be_written_have_no_lock(tmp_path):
    files = ["-", os.devnull, tmp_path / "missing" / "file", tmp_path]
    with locked_files(files, "busy"), locked_files(files, "busy"):
        pass


@contextmanager
def shared(folder: Path, notes: list[str], *, ready: bool = False, there: bool = False) -> Iterator[None]:
    with shared_lock(
        folder / LOCK,
        is_ready=lambda: ready or "prepared" in notes,
        is_there=lambda: there,
        prepare=lambda: notes.append("prepared"),
        finish=lambda: notes.append("finished"),
    ):
        yield


def test_the_last_holder_of_a_shared_lock_finishes_what_a_holder_prepared(tmp_path):
    notes: list[str] = []
    with shared(tmp_path, notes):
        with shared(tmp_path, notes):
            pass
        assert notes == ["prepared"]
    assert notes == ["prepared", "finished"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("found", [{"ready": True, "there": True}, {"there": True}])
def test_what_was_there_before_a_shared_lock_is_not_finished(tmp_path, found):
    notes: list[str] = []
    with shared(tmp_path, notes, **found):
        pass
    assert "finished" not in notes
    assert not list(tmp_path.iterdir())


def test_what_was_refused_under_a_shared_lock_is_not_finished(tmp_path):
    notes: list[str] = []

    def refuse() -> None:
        raise InputError("is not ours", path=tmp_path)

    with (
        pytest.raises(InputError, match="not ours"),
        shared_lock(
            tmp_path / LOCK,
            is_ready=lambda: False,
            is_there=lambda: True,
            prepare=refuse,
            finish=lambda: notes.append("finished"),
        ),
    ):
        pass
    assert not notes
