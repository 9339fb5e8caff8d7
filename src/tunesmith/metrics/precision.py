"""The clipped precision of n-grams of one length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.counts import CountSlopes, NgramCounts
from tunesmith.metrics.options import require
from tunesmith.metrics.ratio import Ratio
from tunesmith.metrics.tokenization import check_tokenizer, prepare
from tunesmith.types import Stats

__all__ = ["Precision"]


@METRICS.register("precision")
@dataclass(frozen=True)
class Precision(Ratio, Metric):
    """The fraction of the hypothesis' n-grams of `order` words that match a reference, over [matches, total].

    Matches are clipped as in BLEU, to the largest count in one reference. `precision(order=2)` is the bigram
    precision of Pauls, DeNero and Klein (2009), section 2.1.
    """

    name: ClassVar[str] = "precision"
    order: int = 1
    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require(self, 1 <= self.order <= 16, f"order must be 1 to 16, not {self.order}")
        check_tokenizer(self.tokenize)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, tokenize=self.tokenize, lowercase=self.lowercase)
        stats = _native.bleu_stats(*texts.arrays, self.order, "closest", threads)
        return np.ascontiguousarray(stats[:, -3:-1])

    def components(self, stats: Stats) -> Components:
        """Return the matches, and all n-grams of the order."""
        return {"matches": round(float(stats[0])), "ngrams": round(float(stats[1]))}

    @property
    def ngram_order(self) -> int:
        return self.order

    def stats_from_counts(self, counts: NgramCounts) -> Stats:
        return np.stack([counts.matches()[:, -1], counts.totals[:, -1]], axis=1)

    def count_slopes(self, counts: NgramCounts, slopes: Stats) -> CountSlopes:
        matches, totals = np.zeros_like(counts.totals), np.zeros_like(counts.totals)
        matches[:, -1], totals[:, -1] = slopes[:, 0], slopes[:, 1]
        return CountSlopes(counts.matched(matches), totals)
