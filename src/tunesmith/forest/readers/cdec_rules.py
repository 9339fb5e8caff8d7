"""The rules of cdec's forests: `[X] ||| source [X,1] ||| target [1]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunesmith.errors import InputError

__all__ = ["CdecRule", "parse_rule"]

_TARGET_GAP = re.compile(r"\[(?:[^\s\[\],]+,)?([0-9]{1,4})\]")
_SOURCE_GAP = re.compile(r"\[[^\s\[\],]+(?:,([0-9]{1,4}))?\]")
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True)
class CdecRule:
    """Both sides of a rule: words, or -1 - i for the gap of tail i."""

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    links: tuple[tuple[int, int], ...] = ()


def parse_rule(text: str) -> CdecRule:
    """Parse a rule; with two fields it has only a target side.

    Gaps of the source side have a number, or are numbered in order. Scores (field 4) are ignored: they are
    among the features of edges.
    """
    fields = [field.strip(" ") for field in text.split("|||")]
    if len(fields) < 2:
        raise InputError(f"expected a rule such as '[X] ||| source ||| target', found {text[:60]!r}")
    if len(fields) == 2:
        return CdecRule((), _target(fields[1]))
    links = tuple((int(i), int(j)) for i, j in _LINK.findall(fields[4])) if len(fields) > 4 else ()
    return CdecRule(_source(fields[1]), _target(fields[2]), links)


def _target(text: str) -> tuple[str | int, ...]:
    return tuple(
        -int(gap[1]) if (gap := _TARGET_GAP.fullmatch(token)) and int(gap[1]) > 0 else token
        for token in text.split(" ")
        if token
    )


def _source(text: str) -> tuple[str | int, ...]:
    symbols: list[str | int] = []
    gaps = 0
    for token in text.split(" "):
        if gap := _SOURCE_GAP.fullmatch(token):
            gaps += 1
            symbols.append(-int(gap[1] or gaps) or -gaps)
        elif token:
            symbols.append(token)
    return tuple(symbols)
