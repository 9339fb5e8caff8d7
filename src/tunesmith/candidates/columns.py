"""The same feature columns in each batch, for candidate lists that are written incrementally."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith.candidates.features import Features

__all__ = ["with_columns"]


def with_columns(features: Features, names: Sequence[str]) -> Features:
    """Return the features with the columns `names` first, explicit in each row, zeros too; then others.

    This gives lists that are written batch by batch the same columns in each batch.
    """
    known = set(names)
    others = [name for name in features.names if name not in known]
    return features.renumbered((*names, *_by_first_use(features, others)), len(names))


def _by_first_use(features: Features, names: Sequence[str]) -> list[str]:
    """Return names in the order of first occurrence in a file."""
    if not names:
        return []
    used, first = np.unique(features.columns, return_index=True)
    places = dict(zip((features.names[column] for column in used.tolist()), first.tolist(), strict=True))
    return sorted((name for name in names if name in places), key=lambda name: int(places[name]))
