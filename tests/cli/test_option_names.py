"""Messages name options as the user typed them: `--min-count` on the command line, `min_count` in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import COMMANDS, run
from typer.main import get_command

import tunesmith
from tunesmith.differences import differences
from tunesmith.model import train
from tunesmith.options import option_types
from tunesmith.tuning.method import METHODS
from tunesmith.tuning.online.updates.base import UPDATES

SOURCES = Path(tunesmith.__file__).parent


def _commands(group: Any) -> Iterator[Any]:
    for command in group.commands.values():
        if hasattr(command, "commands"):
            yield from _commands(command)
        else:
            yield command.load()


def _option_names() -> set[str]:
    """Return the names of several words that options have in Python, and flags on the command line."""
    names: set[str] = set()
    for command in _commands(get_command(COMMANDS)):
        flags = [flag for each in command.params for flag in each.opts if flag.startswith("--")]
        names |= {flag.removeprefix("--").replace("-", "_") for flag in flags} | set(command.callback.flags)
    for registry in (METHODS, UPDATES):
        for entry in registry.values():
            names |= set(option_types(entry))
    return {name for name in names if "_" in name}


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a file that are texts, with their lines; docstrings are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in documented:
            continue
        if isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def test_no_message_spells_an_option_of_several_words_in_plain_text() -> None:
    named = re.compile(rf"(?<![\w./-])({'|'.join(sorted(_option_names()))})(?![\w.])")
    assert named.search("no phrase pair was seen (min_count)")
    found = [
        f"{path.relative_to(SOURCES)}:{line}: {text!r}"
        for path in sorted(SOURCES.rglob("*.py"))
        for line, text in _texts(path)
        if named.search(text)
    ]
    assert not found, "name options as data, `{}` and the option's name: " + ", ".join(found)


TUNING = "--source x.de --references x.en -o y"
HELD_OUT = f"{TUNING} --select-source x.de --select-references x.en"


@pytest.fixture
def folder(small_model: Path, small_corpus: Path, tmp_path: Path) -> Path:
    (tmp_path / "model").symlink_to(small_model)
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines(keepends=True)
        (tmp_path / f"x.{side}").write_text("".join(lines[:20]))
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("tune nbest --method pl --sample 5 --resample never", "--sample and --resample never exclude"),
        ("tune forests --method forest-mira --decay 3", "forest-mira: --decay must be between 0 and 1"),
        ("tune forests --method cobleu --memory much", "cobleu: --memory must be an amount"),
        ("demo --lists 0", "demo: --lists must be at least 1, not 0"),
        ("decode model --nbest-output y --nbest 0", "outputs: --nbest must be at least 1, not 0"),
        (f"tune online model {TUNING} --c -1", "passive-aggressive: --c must be a positive number"),
        (
            f"tune model model {HELD_OUT} --try distortion-limit=6,x",
            "error: distortion-limit: expected a whole",
        ),
        (f"tune model model {HELD_OUT} --try distortion-limt=6,12", "did you mean 'distortion-limit'?"),
        (f"tune model model {TUNING} --method forest-mira --metric ter", "not ter: choose --metric bleu, or"),
        (
            "train --source x.de --target x.en --alignment none --min-count 90 -o y -q",
            "times (--min-count); noth",
        ),
    ],
)
def test_an_error_names_the_flag_that_was_typed(arguments: str, message: str, folder: Path) -> None:
    (folder / "none").write_text("0-0\n" * 20)
    done = run(*arguments.split(), folder=folder)
    assert message in done.stderr


def test_a_warning_names_the_flag_that_was_typed(folder: Path) -> None:
    tuning = f"tune model model {TUNING} --method forest-mert --iterations 1 --nbest 5 --threads 1"
    assert "warning: --nbest is for methods of candidate lists" in run(*tuning.split(), folder=folder).stderr


def test_text_that_is_not_prepared_is_reported_with_the_flag_that_prepares_it(tmp_path: Path) -> None:
    (tmp_path / "de").write_text("Das Haus!\nDas Haus ist klein.\n" * 10)
    (tmp_path / "en").write_text("The house!\nThe house is small.\n" * 10)
    (tmp_path / "align").write_text("0-0 1-1\n" * 20)
    sides = tmp_path / "de", tmp_path / "en", tmp_path / "model"
    train(*sides, alignment=tmp_path / "align", case="lower", lm_order=2)
    done = run("decode", "model", "-i", "de", "-o", "out", folder=tmp_path)
    assert "so that many words are unknown; prepare it (--prepare)" in done.stderr


def test_recorded_options_are_announced_as_flags(folder: Path) -> None:
    limit = ("--distortion-limit", 3)
    tuning = f"tune model model {TUNING} --iterations 1 --nbest 5 --threads 1"
    assert run(*tuning.split(), *limit, folder=folder).returncode == 0
    done = run("decode", "model", "-i", "x.de", "-o", "out", "--weights", "y/weights.json", folder=folder)
    assert "note: y/weights.json records how to decode: search --distortion-limit 3\n" in done.stderr


def test_differing_options_with_long_values_are_named_as_data() -> None:
    found = differences({"select_references": "a" * 32}, {"select_references": "b" * 32})
    assert found is not None
    assert found == "other select_references"
    assert found.spelled(lambda name: f"<{name}>") == "other <select_references>"
