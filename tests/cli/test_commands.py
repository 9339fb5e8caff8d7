"""The command line: its contract, exit codes, and what it says when something is wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.candidate_files import folder, tune
from tests.commands import run as tunesmith
from tests.random_pools import random_pool

from tunesmith.decode.input import INPUT_FORMATS
from tunesmith.features import TEMPLATES
from tunesmith.forest.readers import READERS
from tunesmith.forest.writers import WRITERS

__all__ = ["folder"]

PROGRAM = [sys.executable, "-m", "tunesmith"]


def test_tune_rerank_eval_compare_is_the_contract(folder: Path) -> None:
    done = tune(folder, "--method", "mert", "--metric", "bleu", "--restarts", 3)
    assert done.returncode == 0, done.stderr
    assert "95% interval" in done.stdout
    assert "iteration 1:" in done.stderr
    weights = json.loads((folder / "weights.json").read_text())
    assert weights["method"] == "mert"
    assert set(weights["weights"]) == set(random_pool(1).feature_names)

    done = tunesmith(
        "rerank",
        "--candidates",
        "test.nbest.gz",
        "--weights",
        "weights.json",
        "-o",
        "test.out",
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    assert len((folder / "test.out").read_text().splitlines()) == 40

    done = tunesmith(
        "eval", "test.out", "--references", "test.en", "--metrics", "bleu,chrf,ter", "--json", folder=folder
    )
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)
    assert [record["metric"] for record in scores] == ["bleu", "chrf", "ter"]
    assert all(0 < record["score"] < 1 for record in scores)

    done = tunesmith(
        "compare", "--references", "test.en", "test.baseline.out", "test.out", "--json", folder=folder
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [row["system"] for row in rows[:2]] == ["test.baseline.out", "test.out"]
    assert 0 <= rows[1]["p_randomization"] <= 1


def test_the_same_command_gives_the_same_weights(folder: Path) -> None:
    tune(folder, "--method", "mira", "--threads", 1)
    first = (folder / "weights.json").read_bytes()
    tune(folder, "--method", "mira", "--threads", 2)
    assert (folder / "weights.json").read_bytes() == first


def test_json_output_is_only_json(folder: Path) -> None:
    done = tune(folder, "--method", "pl", "--k", 3, "--json", "--quiet")
    record = json.loads(done.stdout)
    assert record["notes"]["k"] == 3
    assert "richness" in record["notes"]
    assert done.stderr == ""


def test_several_references_and_a_mixed_metric(folder: Path) -> None:
    done = tune(
        folder, "--references", "dev.baseline.out", "--metric", "0.5*bleu + 0.5*(1-ter)", "--method", "mira"
    )
    assert done.returncode == 0, done.stderr


def test_bounds_frozen_features_and_start_weights(folder: Path) -> None:
    (folder / "start.txt").write_text("f0 0.5\nf1 0.25\n")
    limits = ("--freeze", "f1", "--bound", "f0=0:0.6", "--bound=s*=:0.1")
    done = tune(folder, "--method", "mert", "--start", "start.txt", *limits)
    assert done.returncode == 0, done.stderr
    weights = json.loads((folder / "weights.json").read_text())["weights"]
    assert weights["f1"] == 0.25
    assert 0 <= weights["f0"] <= 0.6
    assert max(weights[f"s{i}"] for i in range(4)) <= 0.1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--method", "mertt"], 2, "did you mean 'mert'"),
        (["--metric", "blue"], 2, "did you mean 'bleu'"),
        (["--epoch", "5"], 2, "did you mean '--epochs'"),
        (["--epochs", "many"], 2, "--epochs: expected a whole number, found 'many'"),
        (["--epochs", "2.5"], 2, "--epochs: expected a whole number, found '2.5'"),
        (["--epochs", "2", "--epochs=3"], 2, "--epochs is given twice"),
        (["--method", "risk", "--gamma", "x"], 2, "--gamma: expected a finite number or none, found 'x'"),
        (["--method", "pl", "--sample", "2.5"], 2, "--sample: expected a whole number or none, found '2.5'"),
        (["--method", "pl", "--resample", "allways"], 2, "did you mean 'always'"),
        (["--seed", "-1"], 2, "seed must be a whole number from 0 to 2^63 - 1, not -1"),
        (["--method", "pro", "--seed", str(2**70)], 2, "is not a whole"),
        (["--bound", "f0"], 2, "NAME=LOW:HIGH"),
        (["--candidates", "missing.gz"], 1, "missing.gz: no such file"),
        (["--candidates", "."], 1, "is a directory"),
        (["--references", "short.en"], 1, "short.en"),
        (["--method", "search", "--trials", "0"], 2, "trials"),
        (["extra"], 2, "unexpected argument"),
        (["-o", "."], 1, "is a directory"),
        (["-o", "missing/weights.json"], 1, "folder does not exist"),
    ],
)
def test_what_is_wrong_is_said_and_told_by_the_exit_code(folder: Path, arguments, code, message) -> None:
    (folder / "short.en").write_text("one line\n")
    done = tune(folder, *arguments)
    assert done.returncode == code, done.stderr
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (folder / "weights.json").exists()


def test_a_truncated_list_is_an_error_and_leaves_old_weights_alone(folder: Path) -> None:
    (folder / "weights.json").write_text("{}")
    data = (folder / "dev.nbest.gz").read_bytes()
    (folder / "dev.nbest.gz").write_bytes(data[: len(data) // 2])
    done = tune(folder)
    assert done.returncode == 1
    assert "truncated" in done.stderr
    assert (folder / "weights.json").read_text() == "{}"


def test_weights_of_another_model_are_refused(folder: Path) -> None:
    (folder / "other.txt").write_text("lm 1.0\n")
    done = tunesmith("rerank", "--candidates", "test.nbest.gz", "--weights", "other.txt", folder=folder)
    assert done.returncode == 1
    assert "no weight for feature 'f0'" in done.stderr


def test_tune_prints_and_writes_scores_of_folds_and_held_out_lists(folder: Path) -> None:
    held_out = ["--held-out", "test.nbest.gz", "--held-out-references", "test.en"]
    quick = ["--method", "mira", "--epochs", 3, "--folds", 2]
    done = tune(folder, *quick, *held_out)
    assert done.returncode == 0, done.stderr
    assert "mira fold 2, iteration 1: loss" in done.stderr
    record = json.loads((folder / "weights.json").read_text())
    for key, before, after in [
        ("cross_validation", "2 folds: first candidates", "2 folds: tuned on the other folds"),
        ("held_out", "40 held-out lists: first candidates", "40 held-out lists: tuned "),
    ]:
        found = record[key]
        for row, score, (low, high) in [
            (before, found["baseline"], found["baseline_interval"]),
            (after, found["score"], found["interval"]),
        ]:
            (line,) = (line for line in done.stdout.splitlines() if row in line)
            assert f"{100 * score:.2f}" in line
            assert f"{100 * low:.2f} to {100 * high:.2f}" in line
    done = tune(folder, *quick, *held_out, "--json", "--quiet")
    shown = json.loads(done.stdout)["held_out"]
    made = [shown.pop(name) for name in ("baseline_components", "components")]
    assert shown == record["held_out"]
    assert all(each["length_ratio"] > 0 for each in made)


def test_eval_refuses_counts_that_differ(folder: Path) -> None:
    (folder / "short.en").write_text("one line\n")
    done = tunesmith("eval", "test.baseline.out", "--references", "short.en", folder=folder)
    assert done.returncode == 1
    assert "40" in done.stderr and "1" in done.stderr


def test_comparing_one_system_with_nothing_is_a_wrong_command_line(folder: Path) -> None:
    done = tunesmith("compare", "--references", "test.en", "test.baseline.out", folder=folder)
    assert done.returncode == 2


def test_every_subcommand_has_help_with_an_example(folder: Path) -> None:
    alone = ["rerank", "eval", "compare", "convert", "decode", "force"]
    forest = [["forest", name] for name in ("convert", "draw", "info", "nbest")]
    for command in (["tune", "nbest"], *([name] for name in alone), *forest):
        done = tunesmith(*command, "--help", folder=folder)
        assert done.returncode == 0
        assert f"tunesmith {' '.join(command)}" in done.stdout


def test_help_tells_all_names_that_an_option_may_have(folder: Path) -> None:
    names = {
        ("decode",): [*TEMPLATES, *INPUT_FORMATS],
        ("forest", "convert"): [*READERS, *WRITERS],
    }
    for command, expected in names.items():
        words = tunesmith(*command, "--help", folder=folder).stdout.replace("│", " ").split()
        assert set(expected) <= {word.strip(",;.") for word in words}


@pytest.mark.process
def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    command = " ".join(f"'{word}'" for word in PROGRAM)
    script = f"{command} corpus generated -n 20000 | head -n 1"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_replicas_are_all_written(folder: Path) -> None:
    done = tune(folder, "--method", "search", "--trials", 20, "--replicas", 3)
    assert done.returncode == 0, done.stderr
    assert "3 replicas: mean" in done.stdout
    assert sorted(path.name for path in folder.glob("weights*.json")) == [
        "weights.1.json",
        "weights.2.json",
        "weights.3.json",
        "weights.json",
    ]


@pytest.mark.process
def test_an_interrupted_run_says_how_to_go_on_and_resumes(folder: Path) -> None:
    words = [*PROGRAM, "tune", "nbest", "--candidates", "dev.nbest.gz", "--references", "dev.en"]
    words += ["--method", "search", "--trials", "100000", "-o", "weights.json"]
    with subprocess.Popen(
        words,
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        # A shell lets what it starts in the background ignore the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "iteration 3" in line:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "the same command resumes" in rest
    assert list(folder.glob("*.checkpoint.npz"))


@pytest.mark.parametrize(
    ("arguments", "value"),
    [(["--length-fix"], True), (["--no-length-fix"], False), (["--length-fix", "true"], True)],
)
def test_a_switch_of_a_method_is_a_flag(folder: Path, arguments, value: bool) -> None:
    done = tune(folder, "--method", "pro", *arguments, "--json", "-q")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["notes"]["length_fix"] is value


def test_an_option_of_another_method_is_told_whose_it_is(folder: Path) -> None:
    done = tune(folder, "--method", "mert", "--k", 3)
    assert done.returncode == 2
    assert "it is one of pl" in done.stderr


def test_a_misspelt_required_option_is_told(folder: Path) -> None:
    done = tunesmith("tune", "nbest", "--candidate", "dev.nbest.gz", "-o", "w.json", folder=folder)
    assert done.returncode == 2
    assert "did you mean '--candidates'" in done.stderr
    assert "--candidates FILE" in tunesmith("tune", "nbest", folder=folder).stderr


def test_the_weights_of_replicas_replace_no_input_and_no_other_file(folder: Path) -> None:
    references = (folder / "dev.en").read_text()
    (folder / "v.2.json").write_text(references)
    words = ("--candidates", "dev.nbest.gz", "--references", "v.2.json", "--method", "search", "--trials", 5)
    done = tunesmith("tune", "nbest", *words, "-o", "v.json", "--replicas", 2, folder=folder)
    assert (done.returncode, done.stderr.split(";")[0]) == (2, "error: v.2.json is an input too")
    few = ("--method", "search", "--trials", 5, "--replicas", 2)
    done = tune(folder, *few, "-o", "v.json")
    assert done.returncode == 1 and "v.2.json: is there already, and no file of weights" in done.stderr
    assert (folder / "v.2.json").read_text() == references and not (folder / "v.1.json").exists()
    done = tune(folder, *few, "-o", "w.json", "--history", "w.2.json")
    assert done.returncode == 2 and "another output" in done.stderr
    for _ in range(2):
        done = tune(folder, *few, "-o", "w.json")
        assert done.returncode == 0, done.stderr
        assert "weights of the replicas: w.1.json, w.2.json\n" in done.stdout
    done = tune(folder, *few, "-o", "w.json", "--json")
    assert json.loads(done.stdout)["replica_outputs"] == ["w.1.json", "w.2.json"]


@pytest.mark.parametrize("name", ["run.fold1.jsonl", "run.replica2.jsonl", "run.fold2.replica2.jsonl"])
def test_the_histories_of_replicas_and_folds_replace_no_input(folder: Path, name: str) -> None:
    (folder / name).write_text((folder / "dev.en").read_text())
    words = ("--candidates", "dev.nbest.gz", "--references", name, "--replicas", 2, "--folds", 2)
    done = tunesmith("tune", "nbest", *words, "-o", "v.json", "--history", "run.jsonl", folder=folder)
    assert (done.returncode, done.stderr.split(";")[0]) == (2, f"error: {name} is an input too")
