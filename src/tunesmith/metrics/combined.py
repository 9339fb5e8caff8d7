"""Combined metrics: arithmetic expressions over the scores of metrics."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.expression import (
    Expression,
    Number,
    Operation,
    Part,
    evaluate,
    linear,
    render,
    replace_parts,
)
from tunesmith.types import FloatArray, Stats

__all__ = ["Combined", "combine"]


@dataclass(frozen=True)
class Combined(Metric):
    """An expression over the scores of its parts, whose statistics are concatenated.

    Whether more is better follows from the parts, which must agree in direction: `bleu + ter` is an
    error, `bleu + (1 - ter)` is not. The size is the mean of the parts' sizes, so that the order of a
    sum does not matter.
    """

    name: ClassVar[str] = "combined"
    parts: tuple[Metric, ...]
    expression: Expression
    higher_is_better: bool = field(init=False)

    def __post_init__(self) -> None:
        """Determine whether more is better."""
        object.__setattr__(self, "higher_is_better", self._direction())

    @property
    def signature(self) -> str:
        return render(self.expression, [f"{{{part.signature}}}" for part in self.parts])

    @property
    def unit(self) -> float:
        return min(part.unit for part in self.parts)

    @property
    def label(self) -> str:
        return render(self.expression, [part.label for part in self.parts])

    @property
    def width(self) -> int:
        return sum(part.width for part in self.parts)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return np.concatenate([part.measure(segments, threads) for part in self.parts], axis=-1)

    def score(self, stats: Stats) -> FloatArray:
        scores = [part.score(own) for part, own in zip(self.parts, self._split(stats), strict=True)]
        return evaluate(self.expression, scores)[0]

    def score_gradient(self, stats: Stats) -> Stats:
        """Return d score / d stats by the chain rule."""
        split = self._split(stats)
        scores = [part.score(own) for part, own in zip(self.parts, split, strict=True)]
        slopes = evaluate(self.expression, scores)[1]
        gradients = [part.score_gradient(own) for part, own in zip(self.parts, split, strict=True)]
        columns = [slope[..., None] * own for slope, own in zip(slopes, gradients, strict=True)]
        return np.concatenate(columns, axis=-1)

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        """Return the expression of the parts' sentence scores."""
        backgrounds = [None] * len(self.parts) if background is None else self._split(background)
        triples = zip(self.parts, self._split(stats), backgrounds, strict=True)
        return evaluate(self.expression, [part.sentence_score(own, back) for part, own, back in triples])[0]

    def components(self, stats: Stats) -> Components:
        """Return the score of each part and its components, by the part's label."""
        return {
            part.label: {"score": float(part.score(own)), **part.components(own)}
            for part, own in zip(self.parts, self._split(stats), strict=True)
        }

    def size(self, stats: Stats) -> FloatArray:
        sizes = [part.size(own) for part, own in zip(self.parts, self._split(stats), strict=True)]
        return np.asarray(sum(sizes[1:], start=sizes[0]) / len(sizes))

    def scorer(self) -> _native.Scorer:
        """Return a native weighted sum if the expression is one, else a Python callback."""
        terms = linear(self.expression, len(self.parts))
        if terms is None:
            return super().scorer()
        constant, weights = terms
        signed = [self.sign * weight * part.sign for weight, part in zip(weights, self.parts, strict=True)]
        return _native.sum_scorer(self.sign * constant, signed, [part.scorer() for part in self.parts])

    def _split(self, stats: Stats) -> list[Stats]:
        borders = np.cumsum([part.width for part in self.parts])[:-1]
        return np.split(np.asarray(stats, dtype=np.float64), borders, axis=-1)

    def _direction(self) -> bool:
        """Determine the direction from the derivatives at a few points of the unit cube."""
        places = np.random.default_rng(1).uniform(0.05, 0.95, size=(16, len(self.parts)))
        slopes = evaluate(self.expression, [np.ascontiguousarray(column) for column in places.T])[1]
        pulls = {
            part.label: part.sign * slope
            for part, slope in zip(self.parts, slopes, strict=True)
            if slope.any()
        }
        if not all(np.isfinite(pull).all() for pull in pulls.values()) or not pulls:
            raise OptionError(f"{self.label} is not a metric: it is constant or divides by zero")
        for higher in (True, False):
            if all((pull >= 0).all() if higher else (pull <= 0).all() for pull in pulls.values()):
                return higher
        up = [name for name, pull in pulls.items() if (pull >= 0).all()]
        down = [name for name in pulls if name not in up]
        reason = f"a better {' or '.join(up) or 'part'} raises it, a better {' or '.join(down)} lowers it"
        raise OptionError(f"{self.label} is not a metric: {reason}; invert error rates, as in (1 - ter)")


def combine(operator: str, left: Metric | float, right: Metric | float) -> Metric:
    """Return the metric `left operator right`; equal parts share their statistics."""
    parts: list[Metric] = []
    sides = [_side(side, parts) for side in (left, right)]
    return Combined(tuple(parts), Operation(operator, *sides))


def _side(side: Metric | float, parts: list[Metric]) -> Expression:
    if isinstance(side, Combined):
        places = [_place(part, parts) for part in side.parts]
        return replace_parts(side.expression, lambda index: places[index])
    if isinstance(side, Metric):
        return Part(_place(side, parts))
    if not isinstance(side, numbers.Real) or isinstance(side, bool) or not math.isfinite(side):
        raise OptionError(f"a metric combines with metrics and finite numbers, not with {side!r}")
    return Number(float(side))


def _place(part: Metric, parts: list[Metric]) -> int:
    signatures: Sequence[str] = [known.signature for known in parts]
    if part.signature not in signatures:
        parts.append(part)
        return len(parts) - 1
    return signatures.index(part.signature)
