"""`tunesmith tune model` and `tunesmith tune forests`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.commands import Done, run
from tests.tune.conftest import loop_folder
from tests.tune.external.toy_problem import START, write_toy
from tests.tune.toy_translators import ToyForestMert

from tunesmith.tune import FOREST_RECIPES
from tunesmith.weights import Weights

__all__ = ["loop_folder"]

TUNING = ("--source", "dev.de", "--references", "dev.en", "--seed", 1, "--threads", 2)


@pytest.fixture
def toy_method(monkeypatch: pytest.MonkeyPatch) -> str:
    """A method over forests, registered for a test."""

    @dataclass(frozen=True)
    class Toy(ToyForestMert):
        """MERT over the candidates of forests."""

        iterations: int = 3

    monkeypatch.setitem(FOREST_RECIPES._entries, "toy-forest-mert", Toy)
    return "toy-forest-mert"


def tune(folder: Path, *extra: object, model: str = "model", output: str = "tuned") -> Done:
    return run("tune", "model", model, *TUNING, *extra, "-o", output, folder=folder)


@pytest.mark.parametrize(("model", "method"), [("model", "mert"), ("hiero", "mira")])
def test_a_model_is_tuned_and_decodes_with_its_weights_to_the_score_that_was_told(
    model: str, method: str, loop_folder: Path
) -> None:
    limits = ("--iterations", 2, "--nbest", 20, "--pop-limit", 50, "--tolerance", 0)
    done = tune(loop_folder, "--method", method, *limits, model=model)
    assert done.returncode == 0, done.stderr
    assert "of decoded text" in done.stdout
    assert "stopped: " in done.stdout
    assert done.stderr.startswith("iteration 1: bleu ")
    history = [
        json.loads(line) for line in (loop_folder / "tuned" / "history.jsonl").read_text().splitlines()
    ]
    assert history[-1]["score"] > history[0]["score"]
    again = ("--weights", "tuned/weights.json", "--pop-limit", 50, "-i", "dev.de", "-o", "out")
    assert run("decode", model, *again, folder=loop_folder).returncode == 0
    judged = run("eval", "out", "--references", "dev.en", "--json", folder=loop_folder)
    assert json.loads(judged.stdout)[0]["score"] == pytest.approx(history[-1]["score"])


def test_features_of_templates_are_tuned_by_name(loop_folder: Path) -> None:
    done = tune(
        loop_folder, "--method", "mira", "--passes", 3, "--iterations", 2, "--template", "phrase-length"
    )
    assert done.returncode == 0, done.stderr
    weights = Weights.read(loop_folder / "tuned" / "weights.json")
    assert any(name.startswith("PhraseLength_") and value for name, value in weights.items())
    arguments = (
        "--weights",
        "tuned/weights.json",
        "--template",
        "phrase-length",
        "-i",
        "dev.de",
        "-o",
        "out",
    )
    assert run("decode", "model", *arguments, folder=loop_folder).returncode == 0


def test_a_method_over_forests_is_found_with_its_own_options(toy_method: str, loop_folder: Path) -> None:
    flags = (
        "--method",
        toy_method,
        "--iterations",
        1,
        "--method-iterations",
        7,
        "--restarts",
        0,
        "--json",
        "-q",
    )
    done = tune(loop_folder, *flags)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["iterations"] == 1
    options = json.loads((loop_folder / "tuned" / "run.json").read_text())["settings"]["options"]
    assert options == {"restarts": 0, "size": 50, "iterations": 7}
    listed = run("tune", "methods")
    assert "toy-forest-mert │ forests" in listed.stdout
    assert "mert            │ lists" in listed.stdout


@pytest.mark.parametrize("method", sorted(FOREST_RECIPES))
def test_every_method_over_forests_tunes_a_model(method: str, loop_folder: Path) -> None:
    done = tune(loop_folder, "--method", method, "--iterations", 2, "--start-zero", "--json", "-q")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["score"] > told["baseline"]  # which is that of arbitrary translations


def test_a_fixed_file_of_forests_is_tuned_on(toy_method: str, loop_folder: Path) -> None:
    decoded = run(
        "decode", "model", "-i", "dev.de", "-o", "out", "--forest-output", "forests", folder=loop_folder
    )
    assert decoded.returncode == 0
    given = ("--forests", "forests", "--references", "dev.en", "--start", "model/weights.start.json")
    done = run("tune", "forests", *given, "--method", toy_method, "-o", "w.json", folder=loop_folder)
    assert done.returncode == 0, done.stderr
    assert "25 forests, " in done.stdout
    record = json.loads((loop_folder / "w.json").read_text())
    assert record["score"] > record["baseline"]
    wrong = run("tune", "forests", *given, "--method", "mert", "-o", "w2.json", folder=loop_folder)
    assert "method 'mert' learns from candidate lists" in wrong.stderr
    lists = ("--candidates", "forests", "--references", "dev.en")
    wrong = run("tune", "nbest", *lists, "--method", toy_method, "-o", "w3.json", folder=loop_folder)
    assert (wrong.returncode, "learns from forests" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--method", "mertt"], 2, "did you mean 'mert'?"),
        (["--method", "mert", "--k", 5], 2, "no such option: --k for method mert; it is one of pl"),
        (["--method", "pl", "--method-itrations", 5], 2, "did you mean '--method-iterations'?"),
        (["--select", "best"], 2, "--select must be"),
        (["--cell-size", 5], 2, "cell_size is for models of rules"),
        (["--start", "none.json"], 1, "no such file"),
        (["--decoder-command", "cat"], 2, "one of the two"),
        (["--dev-source", "dev.de"], 2, "needs both"),
        (["--references", "short.en"], 1, "short.en has 1"),
        (["--bound", "LM0"], 2, "expected NAME=LOW:HIGH"),
        (["--freeze", "LMM0"], 2, "did you mean 'LM0'?"),
    ],
)
def test_a_wrong_command_line_is_told_before_work_is_lost(
    arguments: list[object], code: int, told: str, loop_folder: Path
) -> None:
    (loop_folder / "short.en").write_text("one\n")
    done = tune(loop_folder, *arguments, "--iterations", 1)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr


@pytest.mark.parametrize("protocol", ["nbest", "mira"])
def test_an_external_decoder_is_tuned(protocol: str, tmp_path: Path) -> None:
    toy = write_toy(tmp_path)
    (tmp_path / "references").write_text("".join(f"{line}\n" for line in toy.references))
    START.write(tmp_path / "start.json")
    flags = "--weights {weights} --size {size}" if protocol == "nbest" else "--mira --size 5"
    command = ("--decoder-command", f"{toy.program} {flags}", "--decoder-protocol", protocol)
    given = ("--source", "source", "--references", "references", "--start", "start.json", "--nbest", 5)
    rest = ("--method", "mira", "--iterations", 3, "-o", "tuned", "--json")
    run_once = ("tune", "model", *command, *given, *rest)
    done = run(*run_once, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["score"] > told["baseline"]
    assert json.loads(run(*run_once, folder=tmp_path).stdout)["scores"] == told["scores"]
    (tmp_path / "references").write_text("one\n")
    refused = run(*run_once, folder=tmp_path)
    assert "translates 15 sentences, but the references have 1 lines" in refused.stderr


def test_an_external_decoder_needs_start_weights_and_no_options_of_models(loop_folder: Path) -> None:
    (loop_folder / "w").write_text("f 1\n")

    def external(*extra: object) -> str:
        done = run(
            "tune", "model", *TUNING, "--decoder-command", "cat", *extra, "-o", "t", folder=loop_folder
        )
        assert done.returncode == 2
        return done.stderr

    assert "needs --start" in external()
    assert "pop_limit is for models" in external("--start", "w", "--pop-limit", 5)
    assert "--decoder-protocol must be nbest or mira" in external("--start", "w", "--decoder-protocol", "x")


def test_a_folder_that_cannot_be_written_is_told(loop_folder: Path) -> None:
    done = tune(loop_folder, output="/dev/null/tuned")
    assert done.returncode == 1
    assert "cannot write" in done.stderr
