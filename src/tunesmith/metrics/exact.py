"""Exact match: the fraction of hypotheses that equal a reference, word for word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.ratio import Ratio
from tunesmith.metrics.tokenization import check_tokenizer, prepare
from tunesmith.types import Stats

__all__ = ["Exact"]


@METRICS.register("exact")
@dataclass(frozen=True)
class Exact(Ratio, Metric):
    """Exact match over [matches, sentences]: a match has edit distance 0 to one of the references."""

    name: ClassVar[str] = "exact"
    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_tokenizer(self.tokenize)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, tokenize=self.tokenize, lowercase=self.lowercase)
        edits = _native.wer_stats(*texts.arrays, threads)[:, 0]
        return np.stack([edits == 0, np.ones(len(edits))], axis=-1)
