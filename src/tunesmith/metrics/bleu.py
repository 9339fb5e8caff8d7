"""BLEU (Papineni et al. 2002), of corpora and of sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.counts import CountSlopes, NgramCounts
from tunesmith.metrics.options import require
from tunesmith.metrics.smoothing import Method, Precisions, smooth
from tunesmith.metrics.tokenization import check_tokenizer, prepare
from tunesmith.types import FloatArray, Stats

__all__ = ["Bleu"]

_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0}  # as in sacrebleu, after Chen and Cherry (2014)

_ADD_ONE: dict[str, Method] = {"add-one": "add-k", "add-one-all": "add-all"}
_COMPANY = {"none": 0.0, "pseudo-document": 1.0}
_GAO_HE = 5.0  # of He and Deng (2012)
_EFFECTIVE: dict[str, Method] = {"exp": "exp", "floor": "floor", "add-k": "add-k"}


@METRICS.register("bleu")
@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU over [match_1, total_1, ..., match_N, total_N, reference length].

    score = min(1, exp(1 - r / c)) * (prod_n match_n / total_n) ^ (1 / N)

    with c = total_1 the hypothesis length and r the reference length. `smooth` is the smoothing of
    orders without a match in a corpus score (see `tunesmith.metrics.smoothing`); `smooth_value` is the
    value of `floor` and `add-k`, here and in `sentence`, by default 0.1 and 1. With `effective_order` the
    mean is over the orders before the first one without n-grams. With equal options, scores equal
    sacrebleu's (`tokenize` none).

    `sentence` names the sentence score (N orders, c and r of the sentence):

    - `add-one`: (match_n + 1) / (total_n + 1) for n > 1 (Lin and Och 2004; Liang et al. 2006).
    - `add-one-all`: the same for all n, as in Moses' PRO.
    - `grounded`: the length fix of Nakov et al. (2012): the smoothing of `add-one-all` is matched by
      one in the brevity penalty, and taken off again where nothing matches:
      min(1, exp(1 - (r + 1) / c)) * (P - P_0), with P the geometric mean of the add-one precisions
      and P_0 its value for a hypothesis of this length without a match.
    - `gao-he`: (match_n + 5 q_n) / (total_n + 5) for n > 2, with q_n = p_{n-1}^2 / p_{n-2}, and the brevity
      penalty exp(1 - r / c) also of long sentences, whose score may be above 1 (He and Deng 2012; Gao and He
      2013). A sentence without a match of 1-grams or 2-grams scores 0.
    - `exp`, `floor`, `add-k`: as `smooth`, with the effective order: sacrebleu's sentence BLEU.
    - `pseudo-document`: the corpus score of the sentence in a background of ones; learners with a
      background of their own pass it in, for any variant (see `PseudoDocument`).
    - `none`: the corpus score of the sentence alone, with `smooth` and `effective_order`.
    """

    name: ClassVar[str] = "bleu"
    order: int = 4
    reference_length: Literal["closest", "shortest", "average"] = "closest"
    tokenize: str = "none"
    lowercase: bool = False
    smooth: Literal["none", "floor", "exp", "add-k"] = "exp"
    smooth_value: float | None = None
    sentence: Literal[
        "add-one", "add-one-all", "grounded", "gao-he", "exp", "floor", "add-k", "pseudo-document", "none"
    ] = "add-one"
    effective_order: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require(self, 1 <= self.order <= 16, f"order must be 1 to 16, not {self.order}")
        check_tokenizer(self.tokenize)
        if self.smooth_value is not None:
            positive = self.smooth_value >= 0
            require(self, positive, f"smooth_value must be at least 0, not {self.smooth_value}")
            valued = self.smooth in _DEFAULT_VALUES or self.sentence in _DEFAULT_VALUES
            require(self, valued, "smooth_value belongs to 'floor' or 'add-k', as smooth or sentence")

    @property
    def width(self) -> int:
        return 2 * self.order + 1

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, tokenize=self.tokenize, lowercase=self.lowercase)
        return _native.bleu_stats(*texts.arrays, self.order, self.reference_length, threads)

    def score(self, stats: Stats) -> FloatArray:
        values = np.asarray(stats, dtype=np.float64)
        return _bleu(self._precisions(values), values)

    def score_gradient(self, stats: Stats) -> Stats:
        """Return d score / d stats; at the kink c = r, the derivative from the side with brevity penalty.

        The derivative by the matches of a smoothed order is zero, as is the gradient of a zero score.
        """
        values = np.asarray(stats, dtype=np.float64)
        precisions = self._precisions(values)
        hypothesis, reference = values[..., 1], values[..., -1]
        gradient = np.empty_like(values)
        gradient[..., 0:-1:2], gradient[..., 1:-1:2] = precisions.log_mean_gradient()
        with np.errstate(divide="ignore", invalid="ignore"):
            short = hypothesis <= reference
            gradient[..., 1] += np.where(short, reference / hypothesis**2, 0.0)
            gradient[..., -1] = np.where(short, -1.0 / hypothesis, 0.0)
            gradient *= _bleu(precisions, values)[..., None]
        return np.where(precisions.alive[..., None], gradient, 0.0)

    @property
    def ngram_order(self) -> int:
        return self.order

    def stats_from_counts(self, counts: NgramCounts) -> Stats:
        rows = np.empty((len(counts), self.width))
        rows[:, 0:-1:2], rows[:, 1:-1:2] = counts.matches(), counts.totals
        rows[:, -1] = self._compared(counts)
        return rows

    def count_slopes(self, counts: NgramCounts, slopes: Stats) -> CountSlopes:
        """Return derivatives by counts; the choice of the closest reference length is held fixed."""
        return CountSlopes(counts.matched(slopes[:, 0:-1:2]), np.ascontiguousarray(slopes[:, 1:-1:2]))

    def _compared(self, counts: NgramCounts) -> FloatArray:
        """Return the closest reference length of each sentence; of two equally close ones the shorter."""
        lengths = np.sort(counts.reference_lengths, axis=1)
        if self.reference_length == "average":
            return np.asarray(lengths.mean(axis=1))
        if self.reference_length == "shortest":
            return lengths[:, 0]
        nearest = np.abs(lengths - counts.totals[:, :1]).argmin(axis=1)
        return np.take_along_axis(lengths, nearest[:, None], axis=1)[:, 0]

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        values = np.asarray(stats, dtype=np.float64)
        if self.sentence in _COMPANY and background is None:
            background = np.full(self.width, _COMPANY[self.sentence])
        if background is not None:
            return self.score(values + background)
        matches, totals = values[..., 0:-1:2], values[..., 1:-1:2]
        if self.sentence == "grounded":
            longer = values + np.eye(self.width)[-1]
            ground = smooth("add-all", np.zeros_like(matches), totals, 1.0)
            return _bleu(smooth("add-all", matches, totals, 1.0), longer) - _bleu(ground, longer)
        if self.sentence == "gao-he":
            return _bleu(smooth("gao-he", matches, totals, _GAO_HE), values, clipped=False)
        if self.sentence in _ADD_ONE:
            return _bleu(smooth(_ADD_ONE[self.sentence], matches, totals, 1.0), values)
        method = _EFFECTIVE[self.sentence]
        value = self.smoothing_value(method)
        return _bleu(smooth(method, matches, totals, value, effective=True), values)

    def components(self, stats: Stats) -> Components:
        """Return c / r, min(1, exp(1 - r / c)), and the smoothed precisions of all orders, as sacrebleu does.

        An empty hypothesis, reference or order gives 0.
        """
        values = np.asarray(stats, dtype=np.float64)
        precisions = self._precisions(values)
        hypothesis, reference = float(values[1]), float(values[-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            fractions = np.where(precisions.totals > 0, precisions.matches / precisions.totals, 0.0)
        brevity = math.exp(min(0.0, 1.0 - reference / hypothesis)) if hypothesis else 0.0
        return {
            "length_ratio": hypothesis / reference if reference else 0.0,
            "brevity_penalty": brevity,
            "precisions": fractions.tolist(),
        }

    def size(self, stats: Stats) -> FloatArray:
        """Return the reference length."""
        return np.asarray(stats)[..., -1]

    def scorer(self) -> _native.Scorer:
        value = self.smoothing_value(self.smooth)
        return _native.bleu_scorer(self.order, self.smooth, value, self.effective_order)

    def smoothing_value(self, method: str) -> float:
        """Return the value with which a method smooths: `smooth_value` or its default; 0 if it needs none."""
        if method not in _DEFAULT_VALUES:
            return 0.0
        return _DEFAULT_VALUES[method] if self.smooth_value is None else self.smooth_value

    def _precisions(self, values: FloatArray) -> Precisions:
        value, effective = self.smoothing_value(self.smooth), self.effective_order
        matches, totals = values[..., 0:-1:2], values[..., 1:-1:2]
        return smooth(self.smooth, matches, totals, value, effective=effective)


def _bleu(precisions: Precisions, values: FloatArray, *, clipped: bool = True) -> FloatArray:
    hypothesis, reference = values[..., 1], values[..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = 1.0 - reference / hypothesis
        brevity = np.minimum(0.0, brevity) if clipped else brevity
        return np.where(precisions.alive, np.exp(precisions.log_mean() + brevity), 0.0)
