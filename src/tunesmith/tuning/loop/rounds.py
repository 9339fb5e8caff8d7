"""The folder of a loop: weights that may be used at any time, the history, and the state to resume from.

`run.json` contains the settings of the run and the records of its finished rounds. It is replaced atomically
after everything else of a round is written, so a killed run loses only the current round.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.tuning.history import Record
from tunesmith.tuning.loop.differences import differences
from tunesmith.weights import Weights

__all__ = ["Rounds", "locked", "needed"]

FORMAT, VERSION = "tunesmith-tuning", 2
RUN, HISTORY, WEIGHTS, ROUNDS = "run.json", "history.jsonl", "weights.json", "rounds"


class Rounds:
    """The finished rounds of a run, in memory and on disk; to be used within `locked`.

    Record i, from 1, describes decoding under the weights `weights_of(i - 1)`, and learning from it. The last
    one may be of decoding only: then `stopped` is the reason why the run ended.
    """

    def __init__(self, folder: PathLike, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        """Continue an earlier run with the same `settings`; refuse another one, or with `restart` remove it.

        A run without a finished round may be replaced by any other.
        """
        self.folder = Path(folder)
        self.records: list[Record] = []
        self.stopped: str | None = None
        self._settings = json.loads(json.dumps(settings, allow_nan=False))
        self._check()
        known = self._read()
        if known is not None and known["records"] and not restart:
            self._refuse_other(known["settings"])
            self.records, self.stopped = known["records"], known["stopped"]
        else:
            self._commit()  # first, so that the folder is recognized as a run's from now on
            self._clear()
        self.resumed_after = sum("loss" in record for record in self.records)

    @property
    def files(self) -> Path:
        """The folder of the files of rounds."""
        return self.folder / ROUNDS

    def weights_of(self, number: int) -> Weights:
        """Return the weights after round `number`; round 0 is the start."""
        with needed():
            return Weights.read(self._weights_file(number))

    @property
    def published(self) -> Weights:
        """The selected weights."""
        return Weights.read(self.folder / WEIGHTS)

    def has_published(self, chosen: int) -> bool:
        """Whether the selected weights are written, and are those after round `chosen`."""
        try:
            return bool(json.loads((self.folder / WEIGHTS).read_bytes())["after"] == chosen)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def begin(self, start: Weights) -> None:
        """Write the start weights of a new run, and remove the unfinished round of a killed one."""
        if self.records and not self.files.is_dir():
            if self.stopped is not None:
                return  # a finished run does not need them
            with needed():
                raise InputError("no such folder", path=self.files)
        with _reported():
            self.files.mkdir(exist_ok=True)
            for file in (*self.files.iterdir(), *self.folder.glob(".*.tmp*")):
                number = file.name.partition(".")[0]
                if not (number.isdecimal() and int(number) <= len(self.records)):
                    file.unlink()
        if not self.records:
            start.write(self._weights_file(0))

    def finish_round(self, record: Record, weights: Weights, chosen: int, **about: object) -> None:
        """Write the result of a round; `chosen` is the round whose weights are selected now."""
        weights.write(self._weights_file(len(self.records) + 1))
        self.records.append(record)
        self._publish(chosen, about)
        self._commit()

    def finish(self, reason: str, record: Record | None, chosen: int, **about: object) -> None:
        """Write that the run has ended, with a last record of decoding if there is one."""
        if record is not None:
            self.records.append(record)
        self.stopped = reason
        self._publish(chosen, about)
        self._commit()

    def reopen(self) -> None:
        """Continue a run that had ended: its last record, of decoding only, is made again."""
        self.records.pop()
        self.stopped = None

    def _weights_file(self, number: int) -> Path:
        return self.files / f"{number}.weights.json"

    def _publish(self, chosen: int, about: Mapping[str, object]) -> None:
        """Write the history and the selected weights, which may be read during the run."""
        with open_write(self.folder / HISTORY) as stream:
            stream.write("".join(json.dumps(record) + "\n" for record in self.records).encode())
        weights = self.weights_of(chosen)
        if any(weights.values()):  # a start from zero is no result
            weights.write(self.folder / WEIGHTS, **about, after=chosen)

    def _commit(self) -> None:
        state = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self._settings,
            "records": self.records,
            "stopped": self.stopped,
        }
        with open_write(self.folder / RUN) as stream:
            stream.write((json.dumps(state, indent=1, ensure_ascii=False) + "\n").encode())

    def _check(self) -> None:
        """Refuse a folder with other files: a model has a weights.json too."""
        with _reported():
            others = [file.name for file in self.folder.iterdir() if not file.name.startswith(".")]
        if others and not (self.folder / RUN).is_file():
            raise InputError(
                f"contains {sorted(others)[0]!r} but no tuning run; expected a new or an empty folder",
                path=self.folder,
            )

    def _read(self) -> dict[str, Any] | None:
        path = self.folder / RUN
        if not path.exists():
            return None
        try:
            state = json.loads("\n".join(read_lines(path)))
            if (state["format"], state["version"]) != (FORMAT, VERSION):
                raise ValueError
            return {key: state[key] for key in ("settings", "records", "stopped")}
        except (ValueError, KeyError, TypeError):
            raise InputError(
                "is damaged, or of another version; remove the folder to start anew", path=path
            ) from None

    def _refuse_other(self, known: Mapping[str, Any]) -> None:
        if found := differences(known, self._settings):
            raise OptionError(
                "{folder} contains a run with " + found.template + "; use the same options to continue it,"
                " or {} or another folder to start anew",
                *found.options,
                "restart",
                folder=self.folder,
                **found.values,
            )

    def _clear(self) -> None:
        """Remove the files of an earlier run."""
        with _reported():
            for name in (HISTORY, WEIGHTS):
                (self.folder / name).unlink(missing_ok=True)
            if self.files.exists():
                shutil.rmtree(self.files)


@contextlib.contextmanager
def locked(folder: PathLike) -> Iterator[None]:
    """Make a folder and lock it against other processes; the lock ends with the process."""
    with contextlib.ExitStack() as stack:
        if Path(folder).is_file():
            raise InputError("is a file; expected a folder", path=folder)
        with _reported():
            Path(folder).mkdir(parents=True, exist_ok=True)
            file = stack.enter_context((Path(folder) / ".lock").open("wb"))
        with contextlib.suppress(ImportError):  # no locks on this platform
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    "another process is tuning in this folder; wait until it ends, or use another folder",
                    path=folder,
                ) from None
        yield


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


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Turn an OSError into an InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror or error}", path=error.filename) from error
