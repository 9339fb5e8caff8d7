"""The gain of derivations of forests: linear BLEU around the decoder's own translations.

Expected sentence BLEU is no sum over edges. Its first-order expansion is (Tromble et al. 2008). Around the
statistics of the best derivations of all forests, with c words, r reference words, precisions p_n and
B = (p_1 p_2 p_3 p_4)^(1/4) exp(1 - r / c), a change by dc words and dm_n matches changes B by

    dB = B / c ((r / c - 1) dc + sum over n of dm_n / (4 p_n))

where 1 / p_n = c / m_n, and all c_n are taken for c. The brevity penalty is that of the lists' default,
exp(1 - r / c), also where c > r. A sentence with a reference of R words has R c / r words in place of c, so
that all sentences have equal weight, as in training on lists, whatever their length:

    gain(d) = B r / (c R) ((r / c - 1) words(d) + sum over n of matches_n(d) / (4 p_n))

It is on the scale of BLEU: that of the best derivations has a mean near B r / c. Matches are not clipped. The
constants of forest risk, which has no forests of its own system before it starts, are p_n = 0.85 0.72^(n - 1)
and r / c = 0; those here are measured.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from tunesmith.types import FloatArray

__all__ = ["LinearBleu"]

ORDER = 4


@dataclass(frozen=True)
class LinearBleu:
    """Factors of words and of n-gram matches; the sum is divided by the words of the reference."""

    words: float
    matches: tuple[float, float, float, float]

    @classmethod
    def around(cls, statistics: FloatArray) -> LinearBleu:
        """Return the expansion of BLEU around the statistics of a corpus; counts are smoothed by 1."""
        *counts, reference = statistics.tolist()
        pairs = list(zip(counts[::2], counts[1::2], strict=True))
        precisions = [(matches + 1) / (total + 1) for matches, total in pairs]
        ratio = max(reference, 1.0) / max(pairs[0][1], 1.0)
        bleu = math.exp(sum(map(math.log, precisions)) / ORDER + 1 - ratio)
        unit = bleu * ratio
        one, two, three, four = (unit / (ORDER * precision) for precision in precisions)
        return cls(unit * (ratio - 1), (one, two, three, four))

    def to_dict(self) -> dict[str, Any]:
        """Return the factors ready for JSON."""
        return asdict(self)
