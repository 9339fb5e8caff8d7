"""`tunesmith tune model` and `tunesmith tune forests`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from tests.commands import Done, run
from tests.systems.external.toy_problem import START, write_toy
from tests.tuning.toy_systems import ToyForestMert

from tunesmith.cli.round_display import print_rounds
from tunesmith.cli.tune_options import resumable
from tunesmith.forest.pool import ForestPool
from tunesmith.generated import generate
from tunesmith.tuning import METHODS, LoopResult
from tunesmith.tuning.method import methods_for
from tunesmith.weights import Weights

TUNING = ("--source", "dev.de", "--references", "dev.en", "--seed", 1, "--threads", 2)


@pytest.fixture
def toy_method(monkeypatch: pytest.MonkeyPatch) -> str:
    """A method over forests, registered for a test."""

    @dataclass(frozen=True)
    class Toy(ToyForestMert):
        """MERT over the candidates of forests."""

        iterations: int = 3

    monkeypatch.setitem(METHODS._entries, "toy-forest-mert", Toy)
    return "toy-forest-mert"


def tune(folder: Path, *extra: object, model: str = "model", output: str = "tuned") -> Done:
    return run("tune", "model", model, *TUNING, *extra, "-o", output, folder=folder)


def add_unseen(folder: Path, sentences: int) -> None:
    """Add sentences that the model was not trained on, whose translations leave room for better ones."""
    for pair in generate(sentences, seed=2, lowercase=True):
        for name, line in (("de", pair.source), ("en", pair.target)):
            with (folder / f"dev.{name}").open("a") as stream:
                stream.write(f"{line}\n")


@pytest.mark.slow
@pytest.mark.parametrize(("model", "method"), [("model", "mert"), ("hiero", "mira")])
def test_a_model_is_tuned_and_decodes_with_its_weights_to_the_score_that_was_told(
    model: str, method: str, loop_folder: Path
) -> None:
    add_unseen(loop_folder, 15)
    limits = ("--iterations", 2, "--nbest", 20, "--pop-limit", 50, "--tolerance", 0)
    done = tune(loop_folder, "--method", method, *limits, model=model)
    assert done.returncode == 0, done.stderr
    assert "of decoded text" in done.stdout
    assert "stopped: " in done.stdout
    seen = [line for line in done.stderr.splitlines() if "in the model's training text" in line]
    assert len(seen) == len(set(seen)) > 0
    assert "varies" not in done.stderr  # mira standardizes dense features
    lines = [line for line in done.stderr.splitlines() if line not in seen]
    assert lines[0].startswith(f"{method} on 40 sentences, in the folder tuned; loss: minus the metric")
    assert re.match(r"iteration 1: bleu [0-9.]+ \(length ratio [^)]*\) at the start, loss ", lines[1])
    assert re.match(r"iteration 2: bleu [0-9.]+ \(length ratio [^)]*\) after iteration 1, loss ", lines[2])
    score, row = re.findall(r"bleu ([0-9.]+)", lines[-1])[0], f"after iteration {len(lines) - 2}"
    assert row in lines[-1]
    assert re.search(rf"chosen, {row} │ +{score} │", done.stdout)
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
        loop_folder, "--method", "mira", "--epochs", 3, "--iterations", 2, "--template", "phrase-length"
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
    settings = json.loads((loop_folder / "tuned" / "run.json").read_text())["settings"]
    options = {key: value for key, value in settings.items() if key.startswith("method_")}
    assert options == {"method_restarts": 0, "method_size": 50, "method_iterations": 7}
    listed = run("tune", "methods")
    assert "toy-forest-mert │ forests" in listed.stdout
    assert "mert            │ lists" in listed.stdout


@pytest.mark.slow
@pytest.mark.parametrize("method", methods_for(ForestPool))
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
        (["--method", "mert", "--k", 5], 2, "no such option: --k of mert; it is one of pl"),
        (["--method", "cobleu", "--method-memry", 5], 2, "did you mean '--method-memory'?"),
        (["--select", "best"], 2, "--select must be"),
        (["--cell-size", 5], 2, "--cell-size is for hierarchical or ITG models"),
        (["--start", "none.json"], 1, "no such file"),
        (["--decoder-command", "cat"], 2, "one of the two"),
        (["--select-source", "dev.de"], 2, "needs both --select-source and --select-references"),
        (["--references", "short.en"], 1, "short.en has 1"),
        (
            ["--select-source", "dev.de", "--select-references", "short.en"],
            1,
            "dev.de has 25 sentences, but short.en",
        ),
        (["--start-zero", "--start", "model/weights.start.json"], 2, "exclude each other"),
        (["--method", "cobleu", "--metric", "chrf"], 2, "is not a function of n-gram counts"),
        (["--method", "cobleu", "--gamma", -1], 2, "gamma must be a positive number"),
        (["--method", "cobleu", "--context", 1], 2, "cobleu needs --context to be at least 3"),
        (
            ["--method", "cobleu", "--optimizer-iterations", 0],
            2,
            "cobleu: --optimizer-iterations must be at least 1, not 0",
        ),
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


def test_a_wrong_option_of_the_loop_hints_at_that_of_the_method(toy_method: str, loop_folder: Path) -> None:
    done = tune(loop_folder, "--method", toy_method, "--iterations", -1)
    hint = f"the option of {toy_method} is --method-iterations"
    assert (done.returncode, hint in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("protocol", ["nbest", "mira"])
def test_an_external_decoder_is_tuned(protocol: str, tmp_path: Path) -> None:
    toy = write_toy(tmp_path)
    (tmp_path / "references").write_text("".join(f"{line}\n" for line in toy.references))
    START.write(tmp_path / "start.json")
    flags = "--weights {weights} --size {size}" if protocol == "nbest" else "--mira --size 5"
    command = ("--decoder-command", f"{toy.program} {flags}", "--decoder-protocol", protocol)
    given = ("--source", "source", "--references", "references", "--start", "start.json", "--nbest", 5)
    rest = ("--method", "mira", "--epochs", 60, "--iterations", 3, "-o", "tuned", "--json")
    run_once = ("tune", "model", *command, *given, *rest)
    done = run(*run_once, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("log of the decoder: tuned/.decoder/log" in done.stderr) == (protocol == "nbest")
    told = json.loads(done.stdout)
    assert told["score"] > told["baseline"]
    assert json.loads(run(*run_once, folder=tmp_path).stdout)["scores"] == told["scores"]
    (tmp_path / "references").write_text("one\n")
    refused = run(*run_once, folder=tmp_path)
    assert "source has 15 sentences, but references 1 lines" in refused.stderr


def test_an_external_decoder_needs_start_weights_and_no_options_of_models(loop_folder: Path) -> None:
    (loop_folder / "w").write_text("f 1\n")

    def external(*extra: object) -> str:
        done = run(
            "tune", "model", *TUNING, "--decoder-command", "cat", *extra, "-o", "t", folder=loop_folder
        )
        assert done.returncode == 2
        return done.stderr

    assert "needs --start" in external()
    assert "--pop-limit is for models" in external("--start", "w", "--pop-limit", 5)
    assert "--decoder-protocol must be nbest or mira" in external("--start", "w", "--decoder-protocol", "x")


def test_a_folder_that_cannot_be_written_is_told(loop_folder: Path) -> None:
    done = tune(loop_folder, output="/dev/null/tuned")
    assert done.returncode == 1
    assert "cannot make the folder" in done.stderr


def test_a_command_that_was_refused_does_not_keep_the_folder(loop_folder: Path) -> None:
    assert tune(loop_folder, "--freeze", "Nix", "--iterations", 1).returncode == 2
    wrong = ("--decoder-command", "no-such-decoder {weights}", "--start", "model/weights.start.json")
    failed = run("tune", "model", *TUNING, *wrong, "-o", "tuned", folder=loop_folder)
    assert failed.returncode == 1
    done = tune(loop_folder, "--iterations", 1, "--nbest", 10, "--epochs", 2)
    assert done.returncode == 0, done.stderr
    other = tune(loop_folder, "--iterations", 1, "--nbest", 10, "--epochs", 2, "--pop-limit", 50)
    assert "contains a run with --pop-limit 200, not 50; use the same" in other.stderr
    model = tune(loop_folder, "--iterations", 1, "--nbest", 10, "--epochs", 2, model="hiero")
    assert "another model" in model.stderr


@pytest.mark.parametrize("learns_last", [True, False])
def test_the_weights_of_one_iteration_have_one_row(
    learns_last: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A last round that finds nothing better leaves the weights of the round before."""
    record = {"score": 0.2, "interval": [0.1, 0.3]}
    loss = [{"start_loss": 1.0, "loss": 0.5}, {"start_loss": 1.0, "loss": 1.0}]
    history = [record | loss[0], record | loss[1]] if not learns_last else [record | loss[0], record]
    result = LoopResult(
        method="mert",
        metric="bleu",
        label="bleu",
        weights=Weights({"f": 1.0}),
        chosen=1 if learns_last else 2,
        history=history,
        stopped="",
        folder=tmp_path,
    )
    print_rounds(result, 100.0)
    told = capsys.readouterr().out
    assert told.count("20.00") == 2
    assert "chosen, after iteration 1" in told
    assert "last" not in told


@pytest.mark.parametrize(
    ("scores", "learned", "why"),
    [
        ({"dev_score": 0.2}, 0.5, "no iteration scores better on the select set than the start weights"),
        ({}, 0.5, "no iteration scores better on the tuning set than the start weights"),
        ({"dev_score": 0.2}, 1.0, "mert found nothing better than the start weights"),
    ],
)
def test_start_weights_as_the_result_are_said_last(
    scores: dict[str, float], learned: float, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"score": 0.2, "interval": [0.1, 0.3], **scores}
    result = LoopResult(
        method="mert",
        metric="bleu",
        label="bleu",
        weights=Weights({"f": 1.0}),
        chosen=0,
        history=[record | {"start_loss": 1.0, "loss": learned}, record],
        stopped="",
        folder=tmp_path,
    )
    assert str(result.to_dict()["why_start"]).startswith(why)
    print_rounds(result, 100.0)
    told = capsys.readouterr().out.replace("\n", " ")
    assert why in told and told.index(why) < told.index("weights: ")
    assert told.endswith("weights.json (the start weights) ")


@pytest.mark.parametrize(
    ("scores", "chosen", "told"),
    [
        (
            [0.1, 0.3, 0.2],
            2,
            "after iteration 1 it was 30.00 on the {set} set; --select metric chooses those",
        ),
        ([0.4, 0.3, 0.2], 2, "with the start weights it was 40.00 on the {set} set; --select metric chooses"),
        ([0.1, 0.2, 0.3], 2, None),
        ([0.1, 0.3, 0.2], 1, None),
    ],
)
@pytest.mark.parametrize(("key", "name"), [("score", "tuning"), ("dev_score", "select")])
def test_an_iteration_that_scores_better_than_the_chosen_one_is_named(
    scores: list[float],
    chosen: int,
    told: str | None,
    key: str,
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    history = [{"score": 0.2, "interval": [0.1, 0.3], "start_loss": 1.0, "loss": 0.5, key: x} for x in scores]
    del history[-1]["loss"]
    result = LoopResult(
        method="mert",
        metric="bleu",
        label="bleu",
        weights=Weights({"f": 1.0}),
        chosen=chosen,
        history=history,
        stopped="",
        folder=tmp_path,
        best=scores.index(max(scores)),
    )
    print_rounds(result, 100.0)
    printed = capsys.readouterr().out
    assert (told.format(set=name) in printed) if told else ("--select" not in printed)


@pytest.mark.parametrize("kind", ["model", "forests", "nbest"])
def test_only_what_is_missing_is_asked_for(kind: str) -> None:
    told = run("tune", kind, "-o", "tuned").stderr
    first = {"model": "--source FILE and --references", "forests": "--forests FILE and --references"}
    assert f"expected {first.get(kind, '--candidates')} FILE" in told
    assert "-o" not in told


def test_methods_tell_their_loss_their_choices_and_the_flags_that_the_loop_has_too() -> None:
    told = run("tune", "methods", "cobleu").stdout
    assert "adagrad, adaptive, lbfgs, sgd" in told
    assert "--method-memory" in told
    assert "loss: minus the log of the metric" in told
    assert "powell, och" in run("tune", "methods", "mert").stdout
    assert "--method-" not in run("tune", "methods", "mert").stdout
    shown = run("tune", "model", "--help").stdout.replace("│", " ")
    assert "the last weights" in " ".join(shown.split())


def test_an_interrupt_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """`main` says that the command was interrupted; here, only how to go on."""
    with pytest.raises(typer.Exit), resumable():
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "the same command resumes where this one stopped\n"


def test_forests_are_tuned_on_by_mert_unless_told_otherwise(loop_folder: Path) -> None:
    (loop_folder / "two.de").write_text(
        "".join((loop_folder / "dev.de").read_text().splitlines(keepends=True)[:2])
    )
    (loop_folder / "two.en").write_text(
        "".join((loop_folder / "dev.en").read_text().splitlines(keepends=True)[:2])
    )
    decode = ("decode", "model", "-i", "two.de", "-o", "out", "--forest-output", "f", "--pop-limit", 10)
    assert run(*decode, folder=loop_folder).returncode == 0
    given = ("--forests", "f", "--references", "two.en", "--restarts", 0, "--metric", "chrf", "--json")
    done = run("tune", "forests", *given, "-o", "w.json", folder=loop_folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["method"] == "forest-mert"
