"""Cleaning: normalization of lines, and limits on the lengths and length ratio of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.options import check_options, option
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["REASONS", "Cleaning", "count_tokens", "lowercase", "space_lines"]

REASONS = ("kept", "control", "empty", "short", "long", "ratio", "duplicate")
"""Why a pair is dropped, by code; 0 means kept."""

_CONTROL, _EMPTY, _SHORT, _LONG, _RATIO = range(1, 6)


@dataclass(frozen=True)
class Cleaning:
    """Which pairs to keep, as Moses' clean-corpus-n does."""

    min_length: int = option(1, help="Drop pairs with fewer tokens than this on a side.", least=0)
    max_length: int = option(80, help="Drop pairs with more tokens than this on a side.", least=1)
    ratio: float = option(
        9.0,
        help="Drop pairs in which one side has more than this many times the tokens of the other.",
        least=1,
    )
    controls: Literal["remove", "drop"] = option(
        "remove", help="Control characters: remove them, or drop the pair."
    )

    def __post_init__(self) -> None:
        check_options(self, "cleaning")
        if self.max_length < self.min_length:
            most, least = self.max_length, self.min_length
            raise OptionError(
                "cleaning: {} {most} is below {} {least}", "max_length", "min_length", most=most, least=least
            )

    def reasons(
        self, source: npt.ArrayLike, target: npt.ArrayLike, controls: BoolArray | None = None
    ) -> npt.NDArray[np.uint8]:
        """Return a code of REASONS per pair, given its token counts; the first reason that applies."""
        lengths = np.stack([np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)])
        least, most = lengths.min(axis=0), lengths.max(axis=0)
        codes = np.zeros(lengths.shape[1], dtype=np.uint8)
        codes[most > self.ratio * least] = _RATIO
        codes[most > self.max_length] = _LONG
        codes[least < self.min_length] = _SHORT
        if self.min_length > 0:
            codes[least == 0] = _EMPTY
        if controls is not None and self.controls == "drop":
            codes[controls] = _CONTROL
        return codes


def space_lines(lines: Texts) -> tuple[Texts, BoolArray]:
    """Put one space between tokens; return the lines, and which of them had control characters.

    Tabs, U+2028, no-break spaces and other white space count as spaces; other control characters
    (U+0000 to U+001F, U+007F to U+009F) are removed.
    """
    spaced, controls = _native.space_lines(lines.blob, lines.offsets)
    return Texts(*spaced), controls.astype(np.bool_)


def count_tokens(lines: Texts) -> IntArray:
    """Return the number of tokens of each line; tokens are separated by ASCII spaces."""
    return _native.count_tokens(lines.blob, lines.offsets)


def lowercase(lines: Texts) -> Texts:
    """Lowercase as `str.lower` does, in one call for all lines: no letter depends on context across lines.

    No line may contain a line end.
    """
    text = _native.join_lines(lines.blob, lines.offsets).decode("utf-8")
    if text.isascii():
        lowered = text.lower().replace("\n", "").encode()
        return Texts(np.frombuffer(lowered, dtype=np.uint8), lines.offsets)
    return Texts.of(text.lower().split("\n")[:-1])
