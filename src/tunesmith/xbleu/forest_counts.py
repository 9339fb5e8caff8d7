"""Counts of files of forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.types import FloatArray

__all__ = ["ForestCounts", "count_forests"]

_STATISTICS = (
    *("matches_1", "words_1", "matches_2", "words_2", "matches_3", "words_3", "matches_4", "words_4"),
    "reference_words",
)


@dataclass(frozen=True)
class ForestCounts:
    """What a file has, and what it lacks: sentences without a translation or with too large forests.

    The last fields are of the best derivations under the decoder's weights: statistics of BLEU, and brevity.
    """

    sentences: int = 0
    missing: int = 0
    too_large: int = 0
    single: int = 0
    """Forests of one derivation, from which nothing can be learned."""
    nodes: int = 0
    edges: int = 0
    events: int = 0
    log_derivations: float = 0.0
    """Sum, over forests, of the log of the number of derivations."""
    bytes: int = 0
    matches_1: float = 0.0
    words_1: float = 0.0
    matches_2: float = 0.0
    words_2: float = 0.0
    matches_3: float = 0.0
    words_3: float = 0.0
    matches_4: float = 0.0
    words_4: float = 0.0
    reference_words: float = 0.0
    brevity: float = 0.0
    """Sum, over forests whose best derivation is shorter than the reference, of reference words per word."""

    @classmethod
    def total(cls, files: Sequence[ForestCounts]) -> ForestCounts:
        """Return the sums."""
        return cls(*(sum(getattr(each, field.name) for each in files) for field in fields(cls)))

    @property
    def statistics(self) -> FloatArray:
        """The statistics of the best derivations, as `tunesmith.metrics.Bleu` has them."""
        return np.array([getattr(self, name) for name in _STATISTICS])


def count_forests(path: Path, missing: int, too_large: int, single: int) -> ForestCounts:
    """Count what a file has. O(edges)."""
    file = _native.EventForestFile(str(path))
    statistics = file.best_statistics().reshape(-1, 9)
    words, reference = np.maximum(statistics[:, 1], 1.0), statistics[:, 8]
    return ForestCounts(
        len(file),
        missing,
        too_large,
        single,
        file.node_count,
        file.edge_count,
        file.event_count,
        float(file.log_derivations().sum()),
        file.bytes,
        brevity=float((reference / words)[words < reference].sum()),
        **dict(zip(_STATISTICS, statistics.sum(axis=0).tolist(), strict=True)),
    )
