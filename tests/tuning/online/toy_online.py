"""Small online runs over candidate lists in files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.random_pools import random_pool

from tunesmith.candidates.pool import Pool
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.request import Request
from tunesmith.metrics.base import Metric
from tunesmith.systems.lists import ListSetup
from tunesmith.systems.model import ModelSystem
from tunesmith.texts import Texts
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.result import OnlineResult
from tunesmith.tuning.online.tune import tune_online


def write_lists(folder: Path, pool: Pool | None = None, name: str = "lists") -> ListSetup:
    """Write the lists and references of a pool, and return how workers open them."""
    pool = random_pool(3, lists=24, sparse=12) if pool is None else pool
    assert pool.texts is not None
    folder.mkdir(exist_ok=True)
    lists, references = folder / f"{name}.nbest", folder / f"{name}.ref"
    lines = []
    rows, offsets = pool.features, pool.offsets.tolist()
    for number, (begin, end) in enumerate(pairwise(offsets)):
        for row in range(begin, end):
            entries = range(int(rows.offsets[row]), int(rows.offsets[row + 1]))
            features = " ".join(f"{rows.names[rows.columns[k]]}={float(rows.values[k])!r}" for k in entries)
            lines.append(f"{number} ||| {pool.texts[row]} ||| {features} ||| 0\n")
    lists.write_text("".join(lines))
    references.write_text("".join(f"{text}\n" for text in pool.references[0]))
    return ListSetup((str(lists),), (str(references),), "cdec")


def learned(setup: ListSetup, output: Path, **options: Any) -> OnlineResult:
    """Run a few epochs in this process."""
    given = {"shards": 4, "epochs": 3, "threads": 1, "document": "kbmira"} | options
    return tune_online(setup, output=output, **given)


def judged_model(
    decoder: AnyDecoder, requests: Sequence[Request], references: Sequence[Texts], metric: Metric, nbest: int
) -> JudgedSystem:
    """Return a decoder over sentences with references, as a learner asks it."""
    return JudgedSystem(ModelSystem(decoder, requests), references, metric, nbest)
