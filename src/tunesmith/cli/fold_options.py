"""Options of commands that translate a training text, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from tunesmith.cli.flags import Given
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads
from tunesmith.model.jackknife.options import JackknifeOptions

__all__ = ["FoldFlags", "OtherSource", "OtherTarget", "fold_options"]

FoldFlags: TypeAlias = Annotated[dict[str, Any], Given(JackknifeOptions, omit=("jackknife",))]
"""A parameter of this type takes the flags of folds and their models."""

OtherSource: TypeAlias = Annotated[
    Path | None, typer.Option(help="Other text, tokenized [default: the model's training text]."), Reads()
]
OtherTarget: TypeAlias = Annotated[Path | None, typer.Option(help="Its translation, line by line."), Reads()]


def fold_options(folds: Mapping[str, Any], *, jackknife: bool) -> JackknifeOptions | None:
    """Return how folds are left out; None if they are not, and then flags of folds are an OptionError."""
    if folds and not jackknife:
        raise OptionError("{} is for folds, and {} leaves none out", next(iter(folds)), "jackknife=False")
    return JackknifeOptions(jackknife=True, **folds) if jackknife else None
