"""One word, one meaning: a flag is the same kind of thing in all commands that have it."""

from __future__ import annotations

import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, get_args

import pytest
from tests.commands import COMMANDS, run
from typer.main import get_command

from tunesmith.cli.flags import expanded
from tunesmith.cli.given_files import role_of
from tunesmith.cli.unknown_options import visible_flags
from tunesmith.file_roles import Writes
from tunesmith.options import option_types
from tunesmith.registry import Registry
from tunesmith.tuning.method import METHODS
from tunesmith.tuning.online.updates.base import UPDATES


class Flag(NamedTuple):
    """A flag of a command: what it takes, its other spellings, and its help."""

    command: str
    name: str
    takes: str
    spellings: tuple[str, ...]
    help: str


def _commands(group: Any, *names: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


ALL = dict(_commands(get_command(COMMANDS)))


def _takes(parameter: Any, annotation: Any) -> str:
    if parameter.is_flag:
        return "nothing"
    kind = parameter.type_descriptor.annotation
    kind = kind.__args__[0] if hasattr(kind, "__args__") else kind
    roles = role_of(annotation)
    if issubclass(kind, Path) or isinstance(roles, Writes) or (roles and parameter.metavar == "<path>"):
        return "a path"
    return "a number" if issubclass(kind, int | float) else "a text"


def _flags(command: str) -> Iterator[Flag]:
    annotations = inspect.signature(expanded(importlib.import_module(ALL[command].module).run)).parameters
    for parameter in ALL[command].load().params:
        if parameter.param_type_name == "option":
            takes = _takes(parameter, annotations[parameter.name].annotation)
            spellings = (*parameter.opts, *parameter.secondary_opts)
            for name in spellings:
                yield Flag(command, name, takes, spellings, parameter.help or "")


FLAGS: dict[str, list[Flag]] = defaultdict(list)
for _command in ALL:
    for _found in _flags(_command):
        FLAGS[_found.name].append(_found)
SHARED = sorted(name for name, flags in FLAGS.items() if len(flags) > 1)

OWN_HELP = {
    "what the command reads and writes": (
        "-i -o --alignment --documents --features --fold-file --forest-output --format --held-out --input"
        " --model --output --references --select-source --source --start --system --target --text --to"
        " --weights"
    ),
    "how the command reads its text": (
        "--lowercase --prepare --source-language --target-language --template --tokenize"
    ),
    "how much the command makes, repeats, keeps or drops": (
        "--batch --beam --classes --epochs --exclude-fold --folds --max-length --max-phrase-length --memory"
        " --min-count --min-length --nbest --pairs --patience --resamples --restart --shards --size"
        " --tolerance --top --threshold"
    ),
    "choices of the command, or in train what later commands take": (
        "--aligner --average --detokenize --distortion-limit --jackknife --no-jackknife --l2 --method"
        " --metric --mixture-weights --nbest-format --orientations --select --shuffle --no-shuffle"
        " --smoothing --span-limit --standardize --threads --lm-text"
    ),
}
"""Flags that mean the same kind of thing, and have another text where the command says more of it."""
EXCEPTED = {flag for flags in OWN_HELP.values() for flag in flags.split()}


@pytest.mark.parametrize("name", SHARED)
def test_a_flag_takes_the_same_kind_of_value_in_all_commands(name: str) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for flag in FLAGS[name]:
        found[flag.takes].append(flag.command)
    assert len(found) == 1, dict(found)


@pytest.mark.parametrize("name", SHARED)
def test_a_switch_has_the_same_form_in_all_commands(name: str) -> None:
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for flag in FLAGS[name]:
        words = tuple(word for word in flag.spellings if word.startswith("--"))
        found[words].append(flag.command)
    assert len(found) == 1, dict(found)


def _said(text: str) -> str:
    """Return a help text without what belongs to a command: its default, and whether it needs the option."""
    return " ".join(re.sub(r" ?\[default: .*?\]| \(required\)", "", text).rstrip(".").split())


@pytest.mark.parametrize("name", SHARED)
def test_a_flag_has_one_help_text(name: str) -> None:
    texts: dict[str, list[str]] = defaultdict(list)
    for flag in FLAGS[name]:
        texts[_said(flag.help)].append(flag.command)
    assert (len(texts) == 1) is (name not in EXCEPTED), dict(texts)


@pytest.mark.parametrize("registry", [METHODS, UPDATES])
def test_options_of_methods_take_what_flags_of_their_names_take(registry: Registry[Any]) -> None:
    kinds = {bool: "nothing", int: "a number", float: "a number"}
    for entry in registry.values():
        for option, kind in option_types(entry).items():
            taken = kinds.get(get_args(kind)[0] if isinstance(kind, UnionType) else kind, "a text")
            for flag in FLAGS[f"--{option.replace('_', '-')}"]:
                assert flag.takes == taken, (entry.name, option, flag)


def test_an_option_that_no_command_has_is_told_in_one_way() -> None:
    needed = {"stream map": ("model", "--weights", "w")}  # which are asked for before options of the update
    for command in ALL:
        done = run(*command.split(), *needed.get(command, ()), "--no-such-thing", "x")
        assert done.returncode == 2
        assert done.stderr.startswith("error: no such option: --no-such-thing; "), done.stderr


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("decode model --folds f", "no such option: --folds; did you mean '--fold-file'?"),
        ("align --model hmm", "no such option: --model; did you mean '--aligner'?"),
        ("xbleu train lists --threads 2", "no such option: --threads; did you mean '--learners'?"),
        ("tune nbest --passes 3", "no such option: --passes; did you mean '--epochs'?"),
        ("tune online m --iterations 3", "no such option: --iterations; did you mean '--epochs'?"),
        ("tune nbest --method mert --k 3", "no such option: --k of mert; it is one of pl"),
        ("tune nbest --kk 3", "; `tunesmith tune nbest --help` and `tunesmith tune methods mira` list them"),
        ("eval out --metrix bleu", "no such option: --metrix; did you mean '--metrics'?"),
        ("--vresion", "no such option: --vresion; did you mean '--version'?"),
        ("forest nbest f -k 5", "no such option: -k; did you mean '--nbest'?"),
    ],
)
def test_a_suggestion_is_an_option_for_what_was_meant(given: str, told: str) -> None:
    assert told in run(*given.split()).stderr


def test_no_suggestion_is_a_hidden_flag() -> None:
    command = ALL["decode"].load()
    (hidden,) = (each for each in command.params if each.name == "nbest")
    assert "--nbest" in visible_flags(command)
    hidden.hidden = True
    assert "--nbest" not in visible_flags(command)
