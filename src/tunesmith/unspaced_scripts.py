"""Scripts that put no spaces between words, by Unicode ranges: recognizing, splitting and joining them."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["UnspacedText", "join_characters", "measure_unspaced", "split_characters"]

_WIDE = {
    "Chinese": ((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3400, 0x4DBF),
                (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)),
    "Japanese": ((0x3031, 0x3035), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF),
                 (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1B000, 0x1B16F)),
}  # fmt: skip
_NARROW = {
    "Thai": ((0x0E01, 0x0E3A), (0x0E40, 0x0E4E)),
    "Lao": ((0x0E81, 0x0ECE), (0x0EDC, 0x0EDF)),
    "Khmer": ((0x1780, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD)),
    "Burmese": ((0x1000, 0x103F), (0x1050, 0x108F), (0x109A, 0x109F), (0xA9E0, 0xA9EF), (0xAA60, 0xAA7F)),
}
"""Numbers are not among the letters: they stay whole."""
_PUNCTUATION = (
    *((0x3000, 0x3004), (0x3008, 0x3020), (0x302A, 0x3030), (0x303C, 0x303F), (0x30FB, 0x30FB)),
    *((0xFE30, 0xFE4F), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF65)),
)
"""Of Chinese and Japanese: without spaces beside it, whatever is there."""
_STACKING = "\u1039\u17d2"
"""Signs that put the letter after them below the one before (Burmese, Khmer)."""

_COMBINING = ((0x0300, 0x036F), (0x3099, 0x309A), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Marks and variation selectors of any script."""

LONGEST = dict.fromkeys(_WIDE, 3.0) | dict.fromkeys(_NARROW, 12.0)
"""More letters per token than words of the script have on average: segmented text has 1.3 to 2 in Chinese and
Japanese, 4 to 7 in the others, where vowels and tones are characters of their own."""
SAMPLE = 2000
"""Lines that are looked at, evenly spread over the text."""
ENOUGH = 100
"""With fewer letters there is no saying."""
_MIXED = 0.1
"""Kana per Chinese character from which on a text is Japanese."""


class _Patterns:
    """The regular expressions, which take some milliseconds to compile."""

    def __init__(self) -> None:
        letters = _ranges(*_WIDE.values(), *_NARROW.values())
        tight = _ranges(*_WIDE.values(), _PUNCTUATION)
        own = (code for table in _NARROW.values() for first, last in table for code in range(first, last + 1))
        marks = "".join(chr(code) for code in own if unicodedata.category(chr(code)) in ("Mn", "Mc"))
        marks = _ranges(_COMBINING) + re.escape(marks)
        self.scripts = {name: re.compile(f"[{_ranges(table)}]") for name, table in (_WIDE | _NARROW).items()}
        self.letters = re.compile(f"[{letters}]")
        self.word = re.compile(r"[^\W\d_]+")
        stacked = f"(?<=[{_STACKING}])[{letters}][{marks}]*"
        self.cluster = re.compile(f"[{letters}{_ranges(_PUNCTUATION)}][{marks}]*(?:{stacked})*")
        self.inner = re.compile(f" (?:(?<=[{tight}] )|(?=[{tight}])|(?<=[{letters}{marks}] )(?=[{letters}]))")


@functools.cache
def _patterns() -> _Patterns:
    return _Patterns()


def _ranges(*tables: Iterable[tuple[int, int]]) -> str:
    return "".join(
        f"{re.escape(chr(first))}-{re.escape(chr(last))}" for table in tables for first, last in table
    )


@dataclass(frozen=True)
class UnspacedText:
    """Letters of scripts without spaces in a text: which script has most, and how long their tokens are.

    `script` is "" if there are none; `share` is of all letters; `per_token` the mean number of these letters
    in a token that has any; `per_line` the mean number of tokens of a line.
    """

    script: str
    share: float
    per_token: float
    per_line: float

    @property
    def is_unsplit(self) -> bool:
        """Whether tokens are too long to be words, in a text that is mostly of these scripts."""
        return self.share >= 0.5 and self.per_token > LONGEST[self.script]


def measure_unspaced(lines: Sequence[str]) -> UnspacedText | None:
    """Measure a sample of a text; None if it has too few letters. O(characters)."""
    patterns = _patterns()
    letters = found = tokens = having = count = 0
    scripts: Counter[str] = Counter()
    for number in range(0, len(lines), max(1, len(lines) // SAMPLE)):
        line = lines[number]
        words = line.split()
        count += bool(words)
        tokens += len(words)
        letters += sum(map(len, patterns.word.findall(line)))
        inside = [] if line.isascii() else [len(patterns.letters.findall(word)) for word in words]
        found += sum(inside)
        having += sum(map(bool, inside))
        if any(inside):
            scripts.update({name: len(each.findall(line)) for name, each in patterns.scripts.items()})
    letters = max(letters, found)
    if letters < ENOUGH:
        return None
    if not found:
        return UnspacedText("", 0.0, 0.0, tokens / count)
    script = scripts.most_common(1)[0][0]
    if script == "Chinese" and scripts["Japanese"] > _MIXED * scripts["Chinese"]:
        script = "Japanese"
    return UnspacedText(script, found / letters, found / having, tokens / count)


def split_characters(line: str) -> str:
    """Put spaces around each letter of these scripts, with its marks, and around their punctuation.

    Words and numbers of other scripts stay whole. O(characters).
    """
    return line if line.isascii() else " ".join(_patterns().cluster.sub(r" \g<0> ", line).split())


def join_characters(line: str) -> str:
    """Undo `split_characters`: no space within these scripts, nor beside Chinese and Japanese.

    Spaces that the text had there before are not known any more.
    """
    return line if line.isascii() else _patterns().inner.sub("", line)
