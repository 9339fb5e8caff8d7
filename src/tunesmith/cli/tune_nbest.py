"""`tunesmith tune nbest`: candidate lists in, weights out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.groups import group
from tunesmith.cli.options import FeatureFiles, Format, ListSize, Missing, ScoreColumns, reader_options
from tunesmith.cli.tune_data import tune_command
from tunesmith.cli.tune_options import METHOD_FLAGS

__all__ = ["register"]

HELP = """Tune weights on candidate lists.

Example:

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mert -o weights.json

The method's own options follow as flags, such as `--k 5` for pl; `tunesmith tune methods` lists them.
A killed run resumes when the same command is given again."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    required = {"candidates": "--candidates FILE", "output_file": "-o FILE"}
    command = tune_command(_read, kind="lists", method="mert", required=required)
    group(root, "tune").command("nbest", help=HELP, context_settings=METHOD_FLAGS)(command)


def _read(
    candidates: Annotated[
        list[Path] | None, typer.Option(help="Candidate lists (required); several files are merged.")
    ] = None,
    format_: Format = None,
    feature: FeatureFiles = None,
    list_size: ListSize = None,
    score_column: ScoreColumns = None,
    allow_missing: Missing = False,
    references: list[str] | None = None,
) -> Any:
    from tunesmith.candidates import Pool

    return Pool.read(
        [str(path) for path in candidates or ()],
        references=references or (),
        format=format_,
        allow_missing=allow_missing,
        **reader_options(feature, list_size, score_column),
    )
