"""The gain of derivations of forests: linear BLEU around the decoder's own translations.

Expected sentence BLEU is no sum over edges; its first-order expansion is (Tromble et al. 2008). Around the
best derivations of all forests, with c words, r reference words and precisions p_n, the log of

    B = (p_1 p_2 p_3 p_4)^(1/4) min(1, exp(1 - r / c))

changes by (b - 1) / c per word, where b is the slope of the brevity penalty, and by 1 / (4 p_n c) per match;
the number of n-grams of each order is taken for that of words. Sentences have a penalty each: its slope is
r / c in those that are shorter than their references, and 0 in others; b is the mean over sentences. With
R c / r words for a sentence whose reference has R, sentences have equal weight, as in training on lists:

    gain(d) = B (1 - b) + B r / (c R) ((b - 1) words(d) + sum over n of matches_n(d) / (4 p_n))

which is on the scale of BLEU: the best derivations have a mean near B.
Matches are not clipped. The constants of forest risk are b = 0 and p_n = 0.85 0.72^(n - 1): with them, the
gain pays for leaving out words, and held-out Multi30k lost up to 0.9 BLEU where these gain 2.0.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from tunesmith.xbleu.forest_counts import ForestCounts

__all__ = ["LinearBleu"]

ORDER = 4


@dataclass(frozen=True)
class LinearBleu:
    """A constant, and factors of words and n-gram matches; their sum is divided by the reference's words."""

    constant: float
    words: float
    matches: tuple[float, float, float, float]

    @classmethod
    def around(cls, counts: ForestCounts) -> LinearBleu:
        """Return the expansion of BLEU around the best derivations; matches and totals are smoothed by 1."""
        *statistics, reference = counts.statistics.tolist()
        pairs = list(zip(statistics[::2], statistics[1::2], strict=True))
        precisions = [(matches + 1) / (total + 1) for matches, total in pairs]
        ratio = max(reference, 1.0) / max(pairs[0][1], 1.0)
        bleu = math.exp(sum(map(math.log, precisions)) / ORDER + min(0.0, 1 - ratio))
        unit = bleu * ratio
        one, two, three, four = (unit / (ORDER * precision) for precision in precisions)
        slope = counts.brevity / max(counts.sentences, 1)
        return cls(bleu * (1 - slope), unit * (slope - 1), (one, two, three, four))

    def to_dict(self) -> dict[str, Any]:
        """Return the factors ready for JSON."""
        return {**asdict(self), "matches": list(self.matches)}
