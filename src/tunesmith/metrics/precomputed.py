"""Scores and statistics computed elsewhere: COMET, human judgements, another tool's counts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError, suggest
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.ratio import Ratio
from tunesmith.types import FloatArray, Stats

__all__ = ["Precomputed", "PrecomputedStats"]


@METRICS.register("precomputed")
@dataclass(frozen=True)
class Precomputed(Ratio, Metric):
    """The mean of a column of scores over [sum of scores, hypotheses].

    The column is one of the pool's `scores`. `higher_is_better=False` is for errors and distances.
    """

    name: ClassVar[str] = "precomputed"
    column: str = "score"
    higher_is_better: bool = True

    @property
    def unit(self) -> float:
        return 1.0

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        if self.column not in segments.scores:
            hint = suggest(self.column, segments.scores) or "; the candidates have no scores"
            raise InputError(f"no score is named {self.column!r}{hint}")
        column = np.asarray(segments.scores[self.column], dtype=np.float64)
        if column.shape != (len(segments),):
            found = f"an array of shape {column.shape} for {len(segments)} hypotheses"
            raise InputError(f"score {self.column!r}: expected one value per hypothesis, found {found}")
        _check_finite(column, f"score {self.column!r}")
        return np.stack([column, np.ones(len(column))], axis=-1)


@dataclass(frozen=True, eq=False)
class PrecomputedStats(Metric):
    """A metric with statistics computed elsewhere, one row per hypothesis, in order."""

    name: ClassVar[str] = "stats"
    matrix: FloatArray
    metric: Metric
    _digest: str = field(init=False, repr=False)

    def __init__(self, matrix: npt.ArrayLike, metric: Metric) -> None:
        """Check the matrix against the metric that scores it."""
        values = np.array(matrix, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != metric.width:
            expected = f"expected a matrix [hypotheses, {metric.width}] of {metric.name} statistics"
            raise InputError(f"{expected}, found an array of shape {values.shape}")
        _check_finite(values, f"{metric.name} statistics")
        values.setflags(write=False)
        object.__setattr__(self, "matrix", values)
        object.__setattr__(self, "metric", metric)
        object.__setattr__(self, "_digest", hashlib.sha256(values.tobytes()).hexdigest()[:16])
        object.__setattr__(self, "higher_is_better", metric.higher_is_better)

    @property
    def signature(self) -> str:
        return f"stats|sha256:{self._digest}|{self.metric.signature}"

    @property
    def unit(self) -> float:
        return self.metric.unit

    @property
    def label(self) -> str:
        return self.metric.label

    @property
    def width(self) -> int:
        return self.metric.width

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        if len(self.matrix) != len(segments):
            counts = f"{len(self.matrix)} rows for {len(segments)} hypotheses"
            raise InputError(f"precomputed statistics: {counts}")
        return self.matrix

    def score(self, stats: Stats) -> FloatArray:
        return self.metric.score(stats)

    def score_gradient(self, stats: Stats) -> Stats:
        return self.metric.score_gradient(stats)

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        return self.metric.sentence_score(stats, background)

    def components(self, stats: Stats) -> Components:
        return self.metric.components(stats)

    def size(self, stats: Stats) -> FloatArray:
        return self.metric.size(stats)

    def scorer(self) -> _native.Scorer:
        return self.metric.scorer()


def _check_finite(values: FloatArray, what: str) -> None:
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argwhere(~finite)[0][0])
        raise InputError(f"{what} of hypothesis {row} is not finite; expected a number")
