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


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock")
    }


def test_neither_folder_is_changed_if_one_is_of_another_run(tmp_path: Path) -> None:
    setup, remote = write_lists(tmp_path), FolderElsewhere(tmp_path / "remote")
    learned(setup, tmp_path / "first", epochs=2, checkpoint_to=remote)
    learned(setup, tmp_path / "other", epochs=1, seed=2)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    for name in ("weights", "history.jsonl"):
        (foreign / name).write_text("of somebody else\n")
    before = contents(tmp_path)
    attempts: list[tuple[str, type[Exception], str, dict[str, Any]]] = [
        ("other", OptionError, "other contains a run with seed 2, not 1", {}),
        ("foreign", InputError, "contains 'history.jsonl' but no tuning run", {}),
        ("foreign", InputError, "contains 'history.jsonl' but no tuning run", {"restart": True}),
        ("new", OptionError, "checkpoint_to contains the checkpoint 00002 .* seed 1, not 3", {"seed": 3}),
        ("other", OptionError, "checkpoint 00002 .* seed 1, not 2", {"seed": 2}),
        ("other", OptionError, "checkpoint 00002 .* seed 1, not 2", {"seed": 2, "restart": True}),
    ]
    for output, kind, message, options in attempts:
        with pytest.raises(kind, match=message):
            learned(setup, tmp_path / output, epochs=3, checkpoint_to=remote, **options)
        assert contents(tmp_path) == before
    learned(setup, tmp_path / "first", epochs=1, checkpoint_to=remote, seed=3, restart=True)
    assert remote.names() == ["00001"]


def test_folders_that_are_no_checkpoints_are_left_alone(tmp_path: Path) -> None:
    setup, remote = write_lists(tmp_path), FolderElsewhere(tmp_path / "remote")
    for name in ("2026", "00007"):
        (remote.folder / name).mkdir(parents=True)
        (remote.folder / name / "text").write_text("of somebody else\n")
    with pytest.raises(InputError, match="contains '00007', which is not a checkpoint"):
        learned(setup, tmp_path / "first", epochs=1, checkpoint_to=remote, restart=True)
    remote.remove("00007")
    learned(setup, tmp_path / "first", epochs=1, checkpoint_to=remote, restart=True)
    assert remote.names() == ["00001", "2026"]


def test_an_interrupted_copy_of_a_checkpoint_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, remote = write_lists(tmp_path), FolderElsewhere(tmp_path / "remote")
    whole = learned(setup, tmp_path / "first", epochs=2, checkpoint_to=remote)

    def cut(name: str, file: Path) -> None:
        if name.endswith("shards.npz"):
            raise KeyboardInterrupt
        FolderElsewhere.get(remote, name, file)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(remote, "get", cut)
        learned(setup, tmp_path / "second", epochs=2, checkpoint_to=remote)
    assert (tmp_path / "second" / "weights").is_file()
    again = learned(setup, tmp_path / "second", epochs=2, checkpoint_to=remote)
    assert again.resumed_after == 2
    assert again.weights.read_bytes() == whole.weights.read_bytes()


def test_local_executors_have_no_other_file_systems() -> None:
    with pytest.raises(OptionError, match="checkpoint_to 'hdfs://host/x' needs executor spark"):
        LocalExecutor(1).folder("hdfs://host/x")
