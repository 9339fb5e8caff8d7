"""The first things that a user tries: help in panels, completion, the version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.test_startup import modules
from tests.commands import COMMANDS, run
from typer.main import get_command

import tunesmith
from tunesmith.cli.subcommands import PANELS


def test_every_command_is_in_a_panel_and_panels_are_in_order() -> None:
    shown = run("--help").stdout
    assert re.findall(r"╭─ (.+?) ─", shown) == ["Options", *PANELS.values()]
    for name, command in get_command(COMMANDS).commands.items():  # type: ignore[attr-defined]
        assert command.rich_help_panel in PANELS.values(), name
        assert re.search(rf"^│ {name} ", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tunesmith ", {"align", "mbr", "tune"}),
        ("tunesmith tr", {"train"}),
        ("tunesmith lm ", {"compile", "score", "train"}),
        ("tunesmith mbr --me", {"--metric"}),
        ("tunesmith tune model --le", {"--least-improvement"}),
    ],
)
def test_commands_and_flags_are_completed(
    line: str, found: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = line.split(" ")
    monkeypatch.setenv("_TUNESMITH_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert set(run().stdout.split()) >= found


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "absent"),
    [
        ("tunesmith tr", {"numpy", "tunesmith.cli.train", "tunesmith._native"}),
        ("tunesmith train --so", {"scipy", "sacrebleu", "pydantic", "tunesmith.decode"}),
        ("tunesmith tune model --me", {"scipy", "sacrebleu", "pydantic"}),
    ],
)
def test_completion_imports_little(line: str, absent: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = line.split(" ")
    for name, value in (
        ("_TUNESMITH_COMPLETE", "complete_bash"),
        ("COMP_WORDS", line),
        ("COMP_CWORD", str(len(words) - 1)),
    ):
        monkeypatch.setenv(name, value)
    assert modules() & absent == set()


def test_completion_can_be_shown_and_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: "bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "_TUNESMITH_COMPLETE=complete_bash" in run("--show-completion").stdout
    done = run("--install-completion")
    assert done.returncode == 0, done.stderr
    assert "_TUNESMITH_COMPLETE" in (tmp_path / ".bash_completions" / "tunesmith.sh").read_text()


def test_the_version_is_one_for_command_and_package() -> None:
    assert run("--version").stdout == f"{tunesmith.__version__}\n"
    assert re.match(r"\d+\.\d+", tunesmith.__version__)
