"""Whether lists have scores of the same scale: those of a decoder with the same weights."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from tunesmith.errors import TunesmithWarning
from tunesmith.runs.store import Store
from tunesmith.xbleu.list_record import recorded_weights

__all__ = ["has_same_scale", "warn_of_scales"]

_PRECISION = 1e-6


def has_same_scale(weights: Mapping[str, float] | None, store: Store[Any]) -> bool | None:
    """Return whether a store has lists of a decoder with these weights; None if it is not known.

    Features that the scores of the lists leave out do not count.
    """
    own = recorded_weights(store.record)
    return None if weights is None or own is None else _difference(weights, own) is None


def warn_of_scales(store: Store[Any], others: Iterable[Store[Any]]) -> None:
    """Warn of stores whose scores have another scale than those of the first, or one that is not known."""
    own = recorded_weights(store.record)
    for other in others:
        weights = recorded_weights(other.record)
        if own is None or weights is None:
            older = store if own is None else other
            problem = f"{older.path} does not record the weights of its decoder, so that scales may differ"
        elif (found := _difference(own, weights)) is not None:
            problem = f"{other.path} and {store.path} differ in {found}, so that the scales of scores differ"
        else:
            continue
        warnings.warn(
            f"{problem}: one gamma does not fit both; make the lists of both with the same weights, of which"
            " only those of the trained reordering model may differ",
            TunesmithWarning,
            stacklevel=3,
        )


def _difference(first: Mapping[str, float], second: Mapping[str, float]) -> str | None:
    """Return `the weight of LM0 (0.5, 0.25)`, None if nothing differs."""
    for name in {**first, **second}:
        if name not in first or name not in second:
            return f"their features (one has {name})"
        if not math.isclose(first[name], second[name], rel_tol=_PRECISION, abs_tol=1e-12):
            return f"the weight of {name} ({first[name]:.4g}, {second[name]:.4g})"
    return None
