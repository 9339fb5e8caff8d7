"""The arrays of derivation events: one entry per step, and per distinct rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.immutable import seal
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.types import Int32Array, IntArray

__all__ = ["EventRules", "EventSteps", "Rows", "class_table"]

NO_ORIENTATION = 255

COLUMNS = {
    ("hier", "backward"): 0,
    ("hier", "forward"): 1,
    ("phrase", "backward"): 2,
    ("phrase", "forward"): 3,
}
"""Columns of `EventSteps.orientations`."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of different lengths: row i is `values[offsets[i]:offsets[i + 1]]`."""

    offsets: IntArray
    values: Int32Array

    @classmethod
    def of(cls, arrays: tuple[IntArray, Int32Array]) -> Rows:
        """Wrap new arrays, which become read-only."""
        return cls(seal(arrays[0]), seal(arrays[1]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Int32Array:
        row = range(len(self))[row]
        return self.values[self.offsets[row] : self.offsets[row + 1]]


@dataclass(frozen=True, eq=False)
class EventRules:
    """Distinct phrase pairs or rules of all derivations: two differ in id, words or links."""

    ids: IntArray
    """Numbers of the model: 2^32 x table + pair, grammars after tables; `UNKNOWN_WORD` or `GIVEN`. In forests
    of files, what the file has; -1 if nothing."""
    sources: Rows
    """Words of the source side as indices of the vocabulary; -1 - i is gap i, in the order of the source."""
    targets: Rows
    links: Rows
    """Links (source, target) between positions of the two sides, gaps counted."""

    @classmethod
    def of(cls, arrays: _native.EventArrays) -> EventRules:
        """Take the arrays of native events."""
        sides = Rows.of(arrays.rule_sources), Rows.of(arrays.rule_targets), Rows.of(arrays.rule_links)
        return cls(seal(arrays.rule_ids), *sides)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def arities(self) -> IntArray:
        """The number of gaps of each rule."""
        before = np.concatenate([[0], np.cumsum(self.targets.values < 0, dtype=np.int64)])
        return seal(np.diff(before[self.targets.offsets]))


@dataclass(frozen=True, eq=False)
class EventSteps:
    """One entry per step. Spans are [begin, end); columns of the input stand for source words."""

    edges: npt.NDArray[np.uint32]
    """Edge of the forest."""
    rules: Int32Array
    """Index of the step's rule in `EventRules`: `np.bincount(rules)` counts the uses of each."""
    sources: Int32Array
    """Source span; -1 if unknown. That of a rule includes its gaps."""
    targets: Int32Array
    """Target span, empty if words were dropped. That of a rule includes its gaps."""
    parents: Int32Array
    """Step whose gap this one fills, counted from 0 within the derivation; -1 for phrases and the root."""
    gaps: Int32Array
    """Gap of the parent, from 0 in the order of the source side; -1 where there is no parent."""
    links: Rows
    """Links (column, target position) of each step, in positions of the sentence; not of words in gaps."""
    orientations: npt.NDArray[np.uint8]
    """Columns: hierarchical backward and forward, phrase backward and forward. 0 to 3 are monotone, swap,
    left and right, plus 4 if global; 255 is none. `orientation_classes` maps them to sets of classes."""
    blocks: Int32Array
    """Block on top of the stack before the phrase: source begin and end, target begin and end. Zeros for the
    first phrase, whose block is the start of the sentence; -1 if the derivation is not of phrases."""

    @classmethod
    def of(cls, arrays: _native.EventArrays) -> EventSteps:
        """Take the arrays of native events."""
        return cls(
            seal(arrays.step_edges),
            seal(arrays.step_rules),
            seal(arrays.step_sources),
            seal(arrays.step_targets),
            seal(arrays.step_parents),
            seal(arrays.step_gaps),
            Rows.of(arrays.step_links),
            seal(arrays.step_orientations),
            seal(arrays.step_blocks),
        )

    def __len__(self) -> int:
        return len(self.rules)

    def orientation_classes(
        self, model: str = "hier", classes: str = "mslr", direction: str = "backward"
    ) -> npt.NDArray[np.int8]:
        """Return the class of each step's orientation in a set of 2 to 5 classes; -1 where there is none.

        The parameters are those of `ReorderingSpec`, whose `labels` name the classes. `hier` compares with
        the block on top of the stack (Galley and Manning 2008), `phrase` and `wbe` with the phrase before: as
        the decoder's reordering features do, by the same code. `forward` compares with what follows, as far
        as it is known when the next phrase is chosen; the last phrase of a derivation has none.
        """
        column = COLUMNS.get(("hier" if model == "hier" else "phrase", direction))
        table = class_table(ReorderingSpec(model, classes, direction))
        if column is None:
            raise InputError("a step has one class per direction; expected 'backward' or 'forward'")
        return table[self.orientations[:, column]]


@cache
def class_table(spec: ReorderingSpec) -> npt.NDArray[np.int8]:
    """Return the class of each number in `EventSteps.orientations`; -1 for none."""
    table = np.full(NO_ORIENTATION + 1, -1, dtype=np.int8)
    numbers = _native.orientation_classes(spec.native)
    table[: len(numbers)] = numbers
    return seal(table)
