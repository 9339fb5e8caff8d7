"""An option that takes one value and is given twice is refused, in every command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_help_names import ALL
from tests.commands import COMMANDS, Done, run
from tests.random_pools import random_pool
from typer.main import get_command

from tunesmith.cli.given_once import named_once
from tunesmith.errors import OptionError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pool = random_pool(1, lists=20, size=4)
    pool.write(tmp_path / "dev.nbest.gz", format="moses")
    (tmp_path / "dev.en").write_text("".join(text + "\n" for text in pool.references[0]))
    return tmp_path


def tune(folder: Path, *more: object) -> Done:
    given = ("--candidates", "dev.nbest.gz", "--references", "dev.en", "-o", "weights.json")
    return run("tune", "nbest", *given, *more, folder=folder)


def command(names: tuple[str, ...]) -> Any:
    found: Any = get_command(COMMANDS)
    for name in names:
        found = found.commands[name]
    return found.load()


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_no_command_takes_the_last_of_two_values(names: tuple[str, ...]) -> None:
    taking = command(names)
    for option in taking.params:
        if option.param_type_name != "option" or option.multiple or option.is_flag or option.count:
            continue
        done = run(*names, option.opts[0], "1", option.opts[-1], "2")
        assert done.returncode == 2, option.opts
        flag = max(option.opts, key=len)
        assert f"{flag} is given twice; expected it once, with one value" in done.stderr


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_no_command_takes_the_last_of_yes_and_no(names: tuple[str, ...]) -> None:
    for option in command(names).params:
        if option.param_type_name == "option" and option.secondary_opts:
            done = run(*names, option.opts[0], option.secondary_opts[0])
            assert done.returncode == 2
            assert f"{option.opts[0]}/{option.secondary_opts[0]} is given twice" in done.stderr


def test_options_that_may_be_repeated_or_lose_nothing_are_taken(folder: Path) -> None:
    more = ("--references", "dev.en", "--quiet", "--quiet")
    done = tune(folder, *more)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--weight", "a=1", "--weight", "a=2"), "--weight gives 'a' twice"),
        (
            ("--consensus", "--consensus-option", "max_edges=5", "--consensus-option", "max_edges=6"),
            "--consensus-option gives 'max_edges' twice",
        ),
        (
            ("--consensus", "--consensus-size", 3, "--consensus-option", "size=4"),
            "--consensus-size and --consensus-option size both give size",
        ),
    ],
)
def test_a_name_that_a_repeated_option_gives_twice_is_refused(
    folder: Path, words: tuple[object, ...], said: str
) -> None:
    done = run("rerank", "--candidates", "dev.nbest.gz", *words, folder=folder)
    assert done.returncode == 2
    assert said in done.stderr


def test_bounds_of_a_name_are_given_once(folder: Path) -> None:
    done = tune(folder, "--bound", "f0=0:", "--bound", "f0=1:")
    assert done.returncode == 2
    assert "--bound gives 'f0' twice" in done.stderr


def test_names_of_a_repeated_option_keep_their_order() -> None:
    assert list(named_once("--weight", [("b", 1), ("a", 2)])) == ["b", "a"]
    with pytest.raises(OptionError, match="--weight gives 'b' twice"):
        named_once("--weight", [("b", 1), ("a", 2), ("b", 1)])
