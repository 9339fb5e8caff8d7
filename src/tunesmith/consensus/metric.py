"""Metrics as consensus rules use them."""

from __future__ import annotations

import numpy as np

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import Combined, Metric, MetricSpec, Precomputed, PrecomputedStats, get_metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.types import FloatArray

__all__ = ["first_best", "ngram_metric", "pairwise_metric", "score_columns"]


def ngram_metric(rule: str, spec: MetricSpec) -> Metric:
    """Return the metric; an OptionError unless it is a function of n-gram counts.

    A metric with its own tokenizer or without case is refused too: n-grams are taken of the words as given.
    """
    metric = get_metric(spec)
    require_ngram_counts(metric, rule, "the rule mbr")
    return metric


def pairwise_metric(rule: str, spec: MetricSpec) -> Metric:
    """Return the metric; an OptionError if it cannot compare candidates with each other."""
    metric = get_metric(spec)
    if any(isinstance(part, PrecomputedStats) for part in _parts(metric)):
        raise OptionError(
            f"{rule}: statistics counted elsewhere compare hypotheses with given references, not candidates"
            " with each other; use the metric itself"
        )
    return metric


def score_columns(metric: Metric) -> tuple[str, ...]:
    """Return the scores of candidates that the metric reads: these do not depend on the reference."""
    return tuple(part.column for part in _parts(metric) if isinstance(part, Precomputed))


def _parts(metric: Metric) -> tuple[Metric, ...]:
    return metric.parts if isinstance(metric, Combined) else (metric,)


def first_best(values: FloatArray) -> int:
    """Return the index of the first largest value; an InputError unless all are finite."""
    if not np.isfinite(values).all():
        raise InputError("the metric is not finite for a candidate; choose another metric, or other options")
    return int(np.argmax(values))
