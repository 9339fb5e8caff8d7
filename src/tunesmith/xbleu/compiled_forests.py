"""The forests of a store, compiled for a feature set: training forests and held-out ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.types import BoolArray
from tunesmith.xbleu.compiled import CompiledLists
from tunesmith.xbleu.forest_store import ForestStore
from tunesmith.xbleu.linear_bleu import LinearBleu

__all__ = ["compile_forests"]


def compile_forests(
    store: ForestStore,
    template: SparseReordering,
    held_out: BoolArray,
    scratch: Path,
    progress: Callable[[str], None] | None = None,
) -> CompiledLists:
    """Compile all forests; `held_out` marks those of evaluation, `scratch` is the folder of temporary files.

    The gain of a derivation is linear BLEU around the best derivations of the store (linear_bleu.py).
    O(edges + features of events) per forest.
    """
    twin = template.twin()
    assert isinstance(twin, _native.SparseReorderingFeature)
    features = _native.EventFeatures(twin)
    training, evaluation = (
        _native.ForestSet(str(scratch), features.is_small, words) for words in (False, True)
    )
    gain = LinearBleu.around(store.counts)
    begin = 0
    for number, path in enumerate(store.files, 1):
        file = _native.EventForestFile(str(path))
        end = begin + len(file)
        if end > len(held_out):
            raise InputError(f"the store has more forests than its record says ({len(held_out)})", path=path)
        marks = np.ascontiguousarray(held_out[begin:end], dtype=np.uint8)
        _native.compile_forests(
            file, gain.constant, gain.words, gain.matches, marks, features, training, evaluation
        )
        begin = end
        if progress is not None and (number % 10 == 0 or number == len(store.files)):
            progress(f"{begin} of {len(held_out)} forests read, {len(features)} types of features")
    if begin != len(held_out):
        raise InputError(f"has {begin} forests; its record says {len(held_out)}", path=store.path)
    training.seal()
    evaluation.seal()
    return CompiledLists(features, training, evaluation)
