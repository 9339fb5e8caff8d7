"""Checkpoints in a remote folder: a run goes on from them on another machine, and ends with the same bits."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith.distribute import LocalExecutor
from tunesmith.errors import InputError, OptionError


class FolderElsewhere:
    """A remote folder for tests: a local one, whose calls can be cut off."""

    def __init__(self, folder: Path, most: int = 10**6) -> None:
        self.folder, self.left = folder, most

    def put(self, file: Path, name: str) -> None:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, self.folder / name)

    def get(self, name: str, file: Path) -> None:
        shutil.copy(self.folder / name, file)

    def names(self, name: str = "") -> list[str]:
        place = self.folder / name
        return sorted(path.name for path in place.iterdir()) if place.is_dir() else []

    def remove(self, name: str) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)


def test_a_run_goes_on_from_its_newest_checkpoint_on_another_machine(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    options: dict[str, Any] = {"keep_rates": True, "average": "steps"}
    whole = learned(setup, tmp_path / "whole", epochs=4, **options)
    remote = FolderElsewhere(tmp_path / "remote")
    learned(setup, tmp_path / "first", epochs=2, checkpoint_to=remote, **options)
    assert remote.names() == ["00002"]
    again = learned(setup, tmp_path / "second", epochs=4, checkpoint_to=remote, **options)
    assert again.resumed_after == 2
    for name in ("weights", "run.json"):
        assert len((tmp_path / "second" / name).read_bytes()) > 100
    assert (tmp_path / "second" / "weights").read_bytes() == whole.weights.read_bytes()
    behind = learned(setup, tmp_path / "first", epochs=4, checkpoint_to=remote, **options)
    assert behind.resumed_after == 4
    assert behind.weights.read_bytes() == whole.weights.read_bytes()


def test_an_unfinished_checkpoint_does_not_count_and_restart_removes_all(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    whole = learned(setup, tmp_path / "whole", epochs=3)
    files = len(list((tmp_path / "whole").glob("*"))) + len(list((tmp_path / "whole/iterations").glob("*")))
    cut = FolderElsewhere(tmp_path / "remote", most=2 * files + 1)
    with pytest.raises(KeyboardInterrupt):
        learned(setup, tmp_path / "first", epochs=3, checkpoint_to=cut)
    complete, unfinished = cut.names()
    assert int(unfinished) == int(complete) + 1
    again = learned(setup, tmp_path / "second", epochs=3, checkpoint_to=FolderElsewhere(tmp_path / "remote"))
    assert again.resumed_after == int(complete)
    assert again.weights.read_bytes() == whole.weights.read_bytes()
    remote = FolderElsewhere(tmp_path / "remote")
    fresh = learned(setup, tmp_path / "third", epochs=1, checkpoint_to=remote, restart=True)
    assert fresh.resumed_after == 0 and remote.names() == ["00001"]


def test_other_options_and_damage_are_refused(tmp_path: Path) -> None:
    setup, remote = write_lists(tmp_path), FolderElsewhere(tmp_path / "remote")
    learned(setup, tmp_path / "first", epochs=1, checkpoint_to=remote)
    with pytest.raises(OptionError, match="seed"):
        learned(setup, tmp_path / "second", epochs=1, checkpoint_to=remote, seed=2)
    (remote.folder / "00001" / "weights").write_bytes(b"x")
    with pytest.raises(InputError, match="weights of checkpoint 00001 is damaged"):
        learned(setup, tmp_path / "third", epochs=1, checkpoint_to=remote)


def test_local_executors_have_no_other_file_systems() -> None:
    with pytest.raises(OptionError, match="checkpoint_to 'hdfs://host/x' needs executor spark"):
        LocalExecutor(1).folder("hdfs://host/x")
