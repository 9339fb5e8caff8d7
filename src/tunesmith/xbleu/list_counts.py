"""Counts of files of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from tunesmith.metrics import Bleu
from tunesmith.xbleu.list_file import ListFile

__all__ = ["FileCounts", "count_file"]


@dataclass(frozen=True)
class FileCounts:
    """What a file has, and what it lacks: sentences without a translation or with too large lists."""

    sentences: int = 0
    missing: int = 0
    too_large: int = 0
    single: int = 0
    """Lists of one candidate, from which nothing can be learned."""
    candidates: int = 0
    events: int = 0
    uses: int = 0
    """Events of candidates, without those that all candidates of a list have."""
    bytes: int = 0
    candidate_bytes: int = 0
    """Bytes of scores, statistics and numbers of events."""
    dense_bytes: int = 0
    """Bytes of the values of dense features, if the file has them."""
    first_bleu: float = 0.0
    """Sum, over lists, of the sentence BLEU of the first candidate."""
    oracle_bleu: float = 0.0
    """The same of the best one."""

    @classmethod
    def total(cls, files: Sequence[FileCounts]) -> FileCounts:
        """Return the sums."""
        return cls(*(sum(getattr(each, field.name) for each in files) for field in fields(cls)))

    @property
    def bytes_per_candidate(self) -> float:
        """Bytes of scores, statistics and numbers of events, per candidate."""
        return self.candidate_bytes / max(self.candidates, 1)

    @property
    def bytes_per_event(self) -> float:
        """Bytes of all others, such as the events themselves, phrases and words, per event."""
        return (self.bytes - self.candidate_bytes - self.dense_bytes) / max(self.events, 1)

    @property
    def dense_bytes_per_candidate(self) -> float:
        """Bytes of the values of dense features, per candidate."""
        return self.dense_bytes / max(self.candidates, 1)


def count_file(path: Path, missing: int, too_large: int, single: int) -> FileCounts:
    """Count what a file has; sentence BLEU is that with add-one counts."""
    file = ListFile.open(path)
    counts = FileCounts(
        len(file),
        missing,
        too_large,
        single,
        file.native.candidate_count,
        file.native.event_count,
        len(file.uses[1]),
        file.native.bytes,
        file.native.candidate_bytes,
        file.native.dense_bytes,
    )
    if not len(file):
        return counts
    scores = Bleu(sentence="add-one").sentence_score(file.statistics)
    firsts = file.scores[0][:-1].astype(np.int64)
    return replace(
        counts,
        first_bleu=float(scores[firsts].sum()),
        oracle_bleu=float(np.maximum.reduceat(scores, firsts).sum()),
    )
