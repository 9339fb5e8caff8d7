"""Help texts name what there is to choose from."""

from __future__ import annotations

import pytest
from tests.commands import COMMANDS
from typer.main import get_command

from tunesmith.consensus import CONSENSUS
from tunesmith.features import TEMPLATES
from tunesmith.metrics import METRICS
from tunesmith.registry import Registry


def help_of(command: str, flag: str) -> str:
    found = get_command(COMMANDS)
    for name in command.split():
        found = found.commands[name]
    (parameter,) = (each for each in found.params if flag in each.opts)
    return parameter.help


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
def test_all_names_of_a_registry_are_told(command: str, flag: str, registry: Registry[object]) -> None:
    assert ", ".join(registry.built_in()) in help_of(command, flag)
