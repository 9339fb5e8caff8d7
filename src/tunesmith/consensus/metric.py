"""Metrics as consensus rules use them."""

from __future__ import annotations

import numpy as np

from tunesmith.errors import InputError
from tunesmith.metrics import Metric, get_metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.types import FloatArray

__all__ = ["first_best", "ngram_metric"]


def ngram_metric(rule: str, spec: str | Metric) -> Metric:
    """Return a metric that is a function of n-gram counts; another one is an OptionError.

    So is one with a tokenizer of its own, or without case: the n-grams are those of the words as they are.
    """
    metric = get_metric(spec)
    require_ngram_counts(metric, rule, "the rule mbr")
    return metric


def first_best(values: FloatArray) -> int:
    """Return the place of the first largest value; an InputError unless all are finite."""
    if not np.isfinite(values).all():
        raise InputError("the metric has no finite value for a candidate; choose another, or other options")
    return int(np.argmax(values))
