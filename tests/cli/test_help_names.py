"""Help texts name what there is to choose from."""

from __future__ import annotations

import pytest
from tests.commands import run

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
