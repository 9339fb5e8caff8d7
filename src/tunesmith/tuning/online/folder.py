"""The folder of an online run: weights that may be used at any time, the history, and the newest checkpoint.

`weights` are the selected weights so far, `history.jsonl` has a line per iteration. `run.json` is replaced
atomically after everything else of an iteration is written, so that a killed run loses at most the current
iteration. `iterations` has the weights that the next iteration begins with, and the start weights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from tunesmith.files import PathLike
from tunesmith.folders import make_folder
from tunesmith.metrics.components import Components
from tunesmith.named_files import own_file
from tunesmith.runs.folder import RunFolder, RunOptions
from tunesmith.runs.kind import RunKind, remove_own
from tunesmith.runs.state import FieldState
from tunesmith.tuning.history import Record, check_history, write_history
from tunesmith.tuning.online.shards import Shards
from tunesmith.weights import WeightStore

__all__ = ["KIND", "OnlineFolder", "OnlineState"]

HISTORY, WEIGHTS, ITERATIONS, SHARDS = "history.jsonl", "weights", "iterations", "shards.npz"
SELECT = "select.npz"
_OF_ITERATION = r"\d+\.(weights|average|largest|shard-\d+)"
_NUMBERS = ("score", "online_score", "select_score", "loss", "start_scale", "seconds", "seconds_learn")
_COUNTS = (
    *("iteration", "features", "sentences", "updates", "skipped", "untranslated", "failed", "score_failed"),
    *("dropped_by_top_k", "dropped_by_shards", "select_untranslated", "select_failed"),
)
_TYPES = {
    **dict.fromkeys(_NUMBERS, float),
    **dict.fromkeys(_COUNTS, int),
    **dict.fromkeys(("components", "online_components", "select_components"), Components),
    "features_by_template": dict[str, int],
}


def _needed(record: Record) -> set[str]:
    return {"features", "features_by_template", "seconds"} | ({"sentences"} if "updates" in record else set())


@dataclass
class OnlineState(FieldState):
    """The state between two iterations: records, the first of the start weights; a document per shard; the
    names of dense features; and the iteration whose weights are selected."""

    records: list[Record] = field(default_factory=list)
    documents: list[list[float]] = field(default_factory=list)
    dense: list[str] = field(default_factory=list)
    chosen: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError or KeyError unless records are in order and have what is chosen."""
        scored = {"select_score"} if self.records and "select_score" in self.records[0] else set()
        check_history(self.records, 0, _TYPES, lambda record: _needed(record) | scored)
        if not 0 <= self.chosen < max(len(self.records), 1):
            raise ValueError(f"no record of the chosen iteration {self.chosen}")

    @property
    def is_begun(self) -> bool:
        """Whether the start weights have a score."""
        return bool(self.records)


KIND = RunKind(
    "tunesmith-online",
    "run.json",
    "tuning run",
    state=OnlineState,
    files="|".join(map(re.escape, (HISTORY, WEIGHTS, SHARDS, SELECT))),
    folders={ITERATIONS: _OF_ITERATION},
)


class OnlineFolder(RunFolder[OnlineState]):
    """The files of a run; to be used while the folder is locked.

    `shards` and `select_shards` are the files of the parts of the tuning set and of the select set,
    `published` is that of the selected weights, and `files` the folder of those of iterations.
    """

    def __init__(self, folder: PathLike, settings: Mapping[str, Any], **options: Unpack[RunOptions]) -> None:
        """Continue a run with the same `settings`; see `RunFolder`."""
        super().__init__(folder, KIND, settings, **options)
        names = (ITERATIONS, SHARDS, SELECT, WEIGHTS)
        self.files, self.shards, self.select_shards, self.published = (self.folder / name for name in names)
        self.resumed_after = max(len(self.state.records) - 1, 0)

    def weights(self, iteration: int) -> Path:
        """Return the file of the mixed weights after an iteration; 0 is the start."""
        return self.files / f"{iteration}.weights"

    def average(self, iteration: int) -> Path:
        """Return the file of the average over iterations, with all features that any of them had."""
        return self.files / f"{iteration}.average"

    def largest(self, iteration: int) -> Path:
        """Return the file of the largest weights of the average, until they are published."""
        return self.files / f"{iteration}.largest"

    def of_shard(self, iteration: int, number: int) -> Path:
        """Return the file of the weights of a shard, from 0, after an iteration."""
        return self.files / f"{iteration}.shard-{number + 1}"

    def begin(self, start: WeightStore, shards: Shards, select: Shards | None, *, keep_shards: bool) -> None:
        """Write what a new run begins with; of a resumed one, remove files of the unfinished iteration, and
        those that the last finished one did not get to remove."""
        make_folder(self.files)
        done = len(self.state.records) - 1
        remove_own(self.files, _OF_ITERATION, keep=lambda name: int(name.partition(".")[0]) <= done)
        if self.state.records:
            self._forget(keep_shards=keep_shards)
        else:
            shards.save(own_file(self.folder, SHARDS))
            if select is not None:
                select.save(own_file(self.folder, SELECT))
            start.save(self.weights(0), about={})

    def commit(self, result: Path | None, about: Mapping[str, Any], *, keep_shards: bool) -> None:
        """Record a finished iteration; `result` are the weights to publish, None if they are already."""
        if result is not None:
            WeightStore.open(result, regular=True).save(own_file(self.folder, WEIGHTS), about=about)
        write_history(own_file(self.folder, HISTORY), self.state.records)
        self.write()
        self._forget(keep_shards=keep_shards)

    def state_files(self) -> list[Path]:
        """Return all files that a run needs to go on after its newest iteration, or to end."""
        top = [self.folder / name for name in (KIND.record, HISTORY, WEIGHTS)]
        shards = [self.shards, self.select_shards]
        return [path for path in (*top, *shards, *sorted(self.files.iterdir())) if path.is_file()]

    def _forget(self, *, keep_shards: bool) -> None:
        """Remove the files that no later iteration needs."""
        newest = len(self.state.records) - 1
        kept = {path.name for path in (self.weights(0), self.weights(newest), self.average(newest))}
        shards = f"{newest}.shard-"
        remove_own(
            self.files,
            _OF_ITERATION,
            keep=lambda name: name in kept or (keep_shards and name.startswith(shards)),
        )
