"""The checkpoint of a run: the states of its optimizers in an npz file, to resume from."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.array_files import read_arrays
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.files import PathLike, open_write
from tunesmith.named_files import own_file
from tunesmith.optimizers.base import State
from tunesmith.types import FloatArray

__all__ = ["Best", "Checkpoint", "Saved"]

_DIGEST = "digest"
_OTHER = "it is of other data, options, or another build of Tunesmith"


@dataclass(frozen=True, eq=False)
class Best:
    """The iteration with the best metric so far."""

    score: float
    loss: float
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class Saved:
    """The state from which a run resumes."""

    states: Sequence[State] = ()
    """The final states of finished stages, and the last state of the current one."""
    records: int = 0
    """The number of history records made so far."""
    best: Best | None = None


@dataclass(frozen=True)
class Checkpoint:
    """A file next to the history. A fingerprint names its data, options and build.

    It ends with a digest of all arrays: a state that was changed would lead an optimizer astray.
    """

    path: Path
    fingerprint: str

    @classmethod
    def of(cls, history: PathLike, fingerprint: str) -> Checkpoint:
        """Return the checkpoint of the run with this history."""
        path = Path(history)
        return cls(path.with_name(path.name + ".checkpoint.npz"), fingerprint)

    def load(self, records: int) -> Saved:
        """Return the saved state of a killed run, an empty one if there is none.

        A checkpoint of another run, or one whose history has fewer `records` than were saved, is removed,
        with a TunesmithWarning.
        """
        if not self.path.exists():
            return Saved()
        arrays = _arrays(self.path)
        count = int(arrays["records"])
        is_other = str(arrays["fingerprint"]) != self.fingerprint
        if is_other or records < count:
            self.remove()
            why = _OTHER if is_other else "its history lacks iterations"
            text = f"{self.path}: the checkpoint of a killed run is not continued: {why}; starting anew"
            warnings.warn(text, TunesmithWarning, stacklevel=2)
            return Saved()
        best = None
        if "best/score" in arrays:
            score, loss = arrays["best/score"].tolist()
            best = Best(score, loss, arrays["best/weights"])
        return Saved(_states(arrays), count, best)

    def save(self, saved: Saved) -> None:
        """Replace the file."""
        arrays: dict[str, Any] = {
            "fingerprint": np.array(self.fingerprint),
            "records": np.array(saved.records),
        }
        if saved.best is not None:
            arrays["best/score"] = np.array([saved.best.score, saved.best.loss])
            arrays["best/weights"] = saved.best.weights
        for stage, state in enumerate(saved.states):
            arrays[f"{stage}/state"] = np.array([state.loss, state.steps, state.done])
            arrays[f"{stage}/weights"] = state.weights
            arrays |= {f"{stage}/memory/{name}": value for name, value in state.memory.items()}
        arrays[_DIGEST] = np.array(_digest(arrays))
        with open_write(own_file(self.path.parent, self.path.name)) as stream:
            np.savez(stream, **arrays)

    def remove(self) -> None:
        """Remove the file: the run has ended and its result is safe, or it is of another run."""
        self.path.unlink(missing_ok=True)


def _arrays(path: Path) -> dict[str, Any]:
    arrays = read_arrays(path, "remove it to start anew")
    if str(arrays.pop(_DIGEST, "")) != _digest(arrays):
        raise InputError("is damaged, or of another version; remove it to start anew", path=path)
    return arrays


def _digest(arrays: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, value in arrays.items():
        array = np.asarray(value)
        digest.update(repr((name, array.dtype.str, array.shape)).encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _states(arrays: Mapping[str, Any]) -> list[State]:
    states: list[State] = []
    while f"{len(states)}/state" in arrays:
        prefix = f"{len(states)}/memory/"
        loss, steps, done = arrays[f"{len(states)}/state"].tolist()
        memory = {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
        states.append(State(arrays[f"{len(states)}/weights"], loss, int(steps), bool(done), memory))
    return states
