"""Building a model step by step: what is done stays done, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tunesmith.errors import InputError
from tunesmith.model.manifest import Manifest
from tunesmith.model.steps import BuildStep, Workshop, run_steps


def copying(name: str, source: str, output: str, ran: list[str], **options: object) -> BuildStep:
    """A step that writes its input in capitals, and notes that it ran."""

    def run(shop: Workshop) -> None:
        ran.append(name)
        text = Path(source).read_text() if os.sep in source else shop[source].read_text()
        shop[output].write_text(text.upper() + json.dumps(options))

    outside = {"text": Path(source)} if os.sep in source else {}
    needs = () if outside else (source,)
    return BuildStep(name, (output,), run, inputs=outside, needs=needs, options=options)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text"
    path.write_text("a b")
    return path


def chain(text: Path, ran: list[str], **options: object) -> list[BuildStep]:
    return [copying("one", str(text), "1", ran), copying("two", "1", "2", ran, **options)]


def test_finished_steps_are_not_run_again(tmp_path, text):
    ran: list[str] = []
    first = run_steps(tmp_path / "model", "toy", chain(text, ran))
    second = run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two"]
    assert [report.skipped for report in first + second] == [False, False, True, True]


def test_a_changed_option_runs_its_step_alone(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    run_steps(tmp_path / "model", "toy", chain(text, ran, k=2))
    assert ran == ["one", "two", "two"]


def test_a_changed_input_runs_all_that_depend_on_it(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    text.write_text("c d")
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two", "one", "two"]


def test_a_step_whose_result_is_the_same_does_not_run_the_next(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    text.write_text("A b")  # its capitals are the same
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two", "one"]


def test_a_missing_or_cut_file_is_made_again(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    (tmp_path / "model" / "1").write_text("A")
    (tmp_path / "model" / "2").unlink()
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two", "one", "two"]
    Manifest.read(tmp_path / "model").check(tmp_path / "model", verify=True)


def test_a_failed_step_keeps_those_before_it(tmp_path, text):
    ran: list[str] = []

    def fail(shop: Workshop) -> None:
        (shop.scratch / "half").write_text("x")
        raise InputError("no good")

    steps = [chain(text, ran)[0], BuildStep("two", ("2",), fail, needs=("1",))]
    with pytest.raises(InputError, match="no good"):
        run_steps(tmp_path / "model", "toy", steps)
    assert not (tmp_path / "model" / ".scratch").exists()
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two"]


@pytest.mark.process
def test_a_killed_run_goes_on_where_it_was(tmp_path, text):
    script = textwrap.dedent(
        f"""
        import os, signal
        from pathlib import Path
        from tunesmith.model.steps import BuildStep, run_steps
        def one(shop): shop["1"].write_text("x")
        def two(shop):
            (shop.scratch / "half").write_text("y")
            os.kill(os.getpid(), signal.SIGKILL)
        steps = [BuildStep("one", ("1",), one), BuildStep("two", ("2",), two, needs=("1",))]
        run_steps({str(tmp_path / "model")!r}, "toy", steps)
        """
    )
    killed = subprocess.run([sys.executable, "-c", script], check=False)
    assert killed.returncode == -signal.SIGKILL
    ran: list[str] = []
    steps = [
        BuildStep("one", ("1",), lambda shop: ran.append("one")),
        BuildStep(
            "two", ("2",), lambda shop: [ran.append("two"), shop["2"].write_text("z")][:0], needs=("1",)
        ),
    ]
    run_steps(tmp_path / "model", "toy", steps)
    assert ran == ["two"]
    assert not (tmp_path / "model" / ".scratch").exists()


def test_the_same_input_gives_the_same_manifest(tmp_path, text):
    for name in ("a", "b"):
        run_steps(tmp_path / name, "toy", chain(text, []))
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


def test_a_folder_of_something_else_is_left_alone(tmp_path, text):
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.txt").write_text("x")
    with pytest.raises(InputError, match=r"thesis\.txt"):
        run_steps(folder, "toy", chain(text, []))


def test_a_model_of_another_kind_is_not_built_over(tmp_path, text):
    run_steps(tmp_path / "model", "toy", chain(text, []))
    with pytest.raises(InputError, match="kind 'toy' from training, not of kind 'other'"):
        run_steps(tmp_path / "model", "other", chain(text, []))


def test_two_runs_cannot_build_one_model_at_once(tmp_path, text):
    def nested(shop: Workshop) -> None:
        run_steps(tmp_path / "model", "toy", chain(text, []))

    with pytest.raises(InputError, match="another run"):
        run_steps(tmp_path / "model", "toy", [BuildStep("one", ("1",), nested)])


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": "x", "version": 1}', '{"format": 1'])
def test_a_file_that_is_no_manifest_is_an_error(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(InputError):
        Manifest.read(tmp_path)


def test_verifying_finds_a_changed_byte(tmp_path, text):
    run_steps(tmp_path / "model", "toy", chain(text, []))
    manifest = Manifest.read(tmp_path / "model")
    manifest.check(tmp_path / "model", verify=True)
    data = (tmp_path / "model" / "2").read_bytes()
    (tmp_path / "model" / "2").write_bytes(b"X" + data[1:])
    with pytest.raises(InputError, match="differs from the manifest"):
        manifest.check(tmp_path / "model", verify=True)


def test_a_step_that_is_killed_while_it_is_made_anew_is_not_taken_for_the_old_one(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))

    def half(shop: Workshop) -> None:
        size = shop["2"].stat().st_size
        shop["2"].write_bytes(b"x" * size)
        raise KeyboardInterrupt

    changed = [chain(text, ran)[0], BuildStep("two", ("2",), half, needs=("1",), options={"k": 3})]
    with pytest.raises(KeyboardInterrupt):
        run_steps(tmp_path / "model", "toy", changed)
    with pytest.raises(InputError, match="not finished; run the same `tunesmith train` again"):
        Manifest.read(tmp_path / "model").check(tmp_path / "model")
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert ran == ["one", "two", "two"]
    Manifest.read(tmp_path / "model").check(tmp_path / "model", verify=True)


def test_a_changed_byte_is_mended_by_running_again(tmp_path, text):
    ran: list[str] = []
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    data = (tmp_path / "model" / "2").read_bytes()
    (tmp_path / "model" / "2").write_bytes(b"X" + data[1:])
    run_steps(tmp_path / "model", "toy", chain(text, ran))
    assert (tmp_path / "model" / "2").read_bytes() == data


def test_files_of_options_that_are_no_longer_asked_for_go_away(tmp_path, text):
    run_steps(tmp_path / "model", "toy", chain(text, []))
    run_steps(tmp_path / "model", "toy", chain(text, [])[:1])
    assert not (tmp_path / "model" / "2").exists()


def test_an_import_and_a_training_do_not_share_a_folder(tmp_path, text):
    run_steps(tmp_path / "model", "toy", chain(text, []), origin="import")
    with pytest.raises(InputError, match="from import, not of kind 'toy' from training"):
        run_steps(tmp_path / "model", "toy", chain(text, []))


def test_a_file_cannot_be_a_models_folder(tmp_path, text):
    with pytest.raises(InputError, match="cannot create the model's folder"):
        run_steps(text, "toy", chain(text, []))


def test_a_hidden_folder_of_a_user_is_not_taken_for_a_scratch_folder(tmp_path: Path) -> None:
    (tmp_path / ".scratch").mkdir()
    (tmp_path / ".scratch" / "mine").write_text("precious")
    with pytest.raises(InputError, match="is not empty and not a model"):
        run_steps(tmp_path, "phrase", [])
    assert (tmp_path / ".scratch" / "mine").read_text() == "precious"
