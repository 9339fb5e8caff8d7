"""The epochs of online learning on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tunesmith.cli.console import errors, output, reporting
from tunesmith.cli.counted import counted
from tunesmith.metrics.base import show_score
from tunesmith.metrics.components import show_components

if TYPE_CHECKING:
    from tunesmith.metrics.base import Metric
    from tunesmith.tuning.online.result import OnlineResult

__all__ = ["ShownEpochs", "print_epochs", "showing_epochs"]


class ShownEpochs(NamedTuple):
    """Callbacks for a finished epoch, and for the sentences done in a phase."""

    progress: Callable[[dict[str, Any]], None] | None = None
    tick: Callable[[str, int, int], None] | None = None


@contextmanager
def showing_epochs(metric: Metric, quiet: bool) -> Iterator[ShownEpochs]:
    """Print one line per epoch; on a terminal, also a live line with the sentences so far."""

    def line(record: dict[str, Any]) -> None:
        errors.print(_line(record, metric.unit), markup=False, soft_wrap=True)

    if quiet:
        yield ShownEpochs()
    elif not errors.is_terminal:
        yield ShownEpochs(line)
    else:
        with reporting() as live:
            yield ShownEpochs(line, lambda phase, done, total: live(f"{phase}: {done} of {total}"))


def _line(record: dict[str, Any], unit: float) -> str:
    """Return an epoch as a line: scores, features, and sentences that changed weights or were skipped."""
    scores = {"score": "tuning set", "online_score": "while learning", "select_score": "select set"}
    shown = [
        f"{what} {show_score(record[key], unit)}{_components(record, key)}"
        for key, what in scores.items()
        if key in record
    ]
    parts = [", ".join(shown), f"{record['features']:,} features"]
    if "updates" in record:
        parts.append(f"{record['updates']:,} of {record['sentences']:,} sentences changed weights")
    if skipped := record.get("skipped", record.get("untranslated")):
        parts.append(f"{skipped:,} without a translation")
    if dropped := record.get("dropped_by_top_k", 0) + record.get("dropped_by_shards", 0):
        parts.append(f"{dropped:,} features dropped")
    if record.get("start_scale", 1.0) != 1.0:
        parts.append(f"start weights times {record['start_scale']:.4g}")
    name = f"epoch {record['iteration']}" if record["iteration"] else "start"
    return f"{name}: {'; '.join(parts)} ({record['seconds']:.1f} s)"


def _components(record: dict[str, Any], key: str) -> str:
    """Return what a score of a set is made of, in parentheses, or "" if the record does not have it."""
    components = show_components(record.get(key.replace("score", "components"), {}))
    return f" ({components})" if components else ""


def print_epochs(result: OnlineResult, unit: float) -> None:
    """Print the features of the selected weights by template, their scores, why it ended, what is written."""
    from rich.table import Table

    table = Table(title=f"{result.update}: {counted(result.shards, 'shard')}, active features by template")
    for column in ("template", "features", "share"):
        table.add_column(column, justify="right")
    total = result.record["features"]
    for name, count in result.record["features_by_template"].items():
        table.add_row(name, f"{count:,}", f"{100 * count / max(total, 1):.1f}%")
    output.print(table)
    output.print(_line(result.record, unit) + ": selected", markup=False, soft_wrap=True)
    done = counted(len(result.history) - 1, "epoch")
    output.print(f"{done}; stopped: {result.stopped}", markup=False)
    if result.why_start is not None:
        output.print(result.why_start, markup=False)
    output.print(f"weights: {result.weights}{_of_start(result)}", markup=False)


def _of_start(result: OnlineResult) -> str:
    """Return what a file has that has the start weights, in parentheses; "" if it has others."""
    if result.changed:
        return ""
    factor = result.record.get("start_scale", 1.0)
    return f" (the start weights{'' if factor == 1.0 else f', times {factor:.4g}'})"
