"""The lists of a store, compiled for a feature set: training lists and held-out ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.metrics import Bleu
from tunesmith.runs.store import Store
from tunesmith.types import BoolArray

__all__ = ["NEITHER", "PARTS", "CompiledLists", "compile_store", "held_out_lists"]

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

NEITHER = 2
"""Mark of a list that is neither trained on nor held out."""

LARGEST_SHARE = 10
"""At most one list in this number is held out."""


@dataclass(frozen=True, eq=False)
class CompiledLists:
    """Numbers of features, and the lists or forests in scratch files that vanish with the object."""

    features: _native.EventFeatures
    training: _native.TrainingSet | _native.ForestSet
    held_out: _native.TrainingSet | _native.ForestSet

    @property
    def noun(self) -> str:
        """What the sets have."""
        return "forests" if isinstance(self.training, _native.ForestSet) else "lists"

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


def held_out_lists(lists: int, wanted: int, seed: int, noun: str = "lists") -> BoolArray:
    """Draw the lists that are not trained on: `wanted`, or a tenth of all if these are fewer."""
    if lists < 2:
        raise InputError(f"expected at least 2 {noun}, one to train on and one held out; found {lists}")
    count = max(1, min(wanted, lists // LARGEST_SHARE))
    chosen = np.zeros(lists, dtype=np.bool_)
    chosen[np.random.default_rng(seed).permutation(lists)[:count]] = True
    return chosen


def compile_store(
    store: Store[Any],
    template: SparseReordering,
    metric: Bleu,
    held_out: BoolArray,
    scratch: Path,
    progress: Callable[[str], None] | None = None,
    others: Sequence[tuple[Store[Any], npt.NDArray[Any]]] = (),
    dense: Sequence[str] = (),
) -> CompiledLists:
    """Compile all lists; `held_out` marks those of evaluation, `scratch` is the folder of temporary files.

    `others` are further stores, with marks that may also be `NEITHER`. `dense` are the features of the
    decoder whose values are compiled, all that the files have, or none. The gain of a candidate is its
    sentence score. O(events x candidates) per list.
    """
    twin = template.twin()
    assert isinstance(twin, _native.SparseReorderingFeature)
    features = _native.EventFeatures(twin)
    training, evaluation = (
        _native.TrainingSet(str(scratch), features.is_small, matches, len(dense)) for matches in (False, True)
    )
    for each, marks in ((store, held_out), *others):
        _compile(each, marks, metric, (features, training, evaluation), dense, progress)
    training.seal()
    evaluation.seal()
    return CompiledLists(features, training, evaluation)


def _compile(
    store: Store[Any],
    held_out: npt.NDArray[Any],
    metric: Bleu,
    sets: tuple[_native.EventFeatures, _native.TrainingSet, _native.TrainingSet],
    dense: Sequence[str],
    progress: Callable[[str], None] | None,
) -> None:
    """Add the lists of a store to the sets of training and evaluation."""
    begin = 0
    for number, path in enumerate(store.files, 1):
        file = _native.ListFile(str(path))
        end = begin + len(file)
        if end > len(held_out):
            raise InputError(f"the store has more lists than its record says ({len(held_out)})", path=path)
        if dense and file.dense_names != list(dense):
            raise InputError("has values of other features than its record says; make it again", path=path)
        gains = metric.sentence_score(file.statistics()).astype(np.float32)
        marks = np.ascontiguousarray(held_out[begin:end], dtype=np.uint8)
        _native.compile_lists(file, gains, marks, *sets)
        begin = end
        if progress is not None and (number % 10 == 0 or number == len(store.files)):
            progress(f"{begin} of {len(held_out)} lists read, {len(sets[0])} types of features")
    if begin != len(held_out):
        raise InputError(f"has {begin} lists; its record says {len(held_out)}", path=store.path)
