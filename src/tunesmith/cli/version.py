"""`tunesmith --version`."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the option."""
    root.callback(invoke_without_command=True)(_version)


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
