"""The journal of a run: a JSONL line an iteration as it happens, and a checkpoint to resume from.

The checkpoint holds the end states of finished stages and the last state of the running one.
It belongs to one set of data and options, told by a fingerprint; another run removes it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.objectives.base import Objective
from tunesmith.optimizers.base import Optimizer, State
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["Best", "Journal", "Record", "Watcher"]

Record = dict[str, Any]
Watcher = Callable[[Record], None]

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


@dataclass(frozen=True, eq=False)
class Best:
    """The iteration with the best metric so far."""

    score: float
    loss: float
    weights: FloatArray


class Journal:
    """Runs the stages of a recipe, remembers what happened, and skips what a killed run had done.

    A history line is written before its checkpoint; lines beyond the checkpoint are cut when a run
    resumes, and the steps that made them are repeated.
    """

    def __init__(
        self,
        path: PathLike | None = None,
        *,
        fingerprint: str = "",
        score: Callable[[FloatArray], float] | None = None,
        sign: float = 1.0,
        watch: Watcher | None = None,
    ) -> None:
        """Keep the history in memory, and in `path` if given.

        `score` adds the metric to every line, and the weights with the best one are remembered;
        `sign` is -1.0 if less is better.
        """
        self.records: list[Record] = []
        self.best: Best | None = None
        self.resumed_after = 0
        self._path = None if path is None else Path(path)
        self._fingerprint = fingerprint
        self._score = score
        self._sign = sign
        self._watch = watch
        self._stage = 0
        self._states: list[State] = []
        if self._path is not None:
            self._resume(self._path)

    @property
    def checkpoint(self) -> Path | None:
        """Where the checkpoint lies while the run goes on."""
        return None if self._path is None else self._path.with_name(self._path.name + ".checkpoint.npz")

    def minimize(
        self, objective: Objective, optimizer: Optimizer[Any], space: Space, facts: Mapping[str, object]
    ) -> State:
        """Step the optimizer to its end; one call is one stage."""
        stage, self._stage = self._stage, self._stage + 1
        state = self._states[stage] if stage < len(self._states) else optimizer.start(objective, space)
        if stage >= len(self._states):
            self._states.append(state)
        while not state.done:
            state = optimizer.step(objective, space, state, lambda loss, w: self._note(stage, loss, w, facts))
            self._states[stage] = state
            self._save()
        return state

    def finish(self) -> None:
        """Remove the checkpoint: the run has ended well, and its result is safe."""
        if self.checkpoint is not None:
            self.checkpoint.unlink(missing_ok=True)

    def _note(self, stage: int, loss: float, weights: FloatArray, facts: Mapping[str, object]) -> None:
        record: Record = {"iteration": len(self.records) + 1, "stage": stage, "loss": loss, **facts}
        if self._score is not None:
            score = record["score"] = self._score(weights)
            if self.best is None or self._sign * score > self._sign * self.best.score:
                self.best = Best(score, loss, weights)
        record["norm"] = float(np.linalg.norm(weights))
        self.records.append(record)
        if self._path is not None:
            try:
                with self._path.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(record) + "\n")
            except OSError as error:
                raise InputError(f"cannot write the history: {error.strerror}", path=self._path) from error
        if self._watch is not None:
            self._watch(record)

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        arrays: dict[str, Any] = {
            "fingerprint": np.array(self._fingerprint),
            "records": np.array(len(self.records)),
        }
        if self.best is not None:
            arrays["best/score"] = np.array([self.best.score, self.best.loss])
            arrays["best/weights"] = self.best.weights
        for stage, state in enumerate(self._states):
            arrays[f"{stage}/state"] = np.array([state.loss, state.steps, state.done])
            arrays[f"{stage}/weights"] = state.weights
            arrays |= {f"{stage}/memory/{name}": value for name, value in state.memory.items()}
        with open_write(self.checkpoint) as stream:
            np.savez(stream, **arrays)

    def _resume(self, path: Path) -> None:
        assert self.checkpoint is not None
        if path.suffix in COMPRESSED or str(path) == "-":
            raise InputError("a history is appended to: expected a plain file", path=path)
        known = _read_records(path)
        if self.checkpoint.exists():
            arrays = _load(self.checkpoint)
            count = int(arrays["records"])
            if str(arrays["fingerprint"]) == self._fingerprint and len(known) >= count:
                self._states = _states(arrays)
                self.records = known[:count]
                self.resumed_after = count
                if "best/score" in arrays:
                    score, loss = arrays["best/score"].tolist()
                    self.best = Best(score, loss, arrays["best/weights"])
            else:  # of another run, or its history is gone
                self.checkpoint.unlink()
        with open_write(path) as stream:
            stream.write("".join(json.dumps(record) + "\n" for record in self.records).encode("utf-8"))


def _load(checkpoint: Path) -> dict[str, Any]:
    try:
        with np.load(checkpoint) as saved:
            arrays = {name: saved[name] for name in saved.files}
        if not {"fingerprint", "records"} <= set(arrays):
            raise ValueError
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError):
        raise InputError("damaged checkpoint; remove it to start anew", path=checkpoint) from None
    return arrays


def _states(arrays: Mapping[str, Any]) -> list[State]:
    states: list[State] = []
    while f"{len(states)}/state" in arrays:
        prefix = f"{len(states)}/memory/"
        loss, steps, done = arrays[f"{len(states)}/state"].tolist()
        memory = {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
        states.append(State(arrays[f"{len(states)}/weights"], loss, int(steps), bool(done), memory))
    return states


def _read_records(path: Path) -> list[Record]:
    """Return the records of an earlier run; a file that is something else is not ours to replace."""
    if not path.exists():
        return []
    records: list[Record] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            if number == 1 and line.strip():
                raise InputError("not a history; it will not be replaced", path=path, line=1) from None
            break  # the end, or the line that was being written when the run was killed
        if not (isinstance(record, dict) and "iteration" in record):
            raise InputError("not a history; it will not be replaced", path=path, line=number)
        records.append(record)
    return records
