"""How the help of commands shows flags: whole, and with the kind of value that each takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args, get_origin

from rich.table import Table
from typer import rich_utils

__all__ = ["describe_values", "whole_flags"]

_VALUES = {bool: "", str: "<text>", Path: "<path>", int: "<int>", float: "<float>"}


class _FlagTable(Table):
    """A table of which only the last column, the help, gives way where a terminal is narrow."""

    def add_row(self, *cells: Any, **style: Any) -> None:
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
