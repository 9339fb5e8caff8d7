"""The folder of a loop: weights that may be used at any time, the history, and the state to resume from.

`run.json` contains the settings of the run, the records of its finished rounds, and the digests of their
files, which are compared when a run resumes. It is replaced atomically after everything else of a round is
written, so a killed run loses only the current round.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Unpack

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.folders import make_folder
from tunesmith.named_files import own_file
from tunesmith.runs.folder import RunFolder, RunOptions
from tunesmith.runs.kind import RunKind, remove_own
from tunesmith.tuning.history import Record, write_history
from tunesmith.tuning.loop.run_state import LoopState, digest_of
from tunesmith.tuning.tune_options import Selected
from tunesmith.weights import LARGEST_MAPPING, Weights, WeightStore

__all__ = ["KIND", "ROUNDS", "RUN", "Rounds", "needed", "publish", "published"]

RUN, HISTORY, WEIGHTS, ROUNDS = "run.json", "history.jsonl", "weights", "rounds"
_OF_ROUND = r"\d+\.(weights|weights\.json|pool|forests)"
KIND = RunKind(
    "tunesmith-tuning",
    RUN,
    "tuning run",
    version=2,
    state=LoopState,
    files="|".join(map(re.escape, (HISTORY, WEIGHTS, f"{WEIGHTS}.json"))),
    folders={ROUNDS: _OF_ROUND},
)


class Rounds(RunFolder[LoopState]):
    """The finished rounds of a run, in memory and on disk; to be used while the folder is locked.

    Record i, from 1, describes decoding under the weights `weights_of(i - 1)`, and learning from it. The last
    one may be of decoding only: then `stopped` is the reason why the run ended.
    """

    def __init__(self, folder: PathLike, settings: Mapping[str, Any], **options: Unpack[RunOptions]) -> None:
        """Continue a run with the same `settings`; see `RunFolder`."""
        super().__init__(folder, KIND, settings, **options)
        self._recorded = self.state.select
        self.resumed_after = sum("loss" in record for record in self.records)

    @property
    def records(self) -> list[Record]:
        """The records of finished rounds."""
        return self.state.records

    @property
    def stopped(self) -> str | None:
        """Why the run ended; None if it did not."""
        return self.state.stopped

    @stopped.setter
    def stopped(self, reason: str | None) -> None:
        self.state.stopped = reason

    def selects(self, given: Selected | None, usual: Selected) -> Selected:
        """Return how weights are selected: as `given`, or else as this run has done, a new one as is `usual`.

        Builds that did not record it selected by objective, unless they were told otherwise.
        """
        before = (self.state.select or "objective") if self.records else usual
        self.state.select = given or before
        return self.state.select

    @property
    def files(self) -> Path:
        """The folder of the files of rounds."""
        return self.folder / ROUNDS

    def weights_of(self, number: int) -> Weights:
        """Return the weights after round `number`; round 0 is the start."""
        path = _written(self.files / f"{number}.weights")
        with needed():
            self._compare(path)
            return Weights.read(path, regular=True)

    def verify(self) -> None:
        """Compare all files of finished rounds with their digests; one that was replaced is an InputError.

        A TunesmithWarning says if another build has begun the run.
        """
        self.warn_of_other_build()
        files = sorted(file for file in self.files.iterdir() if not file.name.startswith("."))
        with needed():
            for file in files:
                self._compare(file)

    @property
    def published(self) -> Weights:
        """The selected weights."""
        return published(self.folder)

    def has_published(self, chosen: int) -> bool:
        """Whether the selected weights are written, and are those after round `chosen`."""
        try:
            return bool(self.published.about.get("after") == chosen)
        except InputError:
            return False

    def begin(self, start: Weights) -> None:
        """Write the start weights of a new run, and remove the unfinished round of a killed one.

        How weights are selected is recorded if it has changed.
        """
        if self.records and self.state.select != self._recorded:
            self.write()
        if self.records and not self.files.is_dir():
            if self.stopped is not None:
                return  # a finished run does not need them
            with needed():
                raise InputError("no such folder", path=self.files)
        make_folder(self.files)
        done = len(self.records)
        remove_own(self.files, _OF_ROUND, keep=lambda name: int(name.partition(".")[0]) <= done)
        if not self.records:
            self._note([_write(start, self.files / "0.weights")])

    def finish_round(self, record: Record, weights: Weights, chosen: int, **about: object) -> None:
        """Write the result of a round; `chosen` is the round whose weights are selected now."""
        number = len(self.records) + 1
        _write(weights, self.files / f"{number}.weights")
        self._note(self.files.glob(f"{number}.*"))
        self.records.append(record)
        self._publish(chosen, about)
        self.write()

    def finish(self, reason: str, record: Record | None, chosen: int, **about: object) -> None:
        """Write that the run has ended, with a last record of decoding if there is one."""
        if record is not None:
            self.records.append(record)
        self.stopped = reason
        self._publish(chosen, about)
        self.write()

    def reopen(self) -> None:
        """Continue a run that had ended: its last record, of decoding only, is made again."""
        self.records.pop()
        self.stopped = None

    def _publish(self, chosen: int, about: Mapping[str, object]) -> None:
        """Write the history and the selected weights, which may be read during the run."""
        write_history(own_file(self.folder, HISTORY), self.records)
        weights = self.weights_of(chosen)
        if any(weights.values()):  # a start from zero is no result
            publish(weights, self.folder, **about, after=chosen)

    def _note(self, files: Iterable[Path]) -> None:
        """Record the digests of new files; those of files that are no longer needed stay."""
        self.state.digests |= {file.name: digest_of(file) for file in sorted(files)}

    def _compare(self, file: Path) -> None:
        known = self.state.digests.get(file.name)
        if known is None:
            raise InputError(f"has no digest in {RUN}, so that it may be another run's file", path=file)
        if digest_of(file) != known:
            raise InputError("is not the file that this run wrote: it was replaced or changed", path=file)


def _write(weights: Weights, path: Path, **about: object) -> Path:
    """Write weights as JSON, `path` with the suffix .json, or many as a container; return the file."""
    json_file = path.with_name(f"{path.name}.json")
    if len(weights) <= LARGEST_MAPPING:
        weights.write(json_file, **about)
        path.unlink(missing_ok=True)
        return json_file
    WeightStore.of(weights).save(path, about=about)
    json_file.unlink(missing_ok=True)
    return path


def _written(path: Path) -> Path:
    """Return the file that `_write` wrote."""
    return path if path.exists() else path.with_name(f"{path.name}.json")


def publish(weights: Weights, folder: Path, **about: object) -> None:
    """Write weights into a folder as a run does that has selected them."""
    own_file(folder, f"{WEIGHTS}.json")
    _write(weights, own_file(folder, WEIGHTS), **about)


def published(folder: Path) -> Weights:
    """Return the selected weights of a run, with what their file records."""
    return Weights.read(_written(folder / WEIGHTS), regular=True)


@contextlib.contextmanager
def needed() -> Iterator[None]:
    """Add what to do to the error of a missing or damaged file of earlier rounds."""
    try:
        yield
    except InputError as error:
        raise InputError(
            "{what}; without it the run cannot continue: use {} to start anew",
            "restart",
            what=error.message,
            path=error.path,
            line=error.line,
        ) from error
