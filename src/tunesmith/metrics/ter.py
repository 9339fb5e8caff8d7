"""Translation edit rate (Snover et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.ratio import Ratio
from tunesmith.metrics.tokenization import prepare, rewrite
from tunesmith.types import Stats

__all__ = ["Ter"]


@METRICS.register("ter")
@dataclass(frozen=True)
class Ter(Ratio, Metric):
    """TER over [edits, reference words]: insertions, deletions, substitutions and block shifts per word.

    Shifts are found greedily with Tercom's limits. Options and scores are those of sacrebleu: texts
    are lowercased unless `case_sensitive`, `normalized` splits off punctuation, `no_punct` removes it,
    `asian_support` extends both to Asian scripts. With several references, the fewest edits and the
    mean length are taken. Less is better.
    """

    name: ClassVar[str] = "ter"
    higher_is_better = False
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return _native.ter_stats(*self._prepare(segments).arrays, threads)

    def components(self, stats: Stats) -> Components:
        """Return the edits and the reference words."""
        return {"edits": round(float(stats[0])), "reference_words": round(float(stats[1]))}

    def _prepare(self, segments: Segments) -> Segments:
        if not (self.normalized or self.no_punct):
            return prepare(segments, lowercase=not self.case_sensitive)
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        options = (self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        tokenizer = TercomTokenizer(*options)
        return rewrite(segments, lambda text: str(tokenizer(text.rstrip())))
