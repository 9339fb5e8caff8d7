"""The score of a set of sentences from what its shards found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric
from tunesmith.tuning.history import Record
from tunesmith.tuning.online.failures import FailureReport
from tunesmith.tuning.online.tasks import Scored

__all__ = ["best_iteration", "total_score"]


def total_score(metric: Metric, scored: Sequence[Scored], report: FailureReport, what: str) -> Record:
    """Return the score over all sentences, the number without a translation, and `failed`, if any failed.

    Failed sentences count as empty translations, so that all epochs are scored over the same sentences.
    If all sentences of the set, named `what`, failed, it is an InputError.
    """
    failures = [each for part in scored for each in part.failures]
    if failures and not any(part.sentences for part in scored):
        raise InputError(f"the decoder failed on all sentences of the {what}{report.first(failures)}")
    stats = np.sum([part.stats for part in scored], axis=0)
    if failures:
        stats = stats + np.sum([part.failed_stats for part in scored if part.failures], axis=0)
    failed = report.note(failures)
    return {
        "score": float(metric.score(stats)),
        "components": metric.components(stats),
        "untranslated": sum(part.untranslated for part in scored),
        **({"failed": failed} if failed else {}),
    }


def best_iteration(records: Sequence[Record], sign: float) -> int:
    """Return the epoch with the best score of the select set; of equal ones the first.

    Start weights that are all 0 are no result, if there is another.
    """
    numbers = [number for number, record in enumerate(records) if record["features"]] or [0]
    return max(numbers, key=lambda number: (sign * records[number]["select_score"], -number))
