"""How much a difference of scores varies by chance: its standard error over sentences."""

from __future__ import annotations

import math

from tunesmith.metrics.base import Metric
from tunesmith.types import Stats

__all__ = ["standard_error_of_difference"]


def standard_error_of_difference(metric: Metric, baseline: Stats, system: Stats) -> float:
    """Return the standard error of gain(system) - gain(baseline), by the jackknife (Tukey 1958).

    With d_i the difference without sentence i, and m their mean: sqrt((n - 1) / n * sum (d_i - m)^2). The
    statistics have one row per sentence; the error of a single sentence is unknown, and 0 here. It needs no
    gradient of the metric and no random numbers. O(n * width).
    """
    count = len(baseline)
    if count < 2:
        return 0.0
    without = [metric.gain(stats.sum(axis=0) - stats) for stats in (baseline, system)]
    differences = without[1] - without[0]
    return math.sqrt((count - 1) / count * float(((differences - differences.mean()) ** 2).sum()))
