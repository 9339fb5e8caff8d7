"""How many sentence pairs preparation kept, and why it dropped the others."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from tunesmith.corpus.clean import REASONS, Cleaning
from tunesmith.errors import IgnoredInputWarning, InputError, Message
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_format, read_json, record_of
from tunesmith.types import BoolArray, IntArray

__all__ = ["PairCounts", "PairTally"]

FORMAT, VERSION = "tunesmith-pair-counts", 1
EXAMPLES = 3
"""Lines that are named per reason."""
FEW = 0.05
"""A larger share of dropped pairs is a warning: the model learns from less text than its user believes."""
_ASKED = ("kept", "duplicate")
"""What a warning does not count: repeated pairs are dropped only if that was asked for."""

_SAID = {
    "control": "with control characters",
    "empty": "with an empty side",
    "short": "with a side under {least} tokens ({})",
    "long": "with a side over {most} tokens ({})",
    "ratio": "with over {ratio:g} times as many tokens on one side as on the other ({})",
    "duplicate": "repeated",
}
_OPTION = {"short": "min_length", "long": "max_length", "ratio": "ratio"}


@dataclass(frozen=True)
class PairCounts:
    """Pairs by reason (see `REASONS`; `kept` included), and the first line numbers, from 1, per reason.

    `min_length`, `max_length` and `ratio` are the limits that they were compared with.
    """

    counts: Mapping[str, int]
    lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    min_length: int = 1
    max_length: int = 80
    ratio: float = 9.0

    @property
    def pairs(self) -> int:
        """All pairs of the raw text."""
        return sum(self.counts.values())

    @property
    def kept(self) -> int:
        """The pairs that were kept."""
        return self.counts["kept"]

    @property
    def report(self) -> Message:
        """One line: `kept 7 of 9 sentence pairs; dropped: 2 with an empty side (line 3, ...)`."""
        shown, options = [], []
        for reason, count in self.counts.items():
            if count and reason != "kept":
                first = self.lines.get(reason, ())
                more = ", ..." if count > len(first) else ""
                where = f" (line {', '.join(map(str, first))}{more})" if first else ""
                shown.append(f"{count:,} {_SAID[reason]}{where}")
                options += [_OPTION[reason]] if reason in _OPTION else []
        limits = {"least": self.min_length, "most": self.max_length, "ratio": self.ratio}
        text = f"kept {self.kept:,} of {self.pairs:,} sentence pairs; dropped: {'; '.join(shown) or 'none'}"
        return Message(text, *options, **(limits if options else {}))

    def warn(self) -> None:
        """Issue an IgnoredInputWarning if more than a few pairs were dropped by a limit, not on request."""
        lost = sum(count for reason, count in self.counts.items() if reason not in _ASKED)
        if lost > FEW * self.pairs:
            warnings.warn(self.report, IgnoredInputWarning, stacklevel=2)

    def write(self, path: PathLike) -> None:
        """Write the counts as JSON."""
        record = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with open_write(path) as stream:
            stream.write((json.dumps(record) + "\n").encode())

    @classmethod
    def read(cls, path: PathLike) -> PairCounts:
        """Read counts that `write` wrote; anything else is an InputError."""
        record: dict[str, Any] = read_json(path, "counts of sentence pairs")
        try:
            check_format(record, FORMAT, VERSION, "train the model again", path=path)
            made = record_of(_Record, {each.name: record[each.name] for each in fields(_Record)})
            unknown = (set(made.counts) | set(made.lines)) - set(REASONS)
            if unknown or "kept" not in made.counts:
                raise ValueError(f"found the reasons {sorted(made.counts)}; expected {list(REASONS)}")
            lines = {reason: tuple(numbers) for reason, numbers in made.lines.items()}
            return cls(made.counts, lines, made.min_length, made.max_length, made.ratio)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is not counts of sentence pairs ({error!s:.200})", path=path) from None


@dataclass(frozen=True)
class _Record:
    """The types of the fields in a file."""

    counts: dict[str, int]
    lines: dict[str, list[int]]
    min_length: int
    max_length: int
    ratio: float


class PairTally:
    """Counts pairs while they are cleaned."""

    def __init__(self, cleaning: Cleaning) -> None:
        self._cleaning = cleaning
        self._counts = dict.fromkeys(REASONS, 0)
        self._lines: dict[str, tuple[int, ...]] = {}

    def drop(self, reason: str, rows: IntArray, dropped: BoolArray) -> None:
        """Count dropped pairs among rows, which are numbers of lines from 0."""
        lost = rows[dropped]
        if len(lost):
            known = self._lines.get(reason, ())
            self._counts[reason] += len(lost)
            self._lines[reason] = (*known, *(lost[: EXAMPLES - len(known)] + 1).tolist())

    def drop_by_code(self, codes: IntArray | np.ndarray[Any, np.dtype[np.uint8]], rows: IntArray) -> None:
        """Count the pairs that `Cleaning.reasons` drops."""
        for code, reason in enumerate(REASONS[1:], 1):
            self.drop(reason, rows, codes == code)

    def result(self, kept: int) -> PairCounts:
        """Return the counts, given the number of pairs that were kept."""
        limits = self._cleaning
        counts = {**self._counts, "kept": kept}
        return PairCounts(counts, self._lines, limits.min_length, limits.max_length, limits.ratio)
