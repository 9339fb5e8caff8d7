"""How far an alignment is from one that people made: precision, recall, alignment error rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.corpus import Alignments
from tunesmith.errors import InputError
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["AlignmentError", "alignment_error_rate", "alignment_statistics"]


@dataclass(frozen=True)
class AlignmentError:
    """Values from 0 to 1; of precision and recall more is better, of the error rate less."""

    precision: float
    recall: float
    aer: float

    @classmethod
    def of(cls, statistics: Stats) -> AlignmentError:
        """Score summed statistics [|A|, |S|, |A and S|, |A and P|] (Och and Ney 2003).

        precision = |A and P| / |A|, recall = |A and S| / |S|, and
        aer = 1 - (|A and S| + |A and P|) / (|A| + |S|). Where nothing was asked, nothing is wrong.
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
    """Count, for each pair, [|A|, |S|, |A and S|, |A and P|]; rows add up. Sure links are possible ones."""
    for other in (sure, possible):
        if other is not None and len(other) != len(candidate):
            raise InputError(
                f"found {len(candidate)} alignments and {len(other)} gold ones; expected as many of each"
            )
    width = 1 + max(
        (
            int(each.links.max())
            for each in (candidate, sure, possible)
            if each is not None and each.links.size
        ),
        default=0,
    )
    proposed, wanted = _keys(candidate, width), _keys(sure, width)
    allowed = wanted if possible is None else np.union1d(wanted, _keys(possible, width))
    hits = np.isin(proposed, wanted), np.isin(proposed, allowed)
    columns = [
        np.diff(candidate.offsets),
        np.diff(sure.offsets),
        *(_by_pair(proposed[hit], width, len(candidate)) for hit in hits),
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def alignment_error_rate(
    candidate: Alignments, sure: Alignments, possible: Alignments | None = None
) -> AlignmentError:
    """Compare links with gold ones; without `possible`, all gold links are sure."""
    return AlignmentError.of(alignment_statistics(candidate, sure, possible).sum(axis=0))


def _keys(alignments: Alignments, width: int) -> IntArray:
    """Number links so that equal ones of the same pair are equal."""
    pairs = np.repeat(np.arange(len(alignments), dtype=np.int64), np.diff(alignments.offsets))
    return (pairs * width + alignments.links[:, 0]) * width + alignments.links[:, 1]


def _by_pair(keys: IntArray, width: int, pairs: int) -> IntArray:
    return np.bincount(keys // (width * width), minlength=pairs)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 1.0
