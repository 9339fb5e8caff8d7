"""Records of runs and stores with values of other types: an InputError with the file's name, no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.mutations import changed_json

from tunesmith.cli.online_display import _line
from tunesmith.errors import InputError
from tunesmith.metrics import get_metric
from tunesmith.metrics.components import show_components
from tunesmith.reestimate.background import Background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.records import read_record, write_record
from tunesmith.reestimate.store import Blocks, DerivationStore
from tunesmith.runs.kind import RunKind, RunRecord
from tunesmith.runs.state import State
from tunesmith.runs.store import Store
from tunesmith.tuning.loop.rounds import KIND as LOOP
from tunesmith.tuning.loop.run_state import LoopState
from tunesmith.tuning.online.folder import KIND as ONLINE
from tunesmith.tuning.online.folder import OnlineState
from tunesmith.xbleu.forest_counts import ForestCounts
from tunesmith.xbleu.forest_store import ForestFiles, ForestStore
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.list_counts import FileCounts
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.store import ListFiles, ListStore

COMPONENTS = {"length_ratio": 0.9, "precisions": [0.5, 0.25], "bleu": {"score": 1.0, "matches": 3}}
BLEU = get_metric("bleu")


def written(kind: RunKind[Any], folder: Path, state: State, about: dict[str, Any] | None = None) -> Path:
    kind.write(folder, RunRecord({"seed": 1, "k": [1]}, state, about or {}))
    return folder / kind.record


def write_loop(folder: Path) -> Path:
    records = [
        {"iteration": 1, "score": 0.1, "interval": [0.0, 0.2], "components": COMPONENTS, "candidates": 7}
        | {"loss": 1.0, "start_loss": 2.0, "moved": 0.5, "new": 7, "seconds_decode": 0.1},
        {"iteration": 2, "last": True, "score": 0.1, "interval": [0.0, 0.2], "dev_score": 0.2},
    ]
    return written(LOOP, folder, LoopState(records, "all iterations are done", {"1.pool": "ab"}))


def use_loop(path: Path) -> None:
    for record in LOOP.read(path.parent).state.records:
        shown = [record["score"], *record["interval"], record.get("dev_score", 0.0)]
        assert all(map(BLEU.show, shown))
        show_components(record.get("components", {}))


def write_online(folder: Path) -> Path:
    start = {"iteration": 0, "score": 0.1, "features": 2, "features_by_template": {"dense": 2}}
    start |= {"components": COMPONENTS, "untranslated": 0, "seconds": 0.5, "start_scale": 2.0}
    later = start | {"iteration": 1, "updates": 1, "sentences": 6, "skipped": 0, "dropped_by_top_k": 0}
    return written(ONLINE, folder, OnlineState([start, later], [[1.0, 2.0]], ["LM0"], chosen=1))


def use_online(path: Path) -> None:
    state = ONLINE.read(path.parent).state
    for record in state.records:
        _line(record, BLEU.unit)
        for count in record["features_by_template"].values():
            f"{count:,}"
    assert state.records[state.chosen]


def stored(**more: object) -> dict[str, Any]:
    values = {"file": None, "digest": "ab", "values": {"LM0": 0.5}}
    text = {"source": "s", "target": "t", "pairs": 5, "empty": 0}
    return {"model": "m", "weights": values, "text": text, **more}


def write_lists(folder: Path) -> Path:
    left_out = {"left_out": {"R": {"mono": 0.5}}, "left_out_digests": {"R": "ab"}}
    about = stored(nbest=5, dense=["LM0"], **left_out)
    counts = {0: FileCounts(2, candidates=9), 1: FileCounts(3)}
    return written(ListStore.kind, folder, ListFiles(counts, {0: 0, 1: 1}, complete=True), about)


def use_store(path: Path, kind: type[Store[Any]]) -> None:
    store = kind.read(path.parent)
    [float(value) for value in (recorded_weights(store.record) or {}).values()]
    found = LeftOutModels.recorded(store.record)
    _ = store.model, store.files, found.features, store.record["text"]["pairs"] + 1
    if isinstance(store, ListStore):
        assert store.dense is not None and store.counts.sentences >= 0


def write_forests(folder: Path) -> Path:
    about = stored(features="local", blocks=False, density=5.0)
    return written(
        ForestStore.kind, folder, ForestFiles({0: ForestCounts(sentences=2)}, {0: 0}, complete=True), about
    )


def write_derivations(folder: Path) -> Path:
    background = Background((1.0,) * 9, 5.0, 1.0, 0.1, 0.2)
    about = stored(method="oracles", background=background.__dict__)
    return written(DerivationStore.kind, folder, Blocks({0: BlockCounts(3, derivations=3)}), about)


def use_derivations(path: Path) -> None:
    store = DerivationStore.read(path.parent)
    _ = store.files, store.counts.bleu("best"), store.counts.loss(), store.record["text"]["empty"] + 1
    f"{store.record['method']}"


def write_mixture(folder: Path) -> Path:
    write_record(folder / "mixture.json", {"weight": 0.5, "baseline_rules": 5, "baseline_bytes": 7})
    return folder / "mixture.json"


def use_mixture(path: Path) -> None:
    found = read_record(path)
    _ = (found.get("weight") or 0.0) + found.get("baseline_rules", 0) + found.get("baseline_bytes", 0)


RECORDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], object]]] = {
    "a loop": (write_loop, use_loop),
    "an online run": (write_online, use_online),
    "lists": (write_lists, lambda path: use_store(path, ListStore)),
    "forests": (write_forests, lambda path: use_store(path, ForestStore)),
    "derivations": (write_derivations, use_derivations),
    "a mixture": (write_mixture, use_mixture),
}


@pytest.mark.parametrize("name", RECORDS)
def test_values_of_other_types_are_errors_with_the_name_of_the_file(name: str, tmp_path: Path) -> None:
    write, use = RECORDS[name]
    path = write(tmp_path)
    use(path)
    refused = 0
    for content in changed_json(path.read_bytes(), 250, seed=1):
        path.write_bytes(content)
        try:
            use(path)
        except InputError as error:
            refused += 1
            assert str(error).startswith(str(path))
            assert len(str(error)) < 600
    assert refused > 50


@pytest.mark.parametrize("value", [{"a": "x"}, {"a": {"b": [1, "x"]}}, {"a": None}, [1], "x", {"a": True}])
def test_components_are_numbers(value: Any, tmp_path: Path) -> None:
    path = write_loop(tmp_path)
    state = json.loads(path.read_bytes())
    state["records"][0]["components"] = value
    path.write_text(json.dumps(state))
    with pytest.raises(InputError, match=r"run\.json: is damaged"):
        LOOP.read(path.parent)
