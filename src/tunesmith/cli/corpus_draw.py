"""`tunesmith corpus draw`: Draw sentence pairs of a model's training text, with their folds.

Examples:

    tunesmith corpus draw model -n 5000 --max-length 60 -o drawn

    tunesmith tune model model --source drawn.de --references drawn.en \\
      --jackknife --fold-file drawn.folds -o tuned

Writes drawn.de and drawn.en (drawn.source and drawn.target if the model does not know its languages),
tokenized and cased as the model's text, drawn.folds and drawn.lines, one line per pair, sorted by fold. The
model must have been trained with `--folds`. Pairs that are in several folds, or have an empty
side, are not drawn, and no pair twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, Seed
from tunesmith.file_roles import Reads, Writes


def _drawn(prefix: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the files that are there under names of drawn pairs, which depend on the model's languages."""
    folder, name = Path(prefix).parent, Path(prefix).name
    there = folder.iterdir() if folder.is_dir() else ()
    names = [Path(f"{prefix}.{suffix}") for suffix in ("folds", "lines")]
    own = {path.name for path in names}
    texts = (path for path in there if path.name.rpartition(".")[0] == name and path.name not in own)
    return [*names, *filter(Path.is_file, texts)]


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    pairs: Annotated[int, typer.Option("-n", "--pairs", help="Number of pairs.")],
    prefix: Annotated[
        Path, typer.Option("-o", "--output", help="Prefix of the files to write."), Writes(_drawn)
    ],
    max_length: Annotated[
        int | None, typer.Option(help="Longest sentence to draw, in words of either side.", min=1)
    ] = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Draw sentence pairs of a model's training text."""
    from tunesmith.model.jackknife.drawing import draw_pairs

    drawn = draw_pairs(model, prefix, pairs, max_length=max_length, seed=seed)
    if not quiet:
        errors.print(
            f"{len(drawn.rows):,} of {drawn.candidates:,} pairs; {drawn.counts}",
            markup=False,
            soft_wrap=True,
        )
