"""Each kind of run that a folder resumes: how it is opened, and how its first piece is finished."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.store import KIND as DERIVATIONS
from tunesmith.runs.folder import RunFolder
from tunesmith.runs.kind import RunKind
from tunesmith.runs.store import StoreFolder
from tunesmith.tuning.loop.rounds import KIND as LOOP
from tunesmith.tuning.loop.rounds import Rounds
from tunesmith.tuning.online.folder import KIND as ONLINE
from tunesmith.tuning.online.folder import OnlineFolder
from tunesmith.tuning.trial_record import KIND as TRIES
from tunesmith.weights import Weights, WeightStore
from tunesmith.xbleu.forest_counts import ForestCounts
from tunesmith.xbleu.forest_store import FORESTS
from tunesmith.xbleu.list_counts import FileCounts
from tunesmith.xbleu.store import LISTS
from tunesmith.xbleu.training_folder import KIND as TRAINING
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder

KINDS = (LOOP, ONLINE, TRIES, LISTS, FORESTS, DERIVATIONS, TRAINING)


@dataclass(frozen=True)
class OpenedKind:
    """A kind, `open(folder, settings, restart=...)`, and what finishes a piece of what that returns."""

    kind: RunKind[Any]
    open: Callable[..., RunFolder[Any]]
    work: Callable[[Any], object]
    removed: frozenset[str]
    """Which of the files of `test_kind.filled` a restart removes."""

    def begin(self, folder: Path, settings: dict[str, Any]) -> None:
        """Begin a run, and finish a piece."""
        self.work(self.open(folder, settings))


def _work_loop(run: Rounds) -> None:
    run.begin(Weights({"f": 1.0}))
    scores = {"score": 0.5, "interval": [0.4, 0.6], "loss": 1.0, "start_loss": 2.0, "moved": 0.1}
    run.finish_round({"iteration": 1, **scores}, Weights({"f": 2.0}), 1)


def _work_online(run: OnlineFolder) -> None:
    run.files.mkdir()
    WeightStore.of({"f": 1.0}).save(run.weights(0), about={})
    run.state.records.append({"iteration": 0, "features": 1, "features_by_template": {}, "seconds": 0.1})
    run.commit(run.weights(0), {}, keep_shards=False)


def _store(kind: RunKind[Any], counts: object, *removed: str, **about: object) -> OpenedKind:
    def opened(folder: Path, settings: dict[str, Any], *, restart: bool = False) -> RunFolder[Any]:
        record = {"model": "m", "text": {"pairs": 5, "empty": 0}, **about, "made_by": settings}
        return StoreFolder(folder, kind, record, restart=restart)

    def work(run: StoreFolder[Any]) -> None:
        run.file(0).write_bytes(b"lists")
        run.add(0, counts, 0)  # type: ignore[arg-type]

    return OpenedKind(kind, opened, work, frozenset(removed))


OPENED = {
    each.kind.format: each
    for each in (
        OpenedKind(
            LOOP,
            Rounds,
            _work_loop,
            frozenset({"weights", "weights.json", "history.jsonl", "rounds/1.pool"}),
        ),
        OpenedKind(
            ONLINE,
            OnlineFolder,
            _work_online,
            frozenset({"weights", "history.jsonl", "iterations/0.weights"}),
        ),
        _store(LISTS, FileCounts(2), "lists.00000", nbest=5),
        _store(FORESTS, ForestCounts(2), features="local", blocks=False, density=5.0),
        _store(DERIVATIONS, BlockCounts(), "derivations.00000", ".tables/whole.0.bin", method="forced"),
        OpenedKind(
            TRAINING,
            TrainingFolder,
            lambda run: run.commit(Checkpoint()),
            frozenset({"weights", "reordering.json", "words.source.txt", ".shards/lists.0"}),
        ),
    )
}
EACH = pytest.mark.parametrize("each", OPENED.values(), ids=OPENED)
