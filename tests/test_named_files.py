"""Files that other files name: inside a folder, regular, and not printed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tunesmith.errors import InputError
from tunesmith.files import read_chunks
from tunesmith.named_files import check_regular, inside, own_file, unquoted


@pytest.mark.parametrize("name", ["a", "a.b", "..a", "sub/a"])
def test_a_name_inside_is_a_path_in_the_folder(name):
    assert inside("here", name) == Path("here") / name


@pytest.mark.parametrize(
    "name", ["../a", "sub/../../a", "/etc/passwd", "..", ".", "", "a\0b", 3, None, ["a"]]
)
def test_a_name_that_leaves_the_folder_is_an_error_of_the_file_that_has_it(name):
    with pytest.raises(InputError, match=r"^list\.json: "):
        inside("here", name, path="list.json")


def test_a_link_is_removed_before_its_name_is_written(tmp_path):
    (tmp_path / "victim").write_text("precious")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").symlink_to(tmp_path / "victim")
    own_file(folder, "a").write_text("new")
    assert (tmp_path / "victim").read_text() == "precious"
    (folder / "sub").symlink_to(tmp_path)
    with pytest.raises(InputError, match="leads out of"):
        own_file(folder, "sub/victim")


def test_pipes_devices_and_folders_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull), tmp_path):
        with pytest.raises(InputError, match="not a regular file"):
            check_regular(path)
    with pytest.raises(InputError, match="not a regular file"):
        list(read_chunks(tmp_path / "pipe", regular=True))


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("found 2 fields; expected '[X] ||| a ||| b'", "found 2 fields; the text is not shown"),
        ("found 'root:x:0'; expected 3 fields", "has an error here; the text is not shown"),
        ('the weight of "root:x:0" is', "has an error here; the text is not shown"),
        ("found 2 fields", "found 2 fields"),
    ],
)
def test_errors_keep_what_they_do_not_quote(message, shown):
    with pytest.raises(InputError, match=f"^file:3: {shown}") as caught, unquoted("the input"):
        raise InputError(message, path="file", line=3)
    assert "root" not in str(caught.value)
    assert caught.value.__cause__ is None
