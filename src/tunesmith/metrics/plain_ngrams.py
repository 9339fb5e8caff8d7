"""Metrics that forests can be measured by: functions of n-gram counts of the words as they are."""

from __future__ import annotations

from tunesmith.errors import OptionError
from tunesmith.metrics.base import METRICS, Metric

__all__ = ["require_ngram_counts", "require_plain_words"]


def require_ngram_counts(metric: Metric, what: str, otherwise: str = "another method") -> None:
    """Raise OptionError unless a metric is a function of n-gram counts of words as they are.

    `what` asks for it; `otherwise` would take any metric.
    """
    if metric.ngram_order == 0:
        names = " or ".join(name for name, kind in METRICS.items() if counts_ngrams(kind))
        raise OptionError(
            f"{what}: {metric.label} is no function of n-gram counts; choose {names}, or {otherwise}"
        )
    require_plain_words(metric, what, otherwise)


def require_plain_words(metric: Metric, what: str, otherwise: str = "another method") -> None:
    """Raise OptionError if a metric splits words in its own way, or takes case off: forests do neither."""
    if getattr(metric, "tokenize", "none") != "none" or getattr(metric, "lowercase", False):
        raise OptionError(
            f"{what}: words are compared as they are, not as {metric.label} splits or cases them;"
            f" leave these options out, or choose {otherwise}"
        )


def counts_ngrams(kind: type[Metric]) -> bool:
    """Whether the metrics of a class can be functions of n-gram counts."""
    return kind.stats_from_counts is not Metric.stats_from_counts
