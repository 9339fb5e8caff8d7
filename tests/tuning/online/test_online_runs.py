"""Runs of online learning over lists in files: any number of workers, resumption, selection."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from tests.random_pools import random_pool
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith.cli import online_display
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import OptionError
from tunesmith.metrics import get_metric
from tunesmith.tuning.online.folder import OnlineFolder
from tunesmith.tuning.online.tasks import LearnTask
from tunesmith.tuning.online.updates.base import UPDATES
from tunesmith.weights import WeightStore

ROOT = Path(__file__).resolve().parents[3]


def content(folder: Path) -> bytes:
    return (folder / "weights").read_bytes()


@pytest.mark.process
def test_the_number_of_workers_changes_no_bit(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    for workers in (1, 2, 3):
        learned(setup, tmp_path / str(workers), threads=workers, keep_rates=True, average="steps")
    assert content(tmp_path / "1") == content(tmp_path / "2") == content(tmp_path / "3")
    histories = [(tmp_path / str(workers) / "history.jsonl").read_text() for workers in (1, 2)]
    first, second = ([json.loads(line) for line in text.splitlines()] for text in histories)
    for record in (*first, *second):
        for clock in ("seconds", "seconds_learn", "seconds_by_shard"):
            record.pop(clock, None)
    assert first == second


def test_shards_and_seed_are_part_of_the_result(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    learned(setup, tmp_path / "a")
    learned(setup, tmp_path / "b", shards=3)
    learned(setup, tmp_path / "c", seed=2)
    assert len({content(tmp_path / name) for name in "abc"}) == 3


@pytest.mark.parametrize("update", sorted(UPDATES))
def test_every_update_learns(update: str, tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    result = learned(setup, tmp_path / "run", update=update, epochs=2, document="chiang")
    assert result.record["score"] > result.history[0]["score"]
    assert 0 < result.record["updates"] <= 24
    learned(setup, tmp_path / "batches", update=update, epochs=2, document="chiang", batch=5)
    assert content(tmp_path / "batches") != content(tmp_path / "run")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep_rates": True},
        {"average": "epochs"},
        {"average": "steps"},
        {"average": "epochs", "frozen": ("f0", "s[0-4]"), "keep_rates": True, "top_k": 2},
        {"average": "steps", "freeze_dense": True, "rates_start": 0.0},
    ],
)
def test_a_run_in_two_parts_equals_one_run(options: dict[str, object], tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    whole = learned(setup, tmp_path / "whole", epochs=4, **options)
    learned(setup, tmp_path / "parts", epochs=1, **options)
    rest = learned(setup, tmp_path / "parts", epochs=4, **options)
    assert rest.resumed_after == 1
    assert content(tmp_path / "whole") == content(tmp_path / "parts")
    assert [r["score"] for r in rest.history] == [r["score"] for r in whole.history]


def test_averages_over_iterations_are_means_of_their_weights(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    after = []
    for epochs in (1, 2, 3):
        result = learned(setup, tmp_path / "last", epochs=epochs)
        after.append(dict(WeightStore.open(result.weights).items()))
    mean = WeightStore.open(learned(setup, tmp_path / "mean", average="epochs").weights)
    for name, value in mean.items():
        assert value == pytest.approx(np.mean([weights.get(name, 0.0) for weights in after]), abs=1e-12)


def test_a_mean_over_iterations_has_what_any_of_them_kept_and_its_largest_are_the_result(
    tmp_path: Path,
) -> None:
    setup = write_lists(tmp_path)
    options: dict[str, Any] = {"update": "perceptron", "rate": 1.0, "top_k": 3}
    after = []
    for epochs in (1, 2, 3, 4):
        result = learned(setup, tmp_path / "last", epochs=epochs, **options)
        after.append(dict(WeightStore.open(result.weights).items()))
    result = learned(setup, tmp_path / "mean", epochs=4, average="epochs", **options)
    folder = OnlineFolder(tmp_path / "mean", json.loads((tmp_path / "mean/run.json").read_text())["settings"])
    mean = dict(WeightStore.open(folder.average(4)).items())
    names = dict.fromkeys(name for weights in after for name in weights)
    assert mean == pytest.approx({name: np.mean([each.get(name, 0.0) for each in after]) for name in names})
    sparse = sorted(set(mean) - set(folder.state.dense), key=lambda name: -abs(mean[name]))
    assert len(sparse) > 3
    published = dict(WeightStore.open(result.weights).items())
    assert published == {name: mean[name] for name in mean if name not in sparse[3:]}
    assert not folder.largest(4).exists()


def test_a_start_that_no_iteration_beats_on_the_select_set_is_the_result_and_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = write_lists(tmp_path)
    select = write_lists(tmp_path, random_pool(8, lists=10, sparse=12), "select")
    start = learned(select, tmp_path / "start", epochs=5).weights
    result = learned(setup, tmp_path / "run", select=select, start=start, start_scale=0.5, epochs=2)
    assert (result.chosen, result.changed, result.to_dict()["changed"]) == (0, False, False)
    why = "no epoch scores better on the select set than the start weights, so these are the result"
    assert result.why_start == result.to_dict()["why_start"] == result.warnings[-1] == why
    given = WeightStore.open(start)
    assert all(value == 0.5 * given[name] for name, value in WeightStore.open(result.weights).items())
    stream = StringIO()
    monkeypatch.setattr(online_display, "output", Console(file=stream, width=400))
    online_display.print_epochs(result, 100.0)
    *_, said, written = stream.getvalue().splitlines()
    assert (said, written) == (why, f"weights: {result.weights} (the start weights, times 0.5)")
    better = learned(setup, tmp_path / "other", select=select, epochs=2)
    assert better.changed and better.why_start is None and better.warnings == ()
    online_display.print_epochs(better, 100.0)
    assert stream.getvalue().splitlines()[-1] == f"weights: {better.weights}"


def test_a_last_iteration_that_is_worse_than_the_start_is_reported_without_a_select_set(
    tmp_path: Path,
) -> None:
    setup = write_lists(tmp_path)
    good = learned(setup, tmp_path / "good", epochs=3)
    assert good.record["score"] > good.history[0]["score"] and good.warnings == ()
    given: dict[str, Any] = {
        "start": good.weights,
        "update": "adagrad",
        "rate": 5.0,
        "epochs": 1,
        "shards": 1,
    }
    worse = learned(setup, tmp_path / "worse", **given)
    first, last = (f"{100 * worse.history[number]['score']:.2f}" for number in (0, 1))
    assert float(last) < float(first)
    (warning,) = worse.warnings
    assert f"of the tuning set got worse ({first} to {last})" in warning and "give a select set" in warning
    assert learned(setup, tmp_path / "none", score_tuning=False, **given).warnings == ()


def test_the_iteration_with_the_best_score_of_the_select_set_is_chosen(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    select = write_lists(tmp_path, random_pool(8, lists=10, sparse=12), "select")
    result = learned(setup, tmp_path / "run", select=select, epochs=6, patience=2)
    scores = [record["select_score"] for record in result.history]
    assert result.chosen == 1 + int(np.argmax(scores[1:]))  # the start is 0 for all features
    assert len(scores) == min(result.chosen + 3, 7)
    best = WeightStore.open(result.weights)
    assert best.about["iteration"] == result.chosen
    pool, metric = select.open().pool, get_metric("bleu")
    stats = pool.stats(metric)
    rows = pool.features
    weights = np.array([best.get(name, 0.0) for name in rows.names])
    dense = np.zeros((len(rows), len(rows.names)))
    dense[np.repeat(np.arange(len(rows)), np.diff(rows.offsets)), rows.columns] = rows.values
    winners = [
        begin + int(np.argmax((dense @ weights)[begin:end]))
        for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    ]
    assert scores[result.chosen] == pytest.approx(float(metric.score(stats[winners].sum(axis=0))))


def test_other_options_of_a_run_are_refused(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    learned(setup, tmp_path / "run", epochs=1)
    with pytest.raises(OptionError, match=r"contains a run with adaptive 0\.01, not 0\.1"):
        learned(setup, tmp_path / "run", epochs=1, adaptive=0.1)
    with pytest.raises(OptionError, match="start weights"):
        learned(setup, tmp_path / "run", epochs=1, start={"f0": 1.0})
    assert learned(setup, tmp_path / "run", epochs=1, adaptive=0.1, restart=True).resumed_after == 0
    with pytest.raises(OptionError, match="patience needs a select set"):
        learned(setup, tmp_path / "other", patience=1)
    with pytest.raises(OptionError, match="no such option: l1 of passive-aggressive"):
        learned(setup, tmp_path / "other", l1=0.1)


def test_an_earlier_result_is_a_start(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    first = learned(setup, tmp_path / "first", epochs=2)
    second = learned(setup, tmp_path / "second", epochs=1, start=first.weights)
    assert second.history[0]["score"] == first.record["score"]
    assert second.history[0]["features"] == first.record["features"]


@pytest.mark.process
def test_a_killed_run_loses_at_most_an_iteration(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    learned(setup, tmp_path / "whole", epochs=12)
    code = (
        "from pathlib import Path; from tests.tuning.online.toy_online import ListSetup, learned;"
        f"learned({setup!r}, Path({str(tmp_path / 'killed')!r}), epochs=12, threads=2)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    history = tmp_path / "killed" / "history.jsonl"
    for least in (1, 4):
        process = subprocess.Popen([sys.executable, "-c", code], env=environment)
        deadline = time.monotonic() + 60
        while not (history.exists() and len(history.read_text().splitlines()) > least):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
    seen = len(history.read_text().splitlines()) - 1
    done = len(json.loads((tmp_path / "killed" / "run.json").read_text())["records"]) - 1
    assert seen - 1 <= done <= seen
    rest = learned(setup, tmp_path / "killed", epochs=12, threads=2)
    assert rest.resumed_after == done
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


@pytest.mark.parametrize("keep_rates", [False, True])
def test_weights_of_shards_of_a_run_that_was_killed_at_its_end_are_removed(
    keep_rates: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = write_lists(tmp_path)
    given: dict[str, Any] = {"keep_rates": keep_rates, "adaptive": 0.1}
    learned(setup, tmp_path / "whole", **given)
    forget = OnlineFolder._forget

    def killed(self: OnlineFolder, **options: Any) -> None:
        if len(self.state.records) == 4:  # all epochs are committed
            raise KeyboardInterrupt
        forget(self, **options)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(OnlineFolder, "_forget", killed)
        learned(setup, tmp_path / "killed", **given)
    files = {path.name for path in (tmp_path / "killed" / "iterations").iterdir()}
    assert files >= {"2.weights", "3.shard-1"}
    learned(setup, tmp_path / "killed", **given)
    whole = {path.name for path in (tmp_path / "whole" / "iterations").iterdir()}
    assert {path.name for path in (tmp_path / "killed" / "iterations").iterdir()} == whole < files
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


class Recording(LocalExecutor):
    """Remembers the tasks of all calls."""

    def __init__(self) -> None:
        super().__init__(1)
        self.calls: list[list[Any]] = []

    def map_shards(self, function: Any, shards: Any, *, progress: Any = None) -> list[Any]:
        self.calls.append(list(shards))
        return super().map_shards(function, shards, progress=progress)


def test_a_document_begins_with_nine_average_sentences_and_goes_on(tmp_path: Path) -> None:
    setup, executor = write_lists(tmp_path), Recording()
    run = learned(setup, tmp_path / "run", shards=2, document="chiang", epochs=2, executor=executor)
    pool = setup.open().pool
    stats = pool.stats(get_metric("bleu"))[pool.offsets[:-1]]  # all scores are 0: the first candidates
    with np.load(tmp_path / "run" / "shards.npz") as shards:
        own = shards["sentences"][: shards["offsets"][1]]
    first, second = ([task for task in call if isinstance(task, LearnTask)] for call in executor.calls[1::2])
    words, *document = first[0].document
    assert words == pytest.approx(9.0)  # lists without sources have one word
    assert document == pytest.approx((9.0 * stats[own].mean(axis=0)).tolist())
    assert second[0].document != first[0].document
    assert second[0].document[0] == pytest.approx(9.0)
    assert run.shards == 2
    for task in (*first, *second):
        assert len(pickle.dumps(task)) < 3000  # paths and options, never contents
