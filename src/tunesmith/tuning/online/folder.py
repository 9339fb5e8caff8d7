"""The folder of an online run: weights that may be used at any time, the history, and the newest checkpoint.

`weights` are the selected weights so far, `history.jsonl` has a line per iteration. `run.json` is replaced
atomically after everything else of an iteration is written, so that a killed run loses at most the current
iteration. `iterations` has the weights that the next iteration begins with, and the start weights.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.build import Build, warn_of_other
from tunesmith.differences import check_same
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.folders import make_folder
from tunesmith.json_files import check_record, read_json
from tunesmith.named_files import own_file, own_folder
from tunesmith.runs.kind import RunKind, remove_own
from tunesmith.tuning.history import Record
from tunesmith.tuning.online.records import check_records
from tunesmith.tuning.online.shards import Shards
from tunesmith.weights import WeightStore

__all__ = ["OnlineFolder", "OnlineState", "known_state"]

FORMAT, VERSION = "tunesmith-online", 1
RUN, HISTORY, WEIGHTS, ITERATIONS, SHARDS = "run.json", "history.jsonl", "weights", "iterations", "shards.npz"
SELECT = "select.npz"
_OF_ITERATION = r"\d+\.(weights|average|largest|shard-\d+)"
KIND = RunKind(
    FORMAT,
    RUN,
    "tuning run",
    files="|".join(map(re.escape, (HISTORY, WEIGHTS, SHARDS, SELECT))),
    folders={ITERATIONS: _OF_ITERATION},
)


@dataclass
class OnlineState:
    """The state between two iterations: records, the first of the start weights; a document per shard; the
    names of dense features; and the iteration whose weights are selected."""

    settings: dict[str, Any]
    records: list[Record] = field(default_factory=list)
    documents: list[list[float]] = field(default_factory=list)
    dense: list[str] = field(default_factory=list)
    chosen: int = 0
    build: object = None
    """The record of the build that began the run; None: of an earlier one, which recorded none."""

    @classmethod
    def new(cls, settings: Mapping[str, Any]) -> OnlineState:
        """Return the state of a run that begins, with settings as JSON has them."""
        made = cls(json.loads(json.dumps(settings, allow_nan=False)))
        made.build = Build.running().record()
        return made

    @classmethod
    def read(cls, path: Path) -> OnlineState | None:
        """Read the file; None if there is none, an InputError if it is something else."""
        if not path.exists():
            return None
        found = read_json(path, "the state of a run")
        try:
            if (found["format"], found["version"]) != (FORMAT, VERSION):
                raise ValueError
            state = cls(*(found[name] for name in ("settings", "records", "documents", "dense", "chosen")))
            state.build = found.get("build")
            check_record("settings", dict[str, object], state.settings)
            check_record("records", list[dict[str, object]], state.records)
            check_record("documents", list[list[float]], state.documents)
            check_record("dense", list[str], state.dense)
            check_record("chosen", int, state.chosen)
            check_records(state.records)
            if not 0 <= state.chosen < max(len(state.records), 1):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise InputError(
                "is damaged, or of another kind of run; use another folder, or remove this one", path=path
            ) from None
        return state

    def write(self, path: Path) -> None:
        """Replace the file."""
        state = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with open_write(path) as stream:
            stream.write((json.dumps(state, indent=1, ensure_ascii=False) + "\n").encode())


def known_state(
    folder: Path, own: OnlineState, *, defaults: Mapping[str, Any] | None = None, restart: bool
) -> OnlineState | None:
    """Return the state that a folder has of a run with the settings of `own`; None if it begins anew.

    A folder of other files is an error, and so is another kind of run. So is a run of this kind with other
    settings, unless `restart` may remove it. `defaults` count as the settings that an earlier run did not
    record (`tunesmith.differences.completed`).
    """
    known = OnlineState.read(folder / RUN) if KIND.is_in(folder) and not restart else None
    if known is None or not known.records:
        return None
    check_same(folder, "a run", known.settings, own.settings, defaults)
    return known


class OnlineFolder:
    """The files of a run; to be used while the folder is locked."""

    def __init__(
        self,
        folder: PathLike,
        settings: Mapping[str, Any],
        *,
        defaults: Mapping[str, Any] | None = None,
        restart: bool = False,
    ) -> None:
        """Continue a run with the same `settings`; refuse another one, or with `restart` remove it.

        `defaults`: see `known_state`.
        """
        self.folder = Path(folder)
        self.files = own_folder(self.folder, ITERATIONS)
        self.state = OnlineState.new(settings)
        known = known_state(self.folder, self.state, defaults=defaults, restart=restart)
        if known is not None:
            self.state = known
        else:
            self._clear()
        self.resumed_after = max(len(self.state.records) - 1, 0)

    def warn_of_other_build(self) -> None:
        """Issue a TunesmithWarning if another build has begun the run, which goes on now."""
        warn_of_other(self.state.build, self.folder)

    @property
    def shards(self) -> Path:
        """The file of shards."""
        return self.folder / SHARDS

    @property
    def select_shards(self) -> Path:
        """The file of the parts of the set that weights are selected by."""
        return self.folder / SELECT

    @property
    def published(self) -> Path:
        """The file of the selected weights."""
        return self.folder / WEIGHTS

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
        with open_write(own_file(self.folder, HISTORY)) as stream:
            stream.write("".join(json.dumps(record) + "\n" for record in self.state.records).encode())
        self.state.write(own_file(self.folder, RUN))
        self._forget(keep_shards=keep_shards)

    def state_files(self) -> list[Path]:
        """Return all files that a run needs to go on after its newest iteration, or to end."""
        top = [self.folder / name for name in (RUN, HISTORY, WEIGHTS)]
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

    def _clear(self) -> None:
        """Remove the files of an earlier run; the state comes first, so that the folder stays a run's."""
        self.state.write(own_file(self.folder, RUN))
        KIND.clear(self.folder)
