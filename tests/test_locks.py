"""Locks of folders and files."""

from __future__ import annotations

import os

import pytest

from tunesmith.errors import InputError
from tunesmith.locks import LOCK, locked_files, locked_folder


def test_a_folder_has_one_owner_at_a_time(tmp_path):
    with (
        locked_folder(tmp_path, "busy"),
        pytest.raises(InputError, match="busy"),
        locked_folder(tmp_path, "busy"),
    ):
        pass
    with locked_folder(tmp_path, "busy"):
        pass


def test_a_lock_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / LOCK).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"\.lock: is a link"), locked_folder(tmp_path, "busy"):
        pass
    assert not (tmp_path / "elsewhere").exists()


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
