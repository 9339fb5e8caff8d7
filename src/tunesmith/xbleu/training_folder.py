"""The folder of a training: its checkpoint after each epoch, until the model is finished."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.array_files import read_arrays
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import parse_json
from tunesmith.named_files import own_file
from tunesmith.runs.folder import RunFolder
from tunesmith.runs.kind import RunKind, remove_own_folder
from tunesmith.runs.state import NoState
from tunesmith.types import FloatArray
from tunesmith.xbleu.reordering import REORDERING, WEIGHTS
from tunesmith.xbleu.seen_sentences import SENTENCES
from tunesmith.xbleu.shard_passes import SHARD_FILES

__all__ = ["Checkpoint", "TrainingFolder"]

CHECKPOINT = "checkpoint.npz"
SETTINGS = "training.json"
SHARDS = ".shards"
"""Folder of the lists of shards, and of what they learn, until the training ends."""
_EARLIER = {"patience": 0}
"""What trainings did before there were these options."""
_OWN_LIST = r"(frequent|words|classes)\.(source|target)(\.\d+)?\.txt"
"""Names of the word lists that a training puts into its folder."""
KIND: RunKind[NoState] = RunKind(
    "tunesmith-training",
    SETTINGS,
    "training of a reordering model",
    title="a training",
    begun_by=(CHECKPOINT, REORDERING),
    files="|".join([*map(re.escape, (REORDERING, WEIGHTS, SENTENCES, CHECKPOINT)), _OWN_LIST]),
    folders={SHARDS: SHARD_FILES},
    settings="",
    is_earlier=lambda found: {"features", "objective", "store"} <= found.keys(),
)

Floats = npt.NDArray[np.float32]


def _nothing() -> Floats:
    return np.zeros(0, dtype=np.float32)


def _no_change() -> FloatArray:
    return np.zeros(0)


_WEIGHTS, _DENSE = ("weights", "squares", "kept"), ("dense", "dense_squares", "dense_kept")


@dataclass
class Checkpoint:
    """The state after an epoch: history, gamma and what was tried, weights to continue with and to keep."""

    gamma: float = 0.0
    trials: list[dict[str, Any]] = field(default_factory=list)
    start: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    best: int = 0
    """The epoch, from 1, whose weights are kept; 0 before the first."""
    weights: Floats = field(default_factory=_nothing)
    squares: Floats = field(default_factory=_nothing)
    kept: Floats = field(default_factory=_nothing)
    dense: FloatArray = field(default_factory=_no_change)
    """Changes of the decoder's weights; empty unless these are trained, too."""
    dense_squares: FloatArray = field(default_factory=_no_change)
    dense_kept: FloatArray = field(default_factory=_no_change)

    def write(self, path: Path) -> None:
        """Replace the file, atomically."""
        about = {name: getattr(self, name) for name in ("gamma", "trials", "start", "history", "best")}
        names = (*_WEIGHTS, *_DENSE) if self.dense.size else _WEIGHTS
        arrays = {name: getattr(self, name) for name in names}
        with open_write(path) as stream:
            np.savez(stream, about=np.array(json.dumps(about)), **arrays)

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """Read the file; a damaged one is an InputError."""
        found = read_arrays(path, "remove it to train anew")
        try:
            about = parse_json(str(found["about"]), "a checkpoint", path=path)
            arrays: dict[str, Any] = {name: found[name].astype(np.float32) for name in _WEIGHTS}
            arrays |= {name: found[name].astype(np.float64) for name in _DENSE if name in found}
            return cls(**about, **arrays)
        except (ValueError, KeyError, TypeError):
            raise InputError("is damaged; remove it to train anew", path=path) from None


class TrainingFolder(RunFolder[NoState]):
    """The files of a training; to be used while the folder is locked."""

    def __init__(self, folder: PathLike, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        """Continue a training with the same `settings`; see `RunFolder`."""
        super().__init__(folder, KIND, settings, defaults=_EARLIER, restart=restart)
        self.shards = self.folder / SHARDS
        if not self.is_finished and (self.folder / CHECKPOINT).is_file():
            self.warn_of_other_build()

    @property
    def is_finished(self) -> bool:
        """Whether the model is there."""
        return (self.folder / REORDERING).is_file()

    def checkpoint(self) -> Checkpoint | None:
        """Return the state after the last epoch; None if there is none."""
        path = self.folder / CHECKPOINT
        return Checkpoint.read(path) if path.is_file() else None

    def commit(self, state: Checkpoint) -> None:
        """Record a finished epoch."""
        state.write(own_file(self.folder, CHECKPOINT))

    def finish(self) -> None:
        """Remove what a finished model does not need; shards are there only if a run was killed."""
        own_file(self.folder, CHECKPOINT).unlink(missing_ok=True)
        remove_own_folder(self.shards, SHARD_FILES)
