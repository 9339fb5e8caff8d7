"""Word error rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.ratio import Ratio
from tunesmith.metrics.tokenization import check_tokenizer, prepare
from tunesmith.types import Stats

__all__ = ["Wer"]


@METRICS.register("wer")
@dataclass(frozen=True)
class Wer(Ratio, Metric):
    """WER over [edits, reference words]: insertions, deletions and substitutions per reference word.

    The edit distance is exact. With several references, the fewest edits and the mean length are taken.
    Less is better.
    """

    name: ClassVar[str] = "wer"
    higher_is_better = False
    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_tokenizer(self.tokenize)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, tokenize=self.tokenize, lowercase=self.lowercase)
        return _native.wer_stats(*texts.arrays, threads)

    def components(self, stats: Stats) -> Components:
        """Return the edits and the reference words."""
        return {"edits": round(float(stats[0])), "reference_words": round(float(stats[1]))}
