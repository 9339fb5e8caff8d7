"""Flags made from dataclasses of options, and errors that name them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from tests.decode.commands import decode_process
from typer.main import get_command

from tunesmith.cli.flags import Given, Subcommand, expanded
from tunesmith.errors import OptionError
from tunesmith.model import train
from tunesmith.options import check_options, option


@dataclass(frozen=True)
class Options:
    source: Path = option(help="Text.")
    kind: Literal["tall", "wide"] = option("tall", help="{choices}.")
    rate: float | None = option(None, help="A rate [none].", least=0)
    names: tuple[str, ...] = option(("x",), help="A name; repeat.", flag="--name")
    early: bool = option(True, help="Not early.", flag="--no-early")
    tight: bool = option(True, help="Tight.", flag="--tight/--loose")
    extra: bool = option(False, help="More.")
    memory: int | str = option("2G", help="Memory.", matters=False)
    hidden: int = 3

    def __post_init__(self) -> None:
        check_options(self, "test")


def command(function: Any) -> Any:
    app = typer.Typer(add_completion=False)
    app.command("test", cls=Subcommand)(expanded(function))
    return get_command(app)


def run(function: Any, *arguments: str) -> Any:
    return command(function).main(list(arguments), standalone_mode=False)


def test_a_dataclass_of_options_becomes_flags_and_is_built_of_them() -> None:
    found = []

    def take(options: Options, *, count: int = 1) -> None:
        found.append((options, count))

    run(take, "--source", "a")
    run(take, "--source", "a", "--kind", "wide", "--rate", "0.5", "--name", "p", "--name", "q", "--no-early")
    run(take, "--source", "a", "--loose", "--extra", "--memory", "1G", "--count", "2")
    assert found == [
        (Options(Path("a")), 1),
        (Options(Path("a"), "wide", 0.5, ("p", "q"), False), 1),
        (Options(Path("a"), tight=False, extra=True, memory="1G"), 2),
    ]


def test_the_help_is_that_of_the_fields_with_choices_and_defaults() -> None:
    def take(options: Options) -> None:
        pass

    helps = {each.name: each.help for each in command(take).params}
    assert helps["kind"] == "tall or wide."
    assert helps["names"] == "A name; repeat. [default: x]"
    assert "hidden" not in helps


def test_only_given_options_are_passed_on_where_defaults_are_left_to_others() -> None:
    found = []

    def take(options: Annotated[dict[str, Any], Given(Options, omit=("source", "extra"))]) -> None:
        found.append(options)

    run(take)
    run(take, "--tight", "--no-early", "--rate", "2")
    assert found == [{}, {"rate": 2.0, "early": False, "tight": True}]
    assert {opt for each in command(take).params for opt in each.opts} >= {"--kind", "--name", "--memory"}


@dataclass(frozen=True)
class Scaled:
    scale: Literal["all", "none"] | None = option(None, help="{choices}.", off="none")


def test_a_flag_without_a_value_is_short_for_the_value_that_turns_an_option_off() -> None:
    found = []

    def take(options: Annotated[dict[str, Any], Given(Scaled)]) -> None:
        found.append(options)

    for words in ([], ["--scale", "all"], ["--scale", "none"], ["--no-scale"]):
        run(take, *words)
    assert found == [{}, {"scale": "all"}, {"scale": "none"}, {"scale": "none"}]
    helps = {opt: each.help for each in command(take).params for opt in each.opts}
    assert helps["--no-scale"] == "The same as --scale none."
    with pytest.raises(OptionError, match="--scale and --no-scale exclude each other: give one of them"):
        run(take, "--scale", "all", "--no-scale")


def test_errors_name_the_flag_with_the_value() -> None:
    def take(options: Annotated[dict[str, Any], Given(Scaled)]) -> None:
        raise OptionError("{}", "scale")

    with pytest.raises(OptionError, match=r"^--scale$"):
        run(take)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rate", "-1"], "test: --rate must be at least 0, not -1.0"),
        (["--kind", "--rate"], "--kind needs a value, one of tall or wide, but found '--rate'"),
        (["--kind", "tal"], "test: --kind cannot be 'tal'; did you mean 'tall'?"),
    ],
)
def test_errors_of_the_library_name_flags(arguments: list[str], message: str) -> None:
    def take(options: Options) -> None:
        pass

    with pytest.raises(OptionError) as caught:
        run(take, "--source", "a", *arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("early", "--no-early"),
        ("names", "--name"),
        ("tight", "--tight"),
        ("memory", "--memory"),
        ("no_such", "no_such"),
    ],
)
def test_an_option_is_spelled_as_its_flag(name: str, flag: str) -> None:
    def take(options: Options) -> None:
        raise OptionError("{} and {value!r}", name, value="{memory}")

    with pytest.raises(OptionError) as caught:
        run(take, "--source", "a")
    assert str(caught.value) == f"{flag} and '{{memory}}'"
    assert caught.value.message == f"{name} and '{{memory}}'"


def test_the_option_of_a_method_is_told_from_that_of_the_command() -> None:
    def take(method: str = "mira", epochs: int = 1) -> None:
        raise OptionError("{owner}: {} {}", "epochs", "rate", owner=method)

    with pytest.raises(OptionError, match=r"^mira: --method-epochs --rate$"):
        run(take)


@pytest.mark.process
def test_the_command_line_speaks_of_its_own_options(tmp_path: Path) -> None:
    (tmp_path / "de").write_text("das haus\n")
    (tmp_path / "en").write_text("the house\n")
    (tmp_path / "align").write_text("0-0 1-1\n")
    sides = tmp_path / "de", tmp_path / "en", tmp_path / "model"
    train(*sides, kind="hiero", alignment=tmp_path / "align", lm_order=2)
    done = decode_process("model", "--stack-size", 5, folder=tmp_path, stdin="das\n")
    assert done.returncode == 2
    assert "search: --stack-size is for phrase-based models" in done.stderr
    assert "--cell-size, --span-limit, --rule-feature\n" in done.stderr
    assert "_" not in done.stderr
