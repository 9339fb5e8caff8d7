"""`tunesmith tune forests`: a file of forests in, weights out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.groups import group
from tunesmith.cli.tune_data import tune_command
from tunesmith.cli.tune_options import METHOD_FLAGS

__all__ = ["register"]

HELP = """Tune weights on a file of forests.

Example:

    tunesmith tune forests --forests dev.forests --references dev.en --method forest-mert -o weights.json

Forests are what `tunesmith decode --forest-output` writes. The method's own options follow as flags;
`tunesmith tune methods` lists the methods that learn from forests. A killed run resumes when the same
command is given again."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    required = {
        "forests_file": "--forests FILE",
        "references": "--references FILE",
        "output_file": "-o FILE",
    }
    command = tune_command(_read, kind="forests", method="forest-mert", required=required)
    group(root, "tune").command("forests", help=HELP, context_settings=METHOD_FLAGS)(command)


def _read(
    forests_file: Annotated[Path | None, typer.Option("--forests", help="The forests (required).")] = None,
    references: list[str] | None = None,
) -> Any:
    from tunesmith.forest.pool import ForestPool

    assert forests_file is not None
    return ForestPool.open(forests_file, references or ())
