"""Metrics: statistics of a hypothesis, and a score of summed statistics."""

from tunesmith.metrics.base import METRICS, Metric, Segments

__all__ = ["METRICS", "Metric", "Segments"]
