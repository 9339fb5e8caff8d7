"""Totals of a decoded file."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tunesmith.decode.output import Decoded
from tunesmith.decode.output.log import unknown_words
from tunesmith.errors import Message, TunesmithWarning

__all__ = ["DecodeSummary"]

EXAMPLES = 5
LEAST_UNKNOWN, MOST_UNKNOWN = 3, 0.3
"""Least number of unknown words, and the share of all words above which they are reported."""


@dataclass(frozen=True)
class DecodeSummary:
    """Totals; `score` is the sum of model scores, `missing` the number of sentences without a translation.

    `unknown_words` were passed through or dropped; `memory` is the maximum memory of the search of one
    sentence, in bytes. `seen` counts the sentences that are sources of the model's training text. `examples`
    are the first different unknown words; `pruned` counts the forests that were too large for consensus.
    """

    sentences: int = 0
    words: int = 0
    unknown_words: int = 0
    missing: int = 0
    score: float = 0.0
    seconds: float = 0.0
    memory: int = 0
    seen: int = 0
    examples: tuple[str, ...] = ()
    pruned: int = 0

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
            examples=_first(word for found in batch for word in unknown_words(found)),
            pruned=sum(found.translation.pruned for found in batch),
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
            _first([*self.examples, *more.examples]),
            self.pruned + more.pruned,
        )

    @property
    def average_score(self) -> float:
        """The mean score of sentences with a translation; 0 if there are none."""
        return self.score / max(self.sentences - self.missing, 1)

    def warn_of_unknown(self, *, prepared: bool) -> None:
        """Issue a TunesmithWarning if a large share of the words is unknown, with what may be wrong."""
        if self.unknown_words < LEAST_UNKNOWN or self.unknown_words <= MOST_UNKNOWN * self.words:
            return
        how = "" if prepared else ", tokenized and cased like the model's training text ({})"
        text = (
            "{count:,} of {words:,} words of the input ({share:.0%}) are unknown to the model, such as"
            " {shown}; is it text of the model's source language" + how + "?"
        )
        facts = {"count": self.unknown_words, "words": self.words, "shown": ", ".join(self.examples)}
        message = Message(
            text, *(() if prepared else ("prepare",)), share=self.unknown_words / self.words, **facts
        )
        warnings.warn(message, TunesmithWarning, stacklevel=2)

    @property
    def words_per_second(self) -> float:
        """Source words per second, from the first line read to the last written."""
        return self.words / self.seconds if self.seconds > 0 else 0.0


def _first(words: Iterable[str]) -> tuple[str, ...]:
    """Return the first different words; no more are read than needed."""
    found: dict[str, None] = {}
    for word in words:
        found[word] = None
        if len(found) == EXAMPLES:
            break
    return tuple(found)
