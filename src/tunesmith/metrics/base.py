"""The interface of metrics: additive statistics per hypothesis, and a score of their sum.

Learners do not depend on the metric. They sum statistics, take expectations of them, and call
`gain`, the score with its sign turned so that more is better.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.long_lines import LONGEST_TEXT
from tunesmith.metrics.components import Components
from tunesmith.metrics.counts import CountSlopes, NgramCounts
from tunesmith.metrics.options import describe_changes, describe_options
from tunesmith.options import check_options
from tunesmith.registry import Registry
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["METRICS", "Metric", "Segments", "show_score"]

_Bytes: TypeAlias = npt.NDArray[np.uint8]

METRICS: Registry[type[Metric]] = Registry("metric", "tunesmith.metrics")


def show_score(score: float, unit: float = 100.0) -> str:
    """Format a score: times 100 with two decimals if `unit` is 100, else with four decimals."""
    return f"{unit * score:.2f}" if unit == 100 else f"{score:.4f}"


@dataclass(frozen=True)
class Segments:
    """The input of a metric: lists of hypotheses, and the references of each list.

    Hypotheses `offsets[g]` to `offsets[g + 1]` belong to sentence g. `scores` are columns computed
    elsewhere, one value per hypothesis. Hypotheses may have scores only, and no texts.
    """

    texts: Texts | None
    offsets: IntArray
    references: Sequence[Texts] = ()
    scores: Mapping[str, FloatArray] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Segments:
        """One hypothesis per sentence; `references[r][i]` is reference r of sentence i."""
        texts = Texts.of(hypotheses)
        return cls(texts, np.arange(len(texts) + 1), tuple(Texts.of(reference) for reference in references))

    def __post_init__(self) -> None:
        """Check that every reference has a text for each sentence, and that no text is too long."""
        for what, column in [("hypothesis", self.texts), *(("reference", one) for one in self.references)]:
            if column is not None and len(column) and (sizes := np.diff(column.offsets)).max() > LONGEST_TEXT:
                place = int(np.argmax(sizes))
                raise InputError(
                    f"{what} number {place + 1} has {sizes[place]:,} bytes; expected a sentence, of at most"
                    f" {LONGEST_TEXT:,} bytes, as metrics take memory per word: are line ends missing?"
                )
        for reference in self.references:
            if len(reference) != len(self.offsets) - 1:
                raise InputError(
                    f"a reference has {len(reference)} lines for {len(self.offsets) - 1} sentences"
                )

    def __len__(self) -> int:
        """Return the number of hypotheses."""
        return int(self.offsets[-1])

    @property
    def hypotheses(self) -> Texts:
        """The texts, for metrics that read them; an InputError if there are none."""
        if self.texts is None:
            raise InputError("these candidates have no texts; metrics such as bleu need them")
        return self.texts

    @property
    def arrays(self) -> tuple[_Bytes, IntArray, IntArray, list[tuple[_Bytes, IntArray]]]:
        """The leading arguments of all native statistics functions."""
        references = [(reference.blob, reference.offsets) for reference in self.references]
        return self.hypotheses.blob, self.hypotheses.offsets, self.offsets, references


class Metric(ABC):
    """A frozen dataclass of options; `score` accepts any stack of statistics vectors.

    Scores are in their natural unit, 0 to 1 for most metrics, and are printed times 100. Metrics
    can be combined: `0.5 * Bleu() + 0.5 * (1 - Ter())` is a metric.
    """

    name: ClassVar[str]
    higher_is_better: bool = True
    # Lets `numpy_number * metric` call the metric's operator.
    __array_ufunc__: ClassVar[None] = None

    def __post_init__(self) -> None:
        """Check the options; subclasses extend this."""
        check_options(self, self.name)

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of statistics."""

    @property
    def signature(self) -> str:
        """The name and every option, as `bleu|order:4|tokenize:none`: equal only for equal metrics."""
        return self.name + describe_options(self)

    @property
    def label(self) -> str:
        """The name for tables, with non-default options; `get_metric` parses it."""
        return self.name + describe_changes(self)

    @abstractmethod
    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        """Return the statistics of all hypotheses, one row each."""

    @abstractmethod
    def score(self, stats: Stats) -> FloatArray:
        """Return the score of summed statistics; works on the last axis, fractional values allowed."""

    def score_gradient(self, stats: Stats) -> Stats:
        """Return d score / d stats, of the shape of `stats`; OptionError if the metric has none."""
        raise OptionError(f"{self.name} has no gradient; choose a method that needs none, such as mert")

    @property
    def ngram_order(self) -> int:
        """The longest n-grams that it counts; 0 if the metric is not a function of n-gram counts."""
        return 0

    def stats_from_counts(self, counts: NgramCounts) -> Stats:
        """Return the statistics of sentences given by their n-gram counts, one row each.

        For whole counts, equal to `measure`. N-gram metrics implement this and `count_slopes`.
        """
        raise OptionError(f"{self.name} is not a function of n-gram counts")

    def count_slopes(self, counts: NgramCounts, slopes: Stats) -> CountSlopes:
        """Return derivatives by counts, given those by the statistics of each sentence."""
        raise OptionError(f"{self.name} is not a function of n-gram counts")

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        """Return the sentence-level score, within a pseudo-document if `background` is given."""
        return self.score(stats if background is None else stats + background)

    def components(self, stats: Stats) -> Components:
        """Return what the score of one vector of summed statistics is made of; empty if nothing is known."""
        return {}

    def size(self, stats: Stats) -> FloatArray:
        """Return the amount of text behind statistics: the reference length, or 1 per sentence."""
        return np.ones(np.shape(stats)[:-1], dtype=np.float64)

    def scorer(self) -> _native.Scorer:
        """Return `gain` and `size` for native loops; metrics with a native twin override this."""
        return _native.python_scorer(
            self.width,
            lambda stats: np.ascontiguousarray(self.gain(stats), dtype=np.float64),
            lambda stats: float(self.size(stats)),
        )

    @property
    def unit(self) -> float:
        """The factor of printed scores: 100, or 1 for scores of unknown range."""
        return 100.0

    def show(self, score: float) -> str:
        """Format a score for display."""
        return show_score(score, self.unit)

    @property
    def sign(self) -> float:
        """Return 1.0 if more is better, else -1.0."""
        return 1.0 if self.higher_is_better else -1.0

    def gain(self, stats: Stats) -> FloatArray:
        """Return the score with its sign turned so that more is better."""
        return self.sign * self.score(stats)

    def sentence_gain(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        """Return the sentence score with its sign turned so that more is better."""
        return self.sign * self.sentence_score(stats, background)

    def stats(self, hypothesis: str, references: Sequence[str]) -> Stats:
        """Return the statistics of one hypothesis."""
        row: Stats = self.measure(Segments.of([hypothesis], [[reference] for reference in references]))[0]
        return row

    def __add__(self, other: Metric | float) -> Metric:
        return _combine("+", self, other)

    def __radd__(self, other: float) -> Metric:
        return _combine("+", other, self)

    def __sub__(self, other: Metric | float) -> Metric:
        return _combine("-", self, other)

    def __rsub__(self, other: float) -> Metric:
        return _combine("-", other, self)

    def __mul__(self, other: Metric | float) -> Metric:
        return _combine("*", self, other)

    def __rmul__(self, other: float) -> Metric:
        return _combine("*", other, self)

    def __truediv__(self, other: Metric | float) -> Metric:
        return _combine("/", self, other)

    def __rtruediv__(self, other: float) -> Metric:
        return _combine("/", other, self)

    def __neg__(self) -> Metric:
        return _combine("-", 0.0, self)


def _combine(operator: str, left: Metric | float, right: Metric | float) -> Metric:
    from tunesmith.metrics.combined import combine

    return combine(operator, left, right)
