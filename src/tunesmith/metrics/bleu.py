"""BLEU (Papineni et al. 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.types import FloatArray, Stats

__all__ = ["Bleu"]


@METRICS.register("bleu")
@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU over [match_1, total_1, ..., match_n, total_n, reference length].

    score = min(1, exp(1 - r / c)) * (prod_n match_n / total_n) ^ (1 / N)
    """

    name: ClassVar[str] = "bleu"
    order: int = 4
    reference_length: Literal["closest", "shortest", "average"] = "closest"

    @property
    def width(self) -> int:
        return 2 * self.order + 1

    @property
    def signature(self) -> str:
        return f"bleu|order:{self.order}|reflen:{self.reference_length}"

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return _native.bleu_stats(
            segments.hypotheses.blob,
            segments.hypotheses.offsets,
            segments.lists,
            [(reference.blob, reference.offsets) for reference in segments.references],
            self.order,
            self.reference_length,
            threads,
        )

    def score(self, stats: Stats) -> FloatArray:
        values = np.asarray(stats, dtype=np.float64)
        matches, totals = values[..., 0:-1:2], values[..., 1:-1:2]
        hypothesis, reference = values[..., 1], values[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.log(matches / totals).mean(axis=-1)
            brevity = np.minimum(0.0, 1.0 - reference / hypothesis)
            result = np.exp(precision + brevity)
        return np.where((matches > 0).all(axis=-1), result, 0.0)

    def size(self, stats: Stats) -> FloatArray:
        return np.asarray(stats)[..., -1]

    def scorer(self) -> _native.Scorer:
        return _native.bleu_scorer(self.order)
