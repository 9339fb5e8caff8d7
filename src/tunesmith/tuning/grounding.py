"""Length-grounded sentence BLEU, for methods that rank the candidates of a sentence by it."""

from __future__ import annotations

import dataclasses

from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.combined import Combined

__all__ = ["grounded"]


def grounded(metric: Metric) -> Metric:
    """Return the metric with the length-grounded smoothing in every sentence BLEU of it."""
    if isinstance(metric, Bleu):
        return dataclasses.replace(metric, sentence="grounded")
    if isinstance(metric, Combined):
        return dataclasses.replace(metric, parts=tuple(grounded(part) for part in metric.parts))
    return metric
