"""Orientations of phrases beside what was translated before them, in left-to-right decoders.

The same as native `decode/blocks.h`, for templates in Python.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["Block", "Range", "Stack", "backward", "beside", "class_of", "forward", "push"]

Range = tuple[int, int]
"""Source columns [begin, end)."""

START: Final[Range] = (0, 0)
"""What the first phrase is compared with."""


class Block(NamedTuple):
    """Translated columns without gaps; `mark` is what a template keeps of the phrase that began it."""

    range: Range
    mark: tuple[str, ...] = ()


Stack = tuple[Block, ...]
"""Blocks that cannot be merged, the top last (Galley and Manning 2008)."""


def beside(before: Range, phrase: Range) -> str:
    """Return the orientation of a phrase relative to a range that was translated before it."""
    if phrase[0] == before[1]:
        return "monotone"
    if phrase[1] == before[0]:
        return "swap"
    return "right" if phrase[0] > before[0] else "left"


def push(stack: Stack, phrase: Range, mark: tuple[str, ...] = ()) -> Stack:
    """Shift a phrase and merge it with adjacent blocks; the whole has the mark of what began it."""
    whole = Block(phrase, mark)
    while stack and beside(stack[-1].range, whole.range) in ("monotone", "swap"):
        top = stack[-1]
        joined = min(top.range[0], whole.range[0]), max(top.range[1], whole.range[1])
        whole, stack = Block(joined, top.mark), stack[:-1]
    return (*stack, whole)


def backward(stack: Stack, phrase: Range) -> str:
    """Return the orientation relative to the top block: `global monotone` if nothing else was before."""
    found = beside(stack[-1].range if stack else START, phrase)
    return "global monotone" if found == "monotone" and len(stack) <= 1 else found


def forward(before: Range, phrase: Range, covered: int, columns: int) -> str:
    """Return the orientation of `before` relative to the block that `phrase` begins, as far as it is known.

    Bits of `covered` are the columns that were translated before the phrase. `global ...` if all others are
    one block after `before`.
    """
    open_columns = [column for column in range(columns) if not covered >> column & 1]
    found = _forward(before, phrase, covered)
    return f"global {found}" if open_columns == _run(before[1], len(open_columns)) else found


def class_of(orientations: str, found: str) -> str:
    """Return the class of an orientation among those of `msd`, `mslr` or `mslrg`."""
    plain = found.removeprefix("global ")
    if orientations == "mslrg" and plain != found:
        return "global"
    return "discontinuous" if orientations == "msd" and plain in ("left", "right") else plain


def _run(begin: int, length: int) -> list[int]:
    return list(range(begin, begin + length))


def _forward(before: Range, phrase: Range, covered: int) -> str:
    if phrase[0] >= before[1]:
        return "monotone" if phrase[0] == before[1] or not covered >> before[1] & 1 else "right"
    return "swap" if phrase[1] == before[0] or not covered >> (before[0] - 1) & 1 else "left"
