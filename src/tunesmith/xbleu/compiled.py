"""The lists of a store, compiled for a feature set: training lists and held-out ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.metrics import Bleu
from tunesmith.types import BoolArray
from tunesmith.xbleu.store import ListStore

__all__ = ["PARTS", "CompiledLists", "compile_store", "held_out_lists"]

PARTS = (
    "phrase source first",
    "phrase source last",
    "phrase target first",
    "phrase target last",
    "stack source first",
    "stack source last",
    "stack target first",
    "stack target last",
    "between",
    "source phrase",
    "target phrase",
    "phrase pair",
)
"""What types of features are counted by: places of words, then identities of phrases."""

LARGEST_SHARE = 10
"""At most one list in this number is held out."""


@dataclass(frozen=True, eq=False)
class CompiledLists:
    """Numbers of features, and the lists or forests in scratch files that vanish with the object."""

    features: _native.EventFeatures
    training: _native.TrainingSet | _native.ForestSet
    held_out: _native.TrainingSet | _native.ForestSet

    @property
    def types(self) -> list[dict[str, Any]]:
        """Possible and seen types of features by part of the template; possible is None if not limited."""
        counts = zip(PARTS, self.features.possible, self.features.seen, strict=True)
        return [
            {"part": part, "possible": possible or None, "seen": seen}
            for part, possible, seen in counts
            if possible or seen
        ]

    @property
    def events_per_list(self) -> float:
        """Mean number of different events of a training list."""
        return self.training.events / max(len(self.training), 1)


def held_out_lists(lists: int, wanted: int, seed: int) -> BoolArray:
    """Draw the lists that are not trained on: `wanted`, or a tenth of all if these are fewer."""
    if lists < 2:
        raise InputError(f"there are {lists} lists; expected at least 2: one to train on, one held out")
    count = max(1, min(wanted, lists // LARGEST_SHARE))
    chosen = np.zeros(lists, dtype=np.bool_)
    chosen[np.random.default_rng(seed).permutation(lists)[:count]] = True
    return chosen


def compile_store(
    store: ListStore,
    template: SparseReordering,
    metric: Bleu,
    held_out: BoolArray,
    scratch: Path,
    progress: Callable[[str], None] | None = None,
) -> CompiledLists:
    """Compile all lists; `held_out` marks those of evaluation, `scratch` is the folder of temporary files.

    The gain of a candidate is its sentence score. O(events x candidates) per list.
    """
    twin = template.twin()
    assert isinstance(twin, _native.SparseReorderingFeature)
    features = _native.EventFeatures(twin)
    training, evaluation = (
        _native.TrainingSet(str(scratch), features.is_small, matches) for matches in (False, True)
    )
    begin = 0
    for number, path in enumerate(store.files, 1):
        file = _native.ListFile(str(path))
        end = begin + len(file)
        if end > len(held_out):
            raise InputError(f"the store has more lists than its record says ({len(held_out)})", path=path)
        gains = metric.sentence_score(file.statistics()).astype(np.float32)
        marks = np.ascontiguousarray(held_out[begin:end], dtype=np.uint8)
        _native.compile_lists(file, gains, marks, features, training, evaluation)
        begin = end
        if progress is not None and (number % 10 == 0 or number == len(store.files)):
            progress(f"{begin} of {len(held_out)} lists read, {len(features)} types of features")
    if begin != len(held_out):
        raise InputError(f"has {begin} lists; its record says {len(held_out)}", path=store.path)
    training.seal()
    evaluation.seal()
    return CompiledLists(features, training, evaluation)
