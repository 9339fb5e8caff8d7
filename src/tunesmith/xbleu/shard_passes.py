"""Passes over shards of lists, mixed after each epoch: iterative parameter mixing (McDonald et al. 2010)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.array_files import read_arrays
from tunesmith.distribute import Executor, Report
from tunesmith.distribute.kept import kept, let_go
from tunesmith.errors import OptionError
from tunesmith.folders import make_folder
from tunesmith.runs.kind import remove_own_folder

__all__ = ["SHARD_FILES", "LearnerSetup", "PassTask", "ShardPasses", "learn_shard", "state_of"]

SHARD_FILES = r"\.?(lists\.\d+|state(\.\d+)?\.npz)"
"""Names of the files that passes write into their folder."""

Arrays = dict[str, npt.NDArray[Any]]

_OBJECTIVES = {
    "xbleu": _native.ListObjective.EXPECTED_GAIN,
    "cll": _native.ListObjective.LIKELIHOOD,
}


@dataclass(frozen=True)
class LearnerSetup:
    """The options of a native learner, by name, and its number of features."""

    features: int
    objective: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def learner(self, state: Mapping[str, npt.NDArray[Any]] | None = None) -> _native.ReorderingLearner:
        """Return a learner, without weights unless there is a `state`."""
        learner = _native.ReorderingLearner(
            self.features, objective=_OBJECTIVES[self.objective], **self.options
        )
        if state is not None:
            learner.set_state(state["weights"], state["squares"])
            learner.set_dense_state(state["dense"].tolist(), state["dense_squares"].tolist())
        return learner


def state_of(learner: _native.ReorderingLearner) -> Arrays:
    """Return all that a learner has after an epoch: to continue from, and the weights that it results in."""
    return {
        "weights": learner.weights(),
        "squares": learner.squares(),
        "dense": learner.dense_changes(),
        "dense_squares": learner.dense_squares(),
        "averages": learner.averages(),
        "dense_averages": learner.dense_averages(),
    }


@dataclass(frozen=True)
class PassTask:
    """An epoch of a shard: its lists, the state to begin with, and the file for that at its end.

    `training` is another text in each training, whose lists may be under the path of earlier ones.
    """

    training: str
    lists: Path
    setup: LearnerSetup
    state: Path
    seed: int
    epoch: int
    output: Path


def learn_shard(task: PassTask, report: Report) -> tuple[int, float]:
    """Make one pass over the lists of a shard; return their number, and the mean of the objective."""

    def open_(stack: ExitStack) -> _native.TrainingSet:
        return _native.TrainingSet.open(str(task.lists))

    lists = kept((task.training, task.lists), open_)
    learner = task.setup.learner(_read(task.state))
    found = learner.learn(lists, task.seed, task.epoch)
    _write(task.output, state_of(learner))
    report(len(lists))
    return found


class ShardPasses:
    """Cuts the lists of a training into shards, and makes epochs of them by an executor.

    Each shard begins an epoch with the same weights; at its end all that learners have is averaged, in the
    order of shards, in double precision. So results depend on the number of shards alone.
    """

    def __init__(self, lists: _native.TrainingSet, shards: int, folder: Path, executor: Executor) -> None:
        if shards > len(lists):
            raise OptionError(
                "{} {shards} is more than the {lists} lists to train on: shards without lists learn nothing,"
                " and the mean with them would be that much smaller; use at most {lists}",
                "shards",
                shards=shards,
                lists=len(lists),
            )
        self.folder, self.executor = folder.absolute(), executor
        self._training = uuid.uuid4().hex
        remove_own_folder(folder, SHARD_FILES)  # of a killed run
        make_folder(folder)
        self._lists = [self.folder / f"lists.{shard}" for shard in range(shards)]
        ends = [len(lists) * shard // shards for shard in range(shards + 1)]
        for path, begin, end in zip(self._lists, ends[:-1], ends[1:], strict=True):
            lists.write(str(path), begin, end)

    def learn(self, setup: LearnerSetup, state: Arrays, seed: int, epoch: int) -> tuple[Arrays, float]:
        """Make an epoch; return the mean of the states of all shards, and of the objective over lists."""
        begin = self.folder / "state.npz"
        _write(begin, state)
        outputs = [self.folder / f"state.{shard}.npz" for shard in range(len(self._lists))]
        for output in outputs:
            output.unlink(missing_ok=True)  # what exists would be sent to workers
        tasks = [
            PassTask(self._training, lists, setup, begin, seed, epoch, output)
            for lists, output in zip(self._lists, outputs, strict=True)
        ]
        found = self.executor.map_shards(learn_shard, tasks)
        lists = sum(number for number, _ in found)
        return mean_of(outputs), sum(number * objective for number, objective in found) / max(lists, 1)

    def close(self) -> None:
        """Remove the files, and the folder if it has no others."""
        let_go()
        remove_own_folder(self.folder, SHARD_FILES)


def mean_of(files: Sequence[Path]) -> Arrays:
    """Return the means of the arrays of files, added in their order; one file is in memory at a time."""
    sums: Arrays = {}
    for path in files:
        for name, values in _read(path).items():
            sums[name] = sums.get(name, 0.0) + values.astype(np.float64)
    kinds = {name: values.dtype for name, values in _read(files[0]).items()}
    return {name: (values / len(files)).astype(kinds[name]) for name, values in sums.items()}


def _read(path: Path) -> Arrays:
    return read_arrays(path, "give the command again")


def _write(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    draft = path.with_name(f".{path.name}")
    with draft.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]
    draft.replace(path)
