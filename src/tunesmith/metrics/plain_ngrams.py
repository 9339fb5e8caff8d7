"""Checks for metrics of forests: functions of n-gram counts, without tokenization or lowercasing."""

from __future__ import annotations

from tunesmith.errors import OptionError
from tunesmith.metrics.base import METRICS, Metric

__all__ = ["require_ngram_counts", "require_plain_words"]


def require_ngram_counts(metric: Metric, what: str, otherwise: str = "another method") -> None:
    """Raise OptionError unless a metric is a function of n-gram counts of unchanged words.

    `what` names the caller; `otherwise` names an alternative that takes any metric.
    """
    if metric.ngram_order == 0:
        names = " or ".join(name for name, kind in METRICS.items() if counts_ngrams(kind))
        raise OptionError(
            f"{what}: {metric.label} is not a function of n-gram counts; choose {names}, or {otherwise}"
        )
    require_plain_words(metric, what, otherwise)


def require_plain_words(metric: Metric, what: str, otherwise: str = "another method") -> None:
    """Raise OptionError if a metric tokenizes or lowercases: forests do neither."""
    if getattr(metric, "tokenize", "none") != "none" or getattr(metric, "lowercase", False):
        raise OptionError(
            f"{what}: words are compared unchanged, but {metric.label} tokenizes or lowercases them;"
            f" remove these options, or choose {otherwise}"
        )


def counts_ngrams(kind: type[Metric]) -> bool:
    """Whether metrics of this class can be functions of n-gram counts."""
    return kind.stats_from_counts is not Metric.stats_from_counts
