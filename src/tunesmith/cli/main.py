"""The `tunesmith` command: finds the subcommands and turns errors into exit codes."""

from __future__ import annotations

import importlib
import pkgutil
import signal
import sys
from typing import NoReturn

import typer
from rich.markup import escape

from tunesmith import cli
from tunesmith.cli.console import errors
from tunesmith.errors import TunesmithError

__all__ = ["main"]


def _build() -> typer.Typer:
    root = typer.Typer(
        name="tunesmith",
        help="Train, tune and run feature-rich log-linear translation models.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    root.callback(invoke_without_command=True)(_version)
    for module in pkgutil.iter_modules(cli.__path__, f"{cli.__name__}."):
        register = getattr(importlib.import_module(module.name), "register", None)
        if register is not None:
            register(root)
    return root


def _version(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        import importlib.metadata

        try:
            typer.echo(importlib.metadata.version("tunesmith"))
        except importlib.metadata.PackageNotFoundError:
            typer.echo("not installed; run from its sources")
        raise typer.Exit


def _leave(number: int, frame: object) -> NoReturn:
    """Unwind, so that temporary files are removed, and end with the code of a process that was ended."""
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command line; exit codes: 0 done, 1 bad input or result, 2 a wrong command line."""
    if hasattr(signal, "SIGPIPE"):
        # End as other tools do when the reader of our output leaves early (`| head`).
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, _leave)
    try:
        _build()()
    except TunesmithError as error:
        errors.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True)
        sys.exit(error.exit_code)
