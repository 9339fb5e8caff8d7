"""Commands with `--executor spark` and relative paths, as README and docs give them, on a real cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith.distribute import spark
from tunesmith.distribute.spark import SparkExecutor
from tunesmith.generated import write_corpus

pytestmark = pytest.mark.spark


class Shared:
    """A cluster that the end of a command does not end."""

    def __init__(self, cluster: SparkExecutor) -> None:
        self._cluster = cluster

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster, name)

    def __enter__(self) -> SparkExecutor:
        return self._cluster

    def __exit__(self, *_: object) -> None:
        """Leave it open."""


@pytest.fixture
def shared(cluster: SparkExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """What commands take for a new cluster, which sees the files of this machine."""
    monkeypatch.setattr(spark, "SparkExecutor", lambda master, settings, ship: Shared(cluster))
    monkeypatch.setattr(cluster, "ships", False)
    monkeypatch.setattr(cluster, "_shipper", None)


@pytest.fixture
def folder(small_model: Path, tmp_path: Path) -> Path:
    (tmp_path / "model").symlink_to(small_model)
    write_corpus(tmp_path / "dev", 6, seed=2, lowercase=True)
    write_corpus(tmp_path / "train", 20, seed=4, lowercase=True)
    return tmp_path


TEXT = "--source train.de --target train.en"
DEV = "--source dev.de --references dev.en"
TUNE = "--tune-source dev.de --tune-references dev.en"
COMMANDS = {
    f"xbleu lists model {TEXT} --nbest 5 --no-jackknife -o lists": "lists/store.json",
    "xbleu train lists -o reordering --features local --shards 2 --epochs 1": "reordering/weights",
    f"tune online model {DEV} --shards 2 --epochs 1 --nbest 9 -o tuned": "tuned/weights",
    "decode model --weights tuned/weights --input dev.de -o out --nbest-output nbest": "nbest",
    f"reestimate model {TEXT} {TUNE} --nbest 2 -o new": "new/phrases.bin",
}


@pytest.mark.usefixtures("shared")
def test_relative_paths_are_those_of_the_driver(folder: Path) -> None:
    for command, made in COMMANDS.items():
        done = run(*command.split(), "--executor", "spark", folder=folder)
        assert done.returncode == 0, (command, done.stderr)
        assert (folder / made).is_file(), command
