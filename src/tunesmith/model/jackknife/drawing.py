"""Drawing sentence pairs from a model's training text, to tune on them without their folds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import write_block
from tunesmith.corpus.folds import write_folds
from tunesmith.files import PathLike, check_outputs, open_write
from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.jackknife.usable_pairs import PairCounts, UsablePairs, take_lines
from tunesmith.model.model import Model
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.options import check_seed, require_at_least
from tunesmith.types import IntArray

__all__ = ["DrawnPairs", "draw_pairs"]


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """The rows (from 0) of the training text that were drawn, sorted by fold, and the files written.

    `candidates` pairs could have been drawn; `counts` says why others could not.
    """

    rows: IntArray
    source: Path
    target: Path
    folds: Path
    lines: Path
    candidates: int
    counts: PairCounts


def draw_pairs(
    model: PathLike, output: PathLike, pairs: int, *, max_length: int | None = None, seed: int = 1
) -> DrawnPairs:
    """Draw different sentence pairs of the training text of a model, and write them with their folds.

    The files are `output` with the suffixes of the model's languages (else `source` and `target`), `folds`
    (the fold of each pair) and `lines` (its line in the model's text, from 1), sorted by fold, then line. A
    pair that is also in another fold is not drawn: the model without its fold would still know it. Nor is one
    with an empty side. Sides are at most `max_length` words long [no limit].
    """
    check_seed(seed)
    require_at_least(1, "draw", pairs=pairs)
    folds = FoldModels(Path(model)).fold_of_pairs
    opened = Model.open(model)
    suffixes = _suffixes(opened)
    paths = [Path(f"{output}.{suffix}") for suffix in (*suffixes, "folds", "lines")]
    check_outputs(paths)
    text = [opened.home / name for name in (SOURCE, TARGET)]
    usable = UsablePairs.of(text, folds, max_length)
    drawn = usable.drawn(pairs, seed).rows
    rows = drawn[np.lexsort((drawn, folds[drawn]))]
    for path, lines in zip(paths[:2], take_lines(text, rows), strict=True):
        with open_write(path) as stream:
            write_block(stream, lines)
    write_folds(paths[2], folds[rows])
    write_folds(paths[3], rows + 1)
    return DrawnPairs(rows, paths[0], paths[1], paths[2], paths[3], len(usable.rows), usable.counts)


def _suffixes(model: Model) -> tuple[str, str]:
    languages = [str(model.text.get(f"{side}_language") or side) for side in ("source", "target")]
    return (languages[0], languages[1]) if languages[0] != languages[1] else ("source", "target")
