"""History as it happens, and runs that were killed."""

import dataclasses
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith import Pool, tune
from tunesmith.build import Build
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.tuning import run
from tunesmith.tuning.checkpoint import Checkpoint, Saved
from tunesmith.tuning.method import methods_for

LONG = {
    "mert": {"restarts": 11},
    "mira": {"epochs": 12},
    "search": {"trials": 400},
    "pl": {"optimizer_iterations": 30, "rounds": 4},
    "risk": {"optimizer_iterations": 20},
    "corpus-risk": {"optimizer_iterations": 20},
    "cll": {"optimizer_iterations": 60},
}


class Killed(BaseException):
    """Stands for a signal: nothing catches it."""


@pytest.mark.slow
@pytest.mark.parametrize("method", methods_for(Pool))
@pytest.mark.parametrize("after", [1, 3, 7])
def test_a_run_that_dies_resumes_and_ends_where_it_would_have_ended(
    tmp_path, method: str, after: int
) -> None:
    pool, options = random_pool(1, lists=30), LONG.get(method, {})
    whole = tune(pool, method, history=tmp_path / "whole.jsonl", **options)

    def die(record) -> None:
        if record["iteration"] == after:
            raise Killed

    path = tmp_path / "killed.jsonl"
    if len(whole.history) >= after:
        with pytest.raises(Killed):
            tune(pool, method, history=path, watch=die, **options)
    resumed = tune(pool, method, history=path, **options)
    assert resumed.weights == whole.weights
    assert resumed.history == whole.history
    assert path.read_text() == (tmp_path / "whole.jsonl").read_text()
    assert list(tmp_path.glob("*checkpoint*")) == []


@pytest.mark.process
def test_a_process_killed_by_a_signal_resumes(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    script = (
        "import os, signal, sys\n"
        "from tests.random_pools import random_pool\n"
        "from tunesmith import tune\n"
        "from tunesmith.tuning import run\n"
        "run.CHECKPOINT_SECONDS = 0\n"
        "kill = lambda r: os.kill(os.getpid(), signal.SIGKILL) if r['iteration'] == 30 else None\n"
        "tune(random_pool(2, lists=30), 'mira', history=sys.argv[1], watch=kill, epochs=40)\n"
    )
    root = Path(__file__).parents[2]
    process = subprocess.run([sys.executable, "-c", script, str(path)], cwd=root, check=False)
    assert process.returncode == -signal.SIGKILL
    assert len(path.read_text().splitlines()) == 30
    assert list(tmp_path.glob("*checkpoint*"))
    pool = random_pool(2, lists=30)
    resumed = tune(pool, "mira", history=path, epochs=40)
    assert resumed.weights == tune(pool, "mira", epochs=40).weights


def test_a_killed_run_repeats_the_steps_since_its_last_checkpoint(tmp_path, monkeypatch) -> None:
    pool, path = random_pool(2, lists=30), tmp_path / "run.jsonl"
    saved: list[bytes] = []
    save = Checkpoint.save

    def save_once(self, state) -> None:
        if not saved:
            save(self, state)
            saved.append(self.path.read_bytes())

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(Checkpoint, "save", save_once)  # as if the process had died before the others
        tune(pool, "mira", history=path, watch=dying_after(9), epochs=12)
    assert len(path.read_text().splitlines()) == 9
    resumed = tune(pool, "mira", history=path, epochs=12)
    assert resumed.resumed_after == 1
    assert resumed.history == tune(pool, "mira", epochs=12).history


def test_checkpoints_are_written_once_in_a_while_and_at_the_end(tmp_path, monkeypatch) -> None:
    saves: list[int] = []
    monkeypatch.setattr(Checkpoint, "save", lambda self, saved: saves.append(saved.records))
    for seconds, expected in ((1e9, [12]), (0, list(range(1, 13)))):
        monkeypatch.setattr(run, "CHECKPOINT_SECONDS", seconds)
        tune(random_pool(2, lists=30), "mira", history=tmp_path / f"{seconds}.jsonl", epochs=12)
        assert saves == expected
        saves.clear()


def test_a_checkpoint_of_another_run_is_not_taken(tmp_path) -> None:
    pool, path = random_pool(3, lists=30), tmp_path / "run.jsonl"

    def die(record) -> None:
        if record["iteration"] == 4:
            raise Killed

    with pytest.raises(Killed):
        tune(pool, "mira", seed=1, history=path, watch=die, epochs=10)
    with pytest.warns(TunesmithWarning, match="not continued: it is of other"):
        other = tune(pool, "mira", seed=2, history=path, epochs=10)
    assert other.weights == tune(pool, "mira", seed=2, epochs=10).weights
    assert len(path.read_text().splitlines()) == len(other.history)


def test_a_checkpoint_of_another_build_is_not_taken(tmp_path, monkeypatch) -> None:
    pool, path = random_pool(3, lists=30), tmp_path / "run.jsonl"
    with pytest.raises(Killed), monkeypatch.context() as patched:
        earlier = dataclasses.replace(Build.running(), package="of an earlier build")
        patched.setattr(Build, "running", lambda: earlier)
        tune(pool, "mira", history=path, watch=dying_after(4), epochs=10)
    with pytest.warns(TunesmithWarning, match="options, or another build of Tunesmith; starting anew"):
        found = tune(pool, "mira", history=path, epochs=10)
    assert found.resumed_after == 0
    assert found.history == tune(pool, "mira", epochs=10).history


def test_a_checkpoint_whose_content_has_changed_is_refused(tmp_path) -> None:
    checkpoint = Checkpoint.of(tmp_path / "run.jsonl", "")
    checkpoint.save(Saved())
    with np.load(checkpoint.path) as found:
        arrays = dict(found)
    np.savez(checkpoint.path, **{**arrays, "records": np.array(7)})
    with pytest.raises(InputError, match=": is damaged, or of another version; remove it to start anew"):
        checkpoint.load(7)


def test_a_damaged_checkpoint_is_an_error_that_says_what_to_do(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    path.with_name("run.jsonl.checkpoint.npz").write_bytes(b"PK not a checkpoint")
    with pytest.raises(InputError, match="remove it to start anew"):
        Checkpoint.of(path, "").load(0)


def test_history_lines_are_json_with_what_a_plot_needs(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    tune(random_pool(4), "mert", history=path, restarts=2)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record["iteration"] for record in records] == [1, 2, 3]
    assert all({"loss", "score", "norm", "stage"} <= set(record) for record in records)


def test_a_history_that_cannot_be_written_is_an_error(tmp_path) -> None:
    with pytest.raises(InputError, match="folder does not exist"):
        tune(random_pool(5), "mert", history=tmp_path / "missing" / "run.jsonl", restarts=1)


def dying_after(number: int):
    def die(record) -> None:
        if record["iteration"] == number:
            raise Killed

    return die


@pytest.mark.filterwarnings("ignore:.*is not continued")
def test_runs_that_die_one_after_the_other_do_not_mix(tmp_path) -> None:
    pool, path = random_pool(6, lists=30), tmp_path / "run.jsonl"
    for seed, after in ((1, 6), (2, 1)):  # the second dies before its first checkpoint
        with pytest.raises(Killed):
            tune(pool, "mira", seed=seed, history=path, watch=dying_after(after), epochs=9)
    last = tune(pool, "mira", seed=1, history=path, epochs=9)
    assert last.history == tune(pool, "mira", seed=1, epochs=9).history


def test_a_finished_replica_is_not_repeated(tmp_path) -> None:
    pool, path = random_pool(7, lists=30), tmp_path / "run.jsonl"
    seen = []

    def die(record) -> None:
        seen.append(record["iteration"])
        if len(seen) == 13:
            raise Killed

    with pytest.raises(Killed):
        tune(pool, "mira", replicas=2, history=path, watch=die, epochs=8)
    again = []
    result = tune(
        pool, "mira", replicas=2, history=path, watch=lambda r: again.append(r["iteration"]), epochs=8
    )
    assert again == [5, 6, 7, 8]
    assert result.resumed_after == 8
    assert [r.weights for r in result.replicas] == [
        r.weights for r in tune(pool, "mira", replicas=2, epochs=8).replicas
    ]


def test_weights_that_cannot_be_written_leave_the_checkpoint(tmp_path) -> None:
    pool, path = random_pool(8, lists=30), tmp_path / "run.jsonl"
    with pytest.raises(InputError, match="folder does not exist"):
        tune(pool, "mira", history=path, output=tmp_path / "missing" / "w.json", epochs=5)
    again = []
    tune(pool, "mira", history=path, output=tmp_path / "w.json", watch=again.append, epochs=5)
    assert again == []
    assert (tmp_path / "w.json").exists()


@pytest.mark.parametrize("content", ["some text of mine\n", '{"not": "ours"}\n', "[1, 2]\n"])
def test_a_file_that_is_no_history_is_not_replaced(tmp_path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(InputError, match="not a history"):
        tune(random_pool(9), "mira", history=path, epochs=2)
    assert path.read_text() == content


def test_a_compressed_history_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="plain file"):
        tune(random_pool(10), "mira", history=tmp_path / "run.jsonl.gz", epochs=2)


def test_two_processes_do_not_tune_into_the_same_files(tmp_path) -> None:
    pool, told = random_pool(11), []
    history, weights = tmp_path / "run.jsonl", tmp_path / "w.json"

    def second(record) -> None:
        for files in ({"history": history}, {"output": weights}):
            with pytest.raises(InputError, match="another process is tuning") as caught:
                tune(pool, "mira", epochs=2, **files)
            told.append(str(caught.value.path))

    tune(pool, "mira", history=history, output=weights, watch=second, epochs=2)
    assert set(told) == {str(history), str(weights)}
    tune(pool, "mira", history=history, output=weights, epochs=2)
    assert {path.name for path in tmp_path.iterdir()} == {"run.jsonl", "w.json"}
