"""Parse the values of flags without pydantic, which typer would import slowly."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, get_args, get_origin

import typer

__all__ = ["read_plainly"]

_WHAT = {int: "a whole number", float: "a number", str: "a text", Path: "a path", bool: "true or false"}


class _Plain:
    """Parses numbers, texts, paths and lists of them, as typer itself would."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        return [self._read(each, param, ctx) for each in value] if several else self._read(value, param, ctx)

    def _read(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, self.kind):
            return value
        try:
            read = self.kind(value)
        except ValueError:
            message = f"{value!r:.60} is not {_WHAT[self.kind]}."
            raise typer.BadParameter(message, ctx=ctx, param=param) from None
        if isinstance(read, float) and not math.isfinite(read):
            raise typer.BadParameter(f"{value!r:.60} is not a finite number.", ctx=ctx, param=param)
        if isinstance(read, int):
            self._check_size(read, value, param, ctx)
        return read

    def _check_size(self, number: int, value: Any, param: Any, ctx: Any) -> None:
        from tunesmith.options import LARGEST_WHOLE  # which the list of commands does not need

        if not -LARGEST_WHOLE <= number < LARGEST_WHOLE:
            message = f"{value!r:.60} is not a whole number of at most 64 bits."
            raise typer.BadParameter(message, ctx=ctx, param=param)


def read_plainly(parameters: list[Any]) -> list[Any]:
    """Let parameters of plain types parse their values this way where typer allows it; return all."""
    for parameter in parameters:
        described = getattr(parameter, "type_descriptor", None)
        kind = getattr(described, "annotation", None)
        kind = get_args(kind)[0] if get_origin(kind) is list else kind
        if kind in _WHAT and getattr(parameter, "_runtime_param", parameter) is None:
            parameter._runtime_param = _Plain(kind)
    return parameters
