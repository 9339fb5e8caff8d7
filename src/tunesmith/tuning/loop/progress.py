"""One line per round of a loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tunesmith.metrics.base import Metric
from tunesmith.metrics.components import show_components
from tunesmith.tuning.history import Record
from tunesmith.tuning.method import Method

__all__ = ["describe", "opening"]


def opening(method: Method, sentences: int, folder: Path) -> str:
    """Return the first line of a run."""
    return f"{method.name} on {sentences} sentences, in the folder {folder}; loss: {method.loss}"


def describe(record: Record, metric: Metric) -> str:
    """Return the line of a round; its score is of the weights that it decoded with."""
    before = int(record["iteration"]) - 1
    under = f"after iteration {before}" if before else "at the start"
    score = f"{metric.label} {metric.show(record['score'])}"
    if components := show_components(record.get("components", {})):
        score += f" ({components})"
    head = f"{under}: {score}" if record.get("last") else f"iteration {before + 1}: {score} {under}"
    return ", ".join([head, *_parts(record, metric)])


def _parts(record: Record, metric: Metric) -> Iterator[str]:
    if "dev_score" in record:
        yield f"select set {metric.show(record['dev_score'])}"
    if "loss" in record:
        yield f"loss {record['start_loss']:.6g} to {record['loss']:.6g}"
    if record.get("went_on"):
        yield "no better, but goes on because many candidates are new"
    if "candidates" in record:
        yield f"{record['candidates']} candidates"
        yield f"{record['new']} new"
    if "edges" in record:
        yield f"{record['edges']} edges"
    yield f"decoded in {record['seconds_decode']:.1f} s"
    if "seconds_learn" in record:
        yield f"learned in {record['seconds_learn']:.1f} s"
