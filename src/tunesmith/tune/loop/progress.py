"""A line for each round of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith.metrics.base import Metric
from tunesmith.tune.history import Record

__all__ = ["describe"]


def describe(record: Record, metric: Metric) -> str:
    """Return what happened in a round, for people."""
    title = "the last weights" if record.get("last") else f"iteration {record['iteration']}"
    return f"{title}: {', '.join(_parts(record, metric))}"


def _parts(record: Record, metric: Metric) -> Iterator[str]:
    yield f"{metric.label} {metric.show(record['score'])}"
    if "dev_score" in record:
        yield f"dev {metric.show(record['dev_score'])}"
    if "loss" in record:
        yield f"loss {record['start_loss']:.6g} to {record['loss']:.6g}"
    if "candidates" in record:
        yield f"{record['candidates']} candidates"
        yield f"{record['new']} new"
    if "edges" in record:
        yield f"{record['edges']} edges"
    yield f"decoded in {record['seconds_decode']:.1f} s"
    if "seconds_learn" in record:
        yield f"learned in {record['seconds_learn']:.1f} s"
