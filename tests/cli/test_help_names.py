"""Help texts name what there is to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.commands import COMMANDS, run
from typer.main import get_command

from tunesmith.consensus import CONSENSUS
from tunesmith.features import TEMPLATES
from tunesmith.metrics import METRICS
from tunesmith.registry import Registry


@pytest.mark.parametrize(
    ("command", "flag", "registry"),
    [
        ("decode", "--consensus-rule", CONSENSUS),
        ("rerank", "--consensus-rule", CONSENSUS),
        ("tune nbest", "--metric", METRICS),
        ("decode", "--template", TEMPLATES),
        ("mira-decoder", "--template", TEMPLATES),
    ],
)
def test_the_help_of_an_option_lists_the_names_of_its_registry(
    command: str, flag: str, registry: Registry[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 400)
    lines = [line for line in run(*command.split(), "--help").stdout.splitlines() if f" {flag} " in line]
    assert ", ".join(registry.built_in()) in lines[-1]


@pytest.mark.parametrize("command", ["tune nbest", "stream map"])
def test_the_help_of_metrics_shows_a_mix_as_it_is_typed(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 400)
    assert "'0.5*bleu + 0.5*(1-ter)'" in run(*command.split(), "--help").stdout


def _commands(group: Any, *names: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *names, name)
        else:
            yield (*names, name)


ALL = list(_commands(get_command(COMMANDS)))


def _parameters(names: tuple[str, ...]) -> list[Any]:
    command: Any = get_command(COMMANDS)
    for name in names:
        command = command.commands[name]
    return [each for each in command.load().params if not getattr(each, "hidden", False)]


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_flags_are_shown_whole_on_narrow_terminals(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    shown = set(re.findall(r"--[a-z0-9-]+(?=[ ,])", run(*names, "--help").stdout))
    for parameter in _parameters(names):
        if parameter.param_type_name == "option":
            flags = {flag for flag in (*parameter.opts, *parameter.secondary_opts) if flag.startswith("--")}
            assert flags <= shown


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_no_word_of_the_help_is_cut_off_on_narrow_terminals(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    assert "…" not in run(*names, "--help").stdout


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_help_texts_keep_their_form(names: tuple[str, ...]) -> None:
    for parameter in _parameters(names):
        plain = re.sub(r"`[^`]*`", "", parameter.help or "")
        assert not re.search(r"<[a-z/]", plain), "Markdown drops tags that are not in backquotes"
        noted = re.findall(r"\[(none|all|no|the|in|from|looked)\b[^]]*\]", plain)
        assert not noted, "defaults are written as [default: ...]"


def test_options_that_take_no_value_name_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 120)
    text = run("tune", "model", "--help").stdout
    assert re.search(r"--restart +Delete the run", text)
    assert re.search(r"--references +<path> +Reference of the tuning set \(required\)", text)
    assert "<bool>" not in text
    assert "list[" not in text


@pytest.mark.parametrize("command", ["xbleu attach", "xbleu rescore"])
def test_the_example_of_reordering_features_tunes_by_the_method_that_experiments_advise(command: str) -> None:
    text = run(*command.split(), "--help").stdout
    assert "--method mira" in " ".join(text.split()) and "mert" not in text
