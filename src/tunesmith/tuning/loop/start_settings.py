"""The start weights among the settings of a run: one by one if they are few, else as a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from tunesmith.texts import Texts

__all__ = ["start_settings"]

MOST = 100
"""Maximum number of weights that a run file lists: messages name a weight that differs. Models have some 20
dense features; start weights with sparse features may be millions."""


def start_settings(weights: Mapping[str, float]) -> dict[str, Any]:
    """Return settings that differ if start weights do."""
    if len(weights) <= MOST:
        return {f"start weight {name}": value for name, value in weights.items()}
    names = Texts.of(weights)
    digest = hashlib.blake2b(names.offsets.tobytes() + names.blob.tobytes(), digest_size=16)
    digest.update(np.fromiter(weights.values(), dtype=np.float64, count=len(weights)).tobytes())
    return {"start weights": digest.hexdigest()}
