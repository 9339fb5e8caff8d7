"""Opening weights for a decoder: few as a mapping, many as a store."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tunesmith.files import PathLike
from tunesmith.weights.mapping import Weights
from tunesmith.weights.store import WeightStore

__all__ = ["LARGEST_MAPPING", "changed", "open_weights"]

LARGEST_MAPPING = 10_000
"""More weights are a store, and a container in files that Tunesmith writes."""


def open_weights(path: PathLike) -> Weights | WeightStore:
    """Open a file of weights in any form; more than `LARGEST_MAPPING` are a store."""
    store = WeightStore.open(path)
    return store if len(store) > LARGEST_MAPPING else Weights(store)


def changed(weights: Mapping[str, float], changes: Mapping[str, float] | None) -> Mapping[str, float]:
    """Return weights with single ones replaced or added; the given ones stay as they are."""
    if not changes:
        return weights
    if not isinstance(weights, WeightStore):
        return Weights({**weights, **changes}, path=getattr(weights, "path", None))
    copy = WeightStore(weights.native.copy(), about=weights.about, path=weights.path)
    copy.set(list(changes), np.array(list(changes.values()), dtype=np.float64))
    return copy
