"""Orientations of phrases, written down from their definitions."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]


def beside(block: Span, span: Span) -> str:
    """Return how a span lies beside a block that was translated before it."""
    if span[0] == block[1]:
        return "monotone"
    if span[1] == block[0]:
        return "swap"
    return "left" if span[0] <= block[0] else "right"


def reduced(spans: Sequence[Span]) -> list[Span]:
    """Shift spans; join the last two blocks as long as they touch."""
    blocks: list[Span] = []
    for span in spans:
        blocks.append(span)
        while len(blocks) > 1 and beside(blocks[-2], blocks[-1]) in ("monotone", "swap"):
            last, before = blocks.pop(), blocks.pop()
            blocks.append((min(last[0], before[0]), max(last[1], before[1])))
    return blocks


def backward(model: str, spans: Sequence[Span], step: int) -> tuple[str, bool]:
    """Return the orientation of a step, and if it is global: all before it is one block, monotone with it."""
    if step == 0:
        found = beside((0, 0), spans[0])
        return found, found == "monotone"
    if model != "hier":
        return beside(spans[step - 1], spans[step]), False
    blocks = reduced(spans[:step])
    found = beside(blocks[-1], spans[step])
    return found, len(blocks) == 1 and found == "monotone"


def forward(model: str, spans: Sequence[Span], step: int, length: int) -> tuple[str, bool]:
    """Return the same towards what follows, when only the next span is known."""
    this, following = spans[step], spans[step + 1]
    if model != "hier":
        return beside(this, following), False
    done = {column for begin, end in spans[: step + 1] for column in range(begin, end)}
    rest = [column for column in range(length) if column not in done]
    if following[0] >= this[1]:
        touches = following[0] == this[1] or this[1] in rest
        found = "monotone" if touches else "right"
    else:
        touches = following[1] == this[0] or this[0] - 1 in rest
        found = "swap" if touches else "left"
    return found, rest == list(range(this[1], this[1] + len(rest)))


def label(classes: str, orientation: str, is_global: bool) -> str:
    """Return the class of an orientation, as the columns of a model name it."""
    if classes == "mslrg" and is_global:
        return "global"
    coarser = {
        "monotonicity": {"monotone": "monotone"},
        "msd": {"monotone": "monotone", "swap": "swap"},
        "leftright": {"monotone": "right", "right": "right", "swap": "left", "left": "left"},
    }
    rest = {"monotonicity": "other", "msd": "discontinuous"}
    return coarser[classes].get(orientation, rest.get(classes, "")) if classes in coarser else orientation
