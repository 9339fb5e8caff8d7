"""One derivation of `DerivationEvents` as Python values, for readers."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith.decode.event_arrays import COLUMNS, EventRules, EventSteps, class_table
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.texts import Texts
from tunesmith.types import Int32Array

__all__ = ["DerivationView", "StepView", "view_step"]

Span = tuple[int, int]


@dataclass(frozen=True)
class StepView:
    """A phrase or rule of a derivation; see `EventSteps`. In `source_side` -1 - i is gap i."""

    rule: int
    source: Span
    target: Span
    source_side: tuple[str | int, ...]
    target_side: tuple[str | int, ...]
    links: tuple[tuple[int, int], ...]
    parent: int | None
    gap: int | None
    orientation: str | None
    """Against the block on top of the stack: monotone, swap, left, right or global; None in charts."""
    phrase_orientation: str | None
    """Against the phrase before: monotone, swap, left or right."""
    block: tuple[Span, Span] | None
    """Source and target span of the block on top of the stack before the phrase."""


@dataclass(frozen=True)
class DerivationView:
    """A derivation: its score, the words of both sides, and its steps."""

    score: float
    source: tuple[str | None, ...]
    """The word of each column; None if unknown."""
    target: tuple[str, ...]
    steps: tuple[StepView, ...]

    @property
    def text(self) -> str:
        """The target words, separated by spaces."""
        return " ".join(self.target)

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """The links of all steps, sorted, each once."""
        return tuple(sorted({link for step in self.steps for link in step.links}))


def view_step(steps: EventSteps, rules: EventRules, words: Texts, number: int) -> StepView:
    """Return a step as Python values."""
    rule = int(steps.rules[number])
    parent, gap = int(steps.parents[number]), int(steps.gaps[number])
    source_begin, source_end, target_begin, target_end = steps.blocks[number].tolist()
    block = (source_begin, source_end), (target_begin, target_end)
    return StepView(
        int(rules.ids[rule]),
        _pair(steps.sources[number]),
        _pair(steps.targets[number]),
        _symbols(rules.sources[rule], words),
        _symbols(rules.targets[rule], words),
        tuple(_pair(link) for link in steps.links[number]),
        None if parent < 0 else parent,
        None if gap < 0 else gap,
        _label(steps, number, "hier"),
        _label(steps, number, "phrase"),
        block if block[0][0] >= 0 else None,
    )


def _label(steps: EventSteps, number: int, model: str) -> str | None:
    spec = ReorderingSpec(model, "mslrg" if model == "hier" else "mslr", "backward")
    found = int(class_table(spec)[steps.orientations[number, COLUMNS[model, "backward"]]])
    return None if found < 0 else spec.labels[found]


def _symbols(numbers: Int32Array, words: Texts) -> tuple[str | int, ...]:
    return tuple(number if number < 0 else words[number] for number in numbers.tolist())


def _pair(row: Int32Array) -> tuple[int, int]:
    first, second = row.tolist()
    return first, second
