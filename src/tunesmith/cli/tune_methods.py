"""`tunesmith tune methods`: List the tuning methods and their options."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from tunesmith.cli.console import output
from tunesmith.cli.tune_model import shared_options
from tunesmith.options import options_of


def run(
    name: Annotated[str | None, typer.Argument(help="Method to explain.")] = None,
) -> None:
    """List the methods and their options, or explain one."""
    from rich.table import Table

    from tunesmith.tuning.method import METHODS

    if name is not None:
        method = METHODS[name]
        output.print(inspect.cleandoc(method.__doc__ or method.summary), markup=False)
        table = Table("option", "type", "default")
        for option in options_of(method):
            flag = f"--{option.name.replace('_', '-')}"
            table.add_row(flag, _choices(str(option.type)), str(option.default))
        output.print(table)
        if shared := shared_options(name):
            flags = ", ".join(f"--method-{option.replace('_', '-')}" for option in shared)
            output.print(f"in `tune model`, which has flags of the same names: {flags}", markup=False)
        output.print(f"loss: {method.loss}", markup=False)
        divided = "divided by the number of sentences" if method.per_sentence else "not divided by anything"
        output.print(f"--l2 is {method.l2} by default, {divided}")
        return
    table = Table("method", "learns from", "what it does", "options and defaults")
    for method in sorted(METHODS.values(), key=lambda each: each.learns_from.noun, reverse=True):
        options = ", ".join(f"{option.name}={option.default}" for option in options_of(method))
        table.add_row(method.name, method.learns_from.noun, method.summary, options)
    output.print(table)


def _choices(kind: str) -> str:
    """Return the type of an option, or what it can be."""
    from tunesmith.tuning.smooth_optimizer import smooth_optimizers

    if kind == "SmoothOptimizer":
        return ", ".join(smooth_optimizers())
    return kind.removeprefix("Literal[").removesuffix("]").replace("'", "").replace('"', "")
