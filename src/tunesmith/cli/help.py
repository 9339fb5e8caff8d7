"""How the help of commands shows flags: whole, and with the kind of value that each takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from typer import rich_utils

__all__ = ["describe_values", "whole_flags"]

_VALUES = {bool: "", str: "<text>", Path: "<path>", int: "<int>", float: "<float>"}


@dataclass(frozen=True)
class _Folded:
    """A part of the help whose words go on in the next line where they are wider than the column."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from console.render(self.part, options.update(overflow="fold"))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.part)


class _FlagTable(Table):
    """A table of which only the last column, the help, gives way in narrow terminals: by more lines."""

    def add_row(self, *cells: Any, **style: Any) -> None:
        if cells and isinstance(cells[-1], Columns):
            cells[-1].renderables = [_Folded(part) for part in cells[-1].renderables]
        super().add_row(*cells, **style)
        for column in self.columns[:-1]:
            column.no_wrap = True


@contextmanager
def whole_flags() -> Iterator[None]:
    """Never cut a flag off, as typer does on terminals of 80 columns: `--source-langua...` is of no use."""
    names = vars(rich_utils)
    usual = names["Table"]
    names["Table"] = _FlagTable
    try:
        yield
    finally:
        names["Table"] = usual


def describe_values(parameters: list[Any]) -> None:
    """Name the kind of value that each option takes; one that takes none, such as --quiet, names none."""
    for parameter in parameters:
        kind: Any = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
        kind = get_args(kind)[0] if get_origin(kind) is list else kind
        if parameter.param_type_name == "option" and parameter.metavar is None:
            parameter.metavar = _VALUES.get(kind)
