"""Relative paths reach workers as absolute ones, wherever these are."""

from __future__ import annotations

import contextlib
import pickle
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest
from tests.distribute.shard_functions import copying

from tunesmith.distribute import LocalExecutor
from tunesmith.distribute.base import dumps_absolute


@dataclass(frozen=True)
class Named:
    """Something with paths in it."""

    path: Path
    more: tuple[Path, ...] = ()


def test_paths_of_a_task_are_absolute_in_whatever_they_are(tmp_path: Path) -> None:
    given = {"a": Named(Path("x/../y"), (Path("z"), Path("/z"))), "-": Path("-"), "text": "z"}
    with contextlib.chdir(tmp_path):
        found = pickle.loads(dumps_absolute([given, PurePosixPath("pure")]))
    assert found == [
        {
            "a": Named(tmp_path / "x/../y", (tmp_path / "z", Path("/z"))),
            "-": Path("-"),
            "text": "z",
        },
        PurePosixPath("pure"),
    ]


@pytest.mark.process
def test_workers_use_the_folder_of_the_driver(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("hello\n")
    with LocalExecutor(2) as executor:
        executor.map_shards(copying, [(tmp_path / "in", tmp_path / str(number)) for number in range(2)])
        with contextlib.chdir(tmp_path):  # the workers are in another folder by now
            found = executor.map_shards(copying, [(Path("in"), Path(f"out.{number}")) for number in range(2)])
    assert found == [tmp_path / "out.0", tmp_path / "out.1"]
    assert (tmp_path / "out.1").read_text() == f"hello\n{tmp_path / 'in'}\n"
