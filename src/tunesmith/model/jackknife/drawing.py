"""Drawing sentence pairs from a model's training text, to tune on them without their folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks, write_block
from tunesmith.corpus.clean import count_tokens
from tunesmith.corpus.folds import write_folds
from tunesmith.corpus.line_keys import EMPTY, line_keys
from tunesmith.errors import OptionError
from tunesmith.files import PathLike, check_outputs, open_write
from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.jackknife.sentence_folds import pair_keys
from tunesmith.model.model import Model
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.options import check_seed, require_at_least
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["DrawnPairs", "draw_pairs"]


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """The rows (from 0) of the training text that were drawn, sorted by fold, and the files written.

    `candidates` pairs could have been drawn; `repeated` pairs could not, because a copy is in another fold,
    and `long` ones because of their length.
    """

    rows: IntArray
    source: Path
    target: Path
    folds: Path
    lines: Path
    candidates: int
    repeated: int
    long: int


def draw_pairs(
    model: PathLike, output: PathLike, pairs: int, *, max_length: int | None = None, seed: int = 1
) -> DrawnPairs:
    """Draw different sentence pairs of the training text of a model, and write them with their folds.

    The files are `output` with the suffixes of the model's languages (else `source` and `target`), `folds`
    (the fold of each pair) and `lines` (its line in the model's text, from 1), sorted by fold, then line. A
    pair that is also in another fold is not drawn: the model without its fold would still know it. Sides are
    at most `max_length` words long [no limit].
    """
    check_seed(seed)
    require_at_least(1, "draw", pairs=pairs)
    folds = FoldModels(Path(model)).fold_of_pairs
    opened = Model.open(model)
    suffixes = _suffixes(opened)
    paths = [Path(f"{output}.{suffix}") for suffix in (*suffixes, "folds", "lines")]
    check_outputs(paths)
    text = [opened.directory / name for name in (SOURCE, TARGET)]
    keys, lengths = [], []
    for source, target in parallel_blocks(text):
        keys.append(pair_keys(line_keys(source), line_keys(target)))
        lengths.append(np.maximum(count_tokens(source), count_tokens(target)))
    first, repeated = _different(np.concatenate(keys), folds)
    short = np.concatenate(lengths) <= (max_length or np.iinfo(np.int64).max)
    candidates = first[short[first]]
    if pairs > len(candidates):
        raise OptionError(
            "{} is {pairs}, but the training text has only {found} different pairs to draw from",
            "pairs",
            pairs=pairs,
            found=len(candidates),
        )
    drawn = np.random.default_rng(seed).choice(candidates, pairs, replace=False)
    rows = drawn[np.lexsort((drawn, folds[drawn]))]
    for path, lines in zip(paths[:2], _lines(text, rows), strict=True):
        with open_write(path) as stream:
            write_block(stream, lines)
    write_folds(paths[2], folds[rows])
    write_folds(paths[3], rows + 1)
    return DrawnPairs(
        rows, paths[0], paths[1], paths[2], paths[3], len(candidates), repeated, int((~short[first]).sum())
    )


def _suffixes(model: Model) -> tuple[str, str]:
    languages = [str(model.text.get(f"{side}_language") or side) for side in ("source", "target")]
    return (languages[0], languages[1]) if languages[0] != languages[1] else ("source", "target")


def _different(keys: np.ndarray[tuple[int], np.dtype[np.uint64]], folds: IntArray) -> tuple[IntArray, int]:
    """Return the first row of each pair that is in one fold only, and the number of rows of all others."""
    order = np.lexsort((folds, keys))
    begins = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
    ends = np.append(begins[1:], len(keys))
    single: BoolArray = folds[order[begins]] == folds[order[ends - 1]]
    single &= keys[order[begins]] != EMPTY
    return np.sort(order[begins[single]]), int((ends - begins)[~single].sum())


def _lines(text: Sequence[Path], rows: IntArray) -> list[Texts]:
    """Return the lines of both sides, in the order of the rows."""
    wanted = np.sort(rows)
    sides: tuple[list[Texts], list[Texts]] = ([], [])
    begin = 0
    for blocks in parallel_blocks(text):
        end = begin + len(blocks[0])
        inside = wanted[(wanted >= begin) & (wanted < end)] - begin
        for side, block in zip(sides, blocks, strict=True):
            side.append(block.take(inside))
        begin = end
    places = np.searchsorted(wanted, rows)
    return [Texts.joined(side).take(places) for side in sides]
