"""`tunesmith tune methods`: what there is to choose from."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from tunesmith.cli.console import output
from tunesmith.cli.groups import group
from tunesmith.cli.tune_model import shared_options
from tunesmith.options import options_of

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    group(root, "tune").command("methods", help="List the methods and their options.")(methods)


def methods(
    name: Annotated[str | None, typer.Argument(help="Explain this method.")] = None,
) -> None:
    """List the methods and their options, or explain one."""
    from rich.table import Table

    from tunesmith.tuning.methods import all_methods, method_named
    from tunesmith.tuning.recipe import Recipe

    if name is not None:
        recipe = method_named(name)
        output.print(inspect.cleandoc(recipe.__doc__ or recipe.summary), markup=False)
        table = Table("option", "type", "default")
        for option in options_of(recipe):
            flag = f"--{option.name.replace('_', '-')}"
            table.add_row(flag, _choices(str(option.type)), str(option.default))
        output.print(table)
        if shared := shared_options(name):
            flags = ", ".join(f"--method-{option.replace('_', '-')}" for option in shared)
            output.print(f"in `tune model`, which has such flags for itself: {flags}", markup=False)
        output.print(f"loss: {recipe.loss}", markup=False)
        output.print(f"--l2 is {recipe.l2} unless given")
        return
    table = Table("method", "learns from", "what it does", "options and defaults")
    for method, recipe in all_methods().items():
        options = ", ".join(f"{option.name}={option.default}" for option in options_of(recipe))
        kind = "lists" if issubclass(recipe, Recipe) else "forests"
        table.add_row(method, kind, recipe.summary, options)
    output.print(table)


def _choices(kind: str) -> str:
    """Return the type of an option, or what it can be."""
    from tunesmith.tuning.optimizer_choice import smooth_optimizers

    if kind == "SmoothOptimizer":
        return ", ".join(smooth_optimizers())
    return kind.removeprefix("Literal[").removesuffix("]").replace("'", "").replace('"', "")
