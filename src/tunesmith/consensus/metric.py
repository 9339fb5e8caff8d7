"""Metrics as consensus rules use them."""

from __future__ import annotations

import numpy as np

from tunesmith.errors import InputError
from tunesmith.metrics import Metric, get_metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.types import FloatArray

__all__ = ["first_best", "ngram_metric"]


def ngram_metric(rule: str, spec: str | Metric) -> Metric:
    """Return the metric; an OptionError unless it is a function of n-gram counts.

    A metric with its own tokenizer or without case is refused too: n-grams are taken of the words as given.
    """
    metric = get_metric(spec)
    require_ngram_counts(metric, rule, "the rule mbr")
    return metric


def first_best(values: FloatArray) -> int:
    """Return the index of the first largest value; an InputError unless all are finite."""
    if not np.isfinite(values).all():
        raise InputError("the metric is not finite for a candidate; choose another metric, or other options")
    return int(np.argmax(values))
