"""The names of the files of one call of `tune`: weights and histories of its replicas and folds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.weights import WeightStore

__all__ = ["check_replica_files", "history_path", "part_histories", "replica_files"]


def replica_files(output: PathLike, replicas: int) -> list[Path]:
    """Return the files of the weights of replica 1, 2, ...: `stem.N.suffix`; none for a single replica."""
    file = Path(output)
    if replicas < 2:
        return []
    return [file.with_name(f"{file.stem}.{number}{file.suffix}") for number in range(1, replicas + 1)]


def history_path(history: PathLike, part: str) -> Path:
    """Return the file of a part of a run: `run.replica2.jsonl`, `run.fold1.jsonl`, ..."""
    path = Path(history)
    return path.with_name(f"{path.stem}.{part}{path.suffix}")


def part_histories(history: PathLike, replicas: int, folds: int | None) -> Iterator[Path]:
    """Yield the histories of replicas and folds that are there, and their checkpoints."""
    given = Path(history)
    stem, suffix = re.escape(given.stem), re.escape(given.suffix)
    name = re.compile(
        rf"{stem}(?:\.fold(?P<fold>\d+))?(?:\.replica(?P<replica>\d+))?{suffix}(?:\.checkpoint\.npz)?"
    )
    for path in sorted(given.parent.iterdir()) if given.parent.is_dir() else ():
        found = name.fullmatch(path.name)
        if found is None or found["fold"] is found["replica"] is None:
            continue
        if int(found["fold"] or 0) <= (folds or 0) and int(found["replica"] or 0) <= replicas:
            yield path


def check_replica_files(output: PathLike, replicas: int) -> None:
    """Raise InputError if the weights of a replica would replace a file that is not one of weights."""
    for number, path in enumerate(replica_files(output, replicas), 1):
        if not os.path.lexists(path):
            continue
        try:
            WeightStore.open(path)
        except InputError:
            raise InputError(
                f"is there already, and no file of weights; the weights of replica {number} would replace it:"
                " name another output",
                path=path,
            ) from None
