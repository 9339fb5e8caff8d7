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
    write_corpus(tmp_path / "dev", 12, seed=2, lowercase=True)
    write_corpus(tmp_path / "train", 40, seed=4, lowercase=True)
    return tmp_path


COMMANDS = {
    "tune online": (
        "tune online model --source dev.de --references dev.en --shards 3 --epochs 1 --nbest 10 -o {}",
        "/weights",
    ),
    "decode": ("decode model --input dev.de --output {} --nbest-output {}.nbest --nbest 5", ".nbest"),
    "reestimate": (
        "reestimate model --source train.de --target train.en --tune-source dev.de --tune-references dev.en"
        " --nbest 2 -o {}",
        "/phrases.bin",
    ),
    "xbleu train": ("xbleu train lists -o {} --features local --shards 2 --epochs 1", "/weights"),
}
LISTS = "xbleu lists model --source train.de --target train.en --nbest 5 --no-jackknife -o lists"


@pytest.mark.usefixtures("shared")
def test_relative_paths_are_those_of_the_driver(folder: Path) -> None:
    done = run(*LISTS.split(), "--executor", "spark", folder=folder)
    assert done.returncode == 0, done.stderr
    for name, (command, file) in COMMANDS.items():
        made = []
        for number, where in enumerate(("local", "spark")):
            words = command.replace("{}", f"out.{number}").split()
            done = run(*words, "--executor", where, folder=folder)
            assert done.returncode == 0, (name, done.stderr)
            made.append((folder / f"out.{number}{file}").read_bytes())
        assert made[0] == made[1], name
        for path in folder.glob("out.*"):
            path.rename(folder / f"{name}.{path.name}")
