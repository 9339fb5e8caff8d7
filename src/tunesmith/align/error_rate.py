"""Alignment quality against gold alignments: precision, recall, alignment error rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.corpus import Alignments
from tunesmith.errors import InputError
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["AlignmentError", "alignment_error_rate", "alignment_statistics"]


@dataclass(frozen=True)
class AlignmentError:
    """Values from 0 to 1; higher precision and recall are better, a lower error rate is better."""

    precision: float
    recall: float
    aer: float

    @classmethod
    def of(cls, statistics: Stats) -> AlignmentError:
        """Score summed statistics [|A|, |S|, |A and S|, |A and P|] (Och and Ney 2003).

        precision = |A and P| / |A|, recall = |A and S| / |S|, and
        aer = 1 - (|A and S| + |A and P|) / (|A| + |S|). With a denominator of 0, values are perfect.
        """
        proposed, sure, hit_sure, hit_possible = (float(value) for value in statistics)
        return cls(
            _ratio(hit_possible, proposed),
            _ratio(hit_sure, sure),
            1.0 - _ratio(hit_sure + hit_possible, proposed + sure),
        )


def alignment_statistics(
    candidate: Alignments, sure: Alignments, possible: Alignments | None = None
) -> FloatArray:
    """Return one row [|A|, |S|, |A and S|, |A and P|] per pair; rows are additive. S is a subset of P."""
    for other in (sure, possible):
        if other is not None and len(other) != len(candidate):
            raise InputError(
                f"found {len(candidate)} alignments and {len(other)} gold ones; expected equal numbers"
            )
    proposed, wanted, *others = _keys([candidate, sure, *([] if possible is None else [possible])])
    hits = np.isin(proposed, wanted), np.isin(proposed, np.concatenate([wanted, *others]))
    pairs = _pairs(candidate)
    columns = [
        np.diff(candidate.offsets),
        np.diff(sure.offsets),
        *(np.bincount(pairs[hit], minlength=len(candidate)) for hit in hits),
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def alignment_error_rate(
    candidate: Alignments, sure: Alignments, possible: Alignments | None = None
) -> AlignmentError:
    """Compare links with gold ones; without `possible`, all gold links are sure."""
    return AlignmentError.of(alignment_statistics(candidate, sure, possible).sum(axis=0))


def _keys(every: Sequence[Alignments]) -> list[IntArray]:
    """Map links to numbers, equal for equal links of the same pair, for any positions below 2^31.

    (pair, source word) are renumbered first, so that the keys fit in 63 bits.
    """
    width = 1 << 31
    pairs = np.concatenate([_pairs(each) for each in every])
    links = np.concatenate([each.links for each in every]).astype(np.int64)
    _, words = np.unique(pairs * width + links[:, 0], return_inverse=True)
    return np.split(words * width + links[:, 1], np.cumsum([len(each.links) for each in every])[:-1])


def _pairs(alignments: Alignments) -> IntArray:
    return np.repeat(np.arange(len(alignments), dtype=np.int64), np.diff(alignments.offsets))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 1.0
