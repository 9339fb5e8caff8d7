"""Temporary files of killed processes, and only these, are removed by the next command."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith import leftovers
from tunesmith.folders import temporary_folder
from tunesmith.leftovers import remove_leftovers, temporary_name
from tunesmith.locks import locked_folder

KILLED_WHILE_IT_WRITES = """
import os, signal, sys
from pathlib import Path
from tunesmith.files import open_write
from tunesmith import leftovers
from tunesmith.folders import temporary_folder

with open_write(sys.argv[1]) as stream, temporary_folder(".prepare.", Path(sys.argv[1]).parent) as folder:
    stream.write(b"half")
    Path(folder, "text").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
IN_ANOTHER_NAMESPACE = """
import sys
from pathlib import Path
import numpy as np
from tunesmith.container import write_container
from tunesmith.errors import InputError
from tunesmith.leftovers import remove_leftovers, temporary_name

folder = Path(sys.argv[1])
remove_leftovers(folder)
temporary_name(folder / "big").symlink_to("/dev/full")
try:
    write_container(folder / "big", "test", 1, {"big": np.zeros(1 << 16)})
except InputError as error:
    print(error)
"""
NO_PROCESS = 4194305
"""Above the largest number of a process."""


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A folder in which a process was killed while it wrote the file `lists`."""
    command = [sys.executable, "-c", KILLED_WHILE_IT_WRITES, str(tmp_path / "lists")]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    return tmp_path


@pytest.mark.process
def test_what_a_killed_process_left_is_removed_when_its_folder_is_locked(left: Path) -> None:
    with locked_folder(left, "busy", lambda folder: None):
        assert [path.name for path in left.iterdir()] == [".lock"]


@pytest.mark.process
def test_only_the_leftovers_of_a_name_are_removed_if_it_is_asked_for(left: Path) -> None:
    remove_leftovers(left, "others".__eq__)
    assert len(list(left.iterdir())) == 2
    remove_leftovers(left, "lists".__eq__)
    (folder,) = left.iterdir()
    assert folder.name.startswith(".prepare.")
    with temporary_folder(".prepare.", left) as own:
        assert [str(path) for path in left.iterdir()] == [own]


def test_files_of_processes_that_run_and_of_other_hosts_and_names_stay(tmp_path: Path) -> None:
    host = temporary_name(tmp_path / "x").name.split("-")[1]
    own = temporary_name(tmp_path / "file").name
    other_host = "00000000.tmp" if host != "00000000.tmp" else "00000001.tmp"
    kept = [own, f".file.{NO_PROCESS}-{other_host}", f"file.{NO_PROCESS}.tmp", ".file.tmp", ".notes.2024.txt"]
    kept += [f".file.{NO_PROCESS}.tmp", ".notes.2023.tmp"]  # without a host: perhaps of another program
    gone = [f".file.{NO_PROCESS}-{host}", f".file.gz.{NO_PROCESS}-{host}.gz"]
    for name in (*kept, *gone):
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_a_link_of_such_a_name_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    host = temporary_name(tmp_path / "x").name.split("-")[1]
    (tmp_path / f".x.{NO_PROCESS}-{host}").symlink_to(tmp_path / "precious")
    (tmp_path / f".y.{NO_PROCESS}.tmp").mkdir()
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["precious", f".y.{NO_PROCESS}.tmp"])
    assert (tmp_path / "precious" / "file").exists()


@pytest.mark.process
def test_a_file_that_a_process_of_another_container_writes_stays(tmp_path: Path) -> None:
    """A namespace of process numbers is what keeps containers apart; the host's name is the same in it."""
    contain = ["unshare", "--user", "--map-root-user", "--pid", "--fork"]
    if shutil.which("unshare") is None or subprocess.call([*contain, "true"]) != 0:
        pytest.skip("no namespaces of process numbers here")
    own = temporary_name(tmp_path / "file")
    with subprocess.Popen(["sleep", "60"]) as process:
        live = own.with_name(own.name.replace(f".{os.getpid()}-", f".{process.pid}-"))
        live.touch()
        command = [*contain, sys.executable, "-c", IN_ANOTHER_NAMESPACE, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        process.kill()
    assert "No space left" in done.stdout, done.stderr  # native code used the name that was made in Python
    assert list(tmp_path.iterdir()) == [live]
    remove_leftovers(tmp_path)
    assert not list(tmp_path.iterdir())


def test_names_have_the_namespace_of_process_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def name_in(namespace: str) -> str:
        place = tmp_path / namespace
        if namespace:
            place.symlink_to(f"pid:[{namespace}]")
        monkeypatch.setattr(leftovers, "_NAMESPACE", str(place))
        leftovers._host.cache_clear()
        return temporary_name(tmp_path / "file").name

    names = [name_in(namespace) for namespace in ("4026531836", "4026532001", "")]
    monkeypatch.undo()
    leftovers._host.cache_clear()
    assert len(set(names)) == 3
