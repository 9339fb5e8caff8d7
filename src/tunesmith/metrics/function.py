"""Metrics from Python functions: of sentence scores, or of statistics that add up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.function_identity import function_identity
from tunesmith.metrics.ratio import Ratio
from tunesmith.types import FloatArray, Stats

__all__ = ["FunctionMean", "FunctionStatistics", "function_metric"]


@dataclass(frozen=True, eq=False)
class _FunctionMetric(Metric):
    """What both kinds share: the function is called for each hypothesis. Pickles if the functions do."""

    name: ClassVar[str] = "function"
    function: Callable[[str, Sequence[str]], Any]
    title: str
    higher_is_better: bool = True
    _identity: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_identity", function_identity(self.function))

    @property
    def unit(self) -> float:
        return 1.0

    @property
    def label(self) -> str:
        return self.title

    @property
    def signature(self) -> str:
        direction = "yes" if self.higher_is_better else "no"
        return f"function|name:{self.title}|higher_is_better:{direction}|code:{self._identity}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _FunctionMetric) and self.signature == other.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        rows = np.empty((len(segments), self.width))
        texts, offsets = list(segments.hypotheses), segments.offsets.tolist()
        for sentence, references in enumerate(_references(segments)):
            for row in range(offsets[sentence], offsets[sentence + 1]):
                rows[row] = self._row(texts[row], references)
        return rows

    @abstractmethod
    def _row(self, hypothesis: str, references: Sequence[str]) -> FloatArray:
        """Return the statistics of one hypothesis."""

    def _call(self, hypothesis: str, references: Sequence[str], shape: tuple[int, ...]) -> FloatArray:
        """Return what the function gives for one hypothesis, in the expected shape."""
        found = self.function(hypothesis, references)
        try:
            values = np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            values = np.full(shape, np.nan)
        if values.shape != shape or not np.isfinite(values).all():
            expected = f"{shape[0]} finite numbers" if shape else "a finite number"
            raise InputError(
                f"metric {self.title!r} returned {_shown(found)} for the hypothesis {_shown(hypothesis)};"
                f" expected {expected}"
            )
        return values


@dataclass(frozen=True, eq=False)
class FunctionMean(Ratio, _FunctionMetric):
    """The mean of a function's sentence scores, over [sum of scores, hypotheses]."""

    def _row(self, hypothesis: str, references: Sequence[str]) -> FloatArray:
        return np.array([float(self._call(hypothesis, references, ())), 1.0])


@dataclass(frozen=True, eq=False)
class FunctionStatistics(_FunctionMetric):
    """A score function of sums of a function's statistics."""

    score_function: Callable[..., Any] = field(kw_only=True)
    statistics: int = field(kw_only=True)

    def __post_init__(self) -> None:
        identities = map(function_identity, (self.function, self.score_function))
        object.__setattr__(self, "_identity", "-".join(identities))

    @property
    def width(self) -> int:
        return self.statistics

    def score(self, stats: Stats) -> FloatArray:
        """Apply the score function to arrays of sums or, if it cannot take arrays, to each row."""
        values = np.asarray(stats, dtype=np.float64)
        if values.ndim > 1:
            try:
                with np.errstate(divide="ignore", invalid="ignore"):
                    found = np.asarray(self.score_function(*np.moveaxis(values, -1, 0)), dtype=np.float64)
                if found.shape == values.shape[:-1] and np.isfinite(found).all():
                    return found
            except (TypeError, ValueError, ArithmeticError):
                pass  # branches such as `if total == 0` need numbers
        rows = values.reshape(-1, self.width).tolist()
        return np.array([self._one_score(row) for row in rows]).reshape(values.shape[:-1])

    def _row(self, hypothesis: str, references: Sequence[str]) -> FloatArray:
        return self._call(hypothesis, references, (self.statistics,))

    def _one_score(self, sums: list[float]) -> float:
        try:
            score = float(self.score_function(*sums))
        except ZeroDivisionError:
            return 0.0
        if not np.isfinite(score):
            raise InputError(f"the score function of metric {self.title!r} returned {score} for {sums}")
        return score


def function_metric(
    function: Callable[[str, Sequence[str]], Any],
    *,
    score: Callable[..., Any] | None = None,
    statistics: int | None = None,
    name: str | None = None,
    higher_is_better: bool = True,
) -> Metric:
    """Return a metric made of a function of a hypothesis and the list of its references.

    Without `score`, `function(hypothesis, references)` returns the score of a sentence, and the score of a
    corpus is the mean. With `score`, it returns `statistics` numbers that are added up over sentences, and
    `score(*sums)` is the score, of a sentence as of a corpus; division by zero gives 0. It may take numpy
    arrays, which is faster, or plain numbers.

    The function must return the same for the same texts: a pool calls it once per candidate. If other things
    that it depends on change, give another `name`.
    """
    for what, given in (("function", function), ("score", score)):
        if isinstance(given, type) or not (callable(given) or (what == "score" and given is None)):
            raise OptionError("{} of a metric must be a function, not {given}", what, given=_shown(given))
    if (score is None) != (statistics is None):
        raise OptionError("a metric with {} needs {}, the number of statistics", "score", "statistics")
    if statistics is not None and not (isinstance(statistics, int) and statistics >= 1):
        raise OptionError("{} must be at least 1, not {given}", "statistics", given=statistics)
    title = str(name or getattr(function, "__name__", type(function).__name__))
    if score is None or statistics is None:
        return FunctionMean(function, title, higher_is_better)
    return FunctionStatistics(function, title, higher_is_better, score_function=score, statistics=statistics)


def _references(segments: Segments) -> list[list[str]]:
    """Return the references of each sentence; a metric may do without any."""
    if not segments.references:
        return [[] for _ in range(len(segments.offsets) - 1)]
    return [list(texts) for texts in zip(*segments.references, strict=True)]


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
