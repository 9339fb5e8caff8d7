"""Checking the records of the epochs of a run, as they are read from its folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tunesmith.json_files import check_record
from tunesmith.metrics.components import check_components

__all__ = ["check_records"]

_SCORES = ("score", "online_score", "select_score", "loss", "start_scale", "seconds", "seconds_learn")
"""Numbers, which may be infinite or NaN."""
_COUNTS = (
    *("features", "sentences", "updates", "skipped", "untranslated", "failed", "score_failed"),
    *("dropped_by_top_k", "dropped_by_shards", "select_untranslated", "select_failed"),
)


def check_records(records: Sequence[dict[str, Any]]) -> None:
    """Raise ValueError or KeyError unless these are the records of epochs 0, 1, ..., in order."""
    for number, record in enumerate(records):
        if record["iteration"] != number:
            raise ValueError(f"record {number} is of epoch {record['iteration']!r:.60}")
        for name in _SCORES:
            if not isinstance(record.get(name, 0.0), float):
                check_record(name, float, record[name])
        for name in _COUNTS:
            check_record(name, int, record.get(name, 0))
        for name in ("components", "online_components", "select_components"):
            check_components(record.get(name, {}))
        check_record("features_by_template", dict[str, int], record["features_by_template"])
        _ = record["features"], record["seconds"]
        if "updates" in record:
            _ = record["sentences"]
        if "select_score" in records[0]:
            _ = record["select_score"]
