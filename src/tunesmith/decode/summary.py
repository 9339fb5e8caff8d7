"""Totals of a decoded file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.decode.output import Decoded

__all__ = ["DecodeSummary"]


@dataclass(frozen=True)
class DecodeSummary:
    """Totals; `score` is the sum of model scores, `missing` the number of sentences without a translation.

    `unknown_words` were passed through or dropped; `memory` is the maximum memory of the search of one
    sentence, in bytes. `seen` counts the sentences that are sources of the model's training text.
    """

    sentences: int = 0
    words: int = 0
    unknown_words: int = 0
    missing: int = 0
    score: float = 0.0
    seconds: float = 0.0
    memory: int = 0
    seen: int = 0

    @classmethod
    def of(cls, batch: Sequence[Decoded], seen: int = 0) -> DecodeSummary:
        """Return the totals of a batch; nothing is known of its time."""
        return cls(
            sentences=len(batch),
            words=sum(found.request.columns for found in batch),
            unknown_words=sum(found.translation.unknown_words for found in batch),
            missing=sum(not found.translation.found for found in batch),
            score=sum(found.translation.score for found in batch),
            memory=max([0, *(found.translation.memory for found in batch)]),
            seen=seen,
        )

    def plus(self, more: DecodeSummary, seconds: float = 0.0) -> DecodeSummary:
        """Return the totals of both; `seconds` have passed in all."""
        return DecodeSummary(
            self.sentences + more.sentences,
            self.words + more.words,
            self.unknown_words + more.unknown_words,
            self.missing + more.missing,
            self.score + more.score,
            seconds,
            max(self.memory, more.memory),
            self.seen + more.seen,
        )

    @property
    def average_score(self) -> float:
        """The mean score of sentences with a translation; 0 if there are none."""
        return self.score / max(self.sentences - self.missing, 1)

    @property
    def words_per_second(self) -> float:
        """Source words per second, from the first line read to the last written."""
        return self.words / self.seconds if self.seconds > 0 else 0.0
