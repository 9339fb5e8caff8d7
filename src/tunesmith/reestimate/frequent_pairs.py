"""Models without the phrase pairs of low count, for decoding the text that the counts are from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.model.model import Model
from tunesmith.tables import PhraseTable
from tunesmith.tables.filter import Pruning, prune_table

__all__ = ["frequent_model"]


def frequent_model(model: Model, folder: Path, least_count: float, name: str) -> Model:
    """Return a model whose tables have no pairs of lower count; the probabilities of others are the same.

    The tables are written to a folder as NAME.N.bin, unless they are there. Oracles of a text would else
    translate by pairs that were seen nowhere but in the sentence itself (Dakwale and Monz 2016, equation 4).
    Scores that a trained reordering model has for the pairs of the whole table are computed by words instead.
    """
    if least_count <= 0:
        return model
    anchored = model.anchored()
    parts = []
    for number, part in enumerate(anchored.phrase_tables):
        path = folder / f"{name}.{number}.bin"
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(model.phrase_table(number), path, least_count)
        parts.append(replace(part, path=str(path.absolute())))
    by_words = tuple(replace(part, rows=()) for part in anchored.trained_reordering)
    return replace(anchored, phrase_tables=tuple(parts), trained_reordering=by_words)


def _prune(table: PhraseTable, path: Path, least_count: float) -> None:
    draft = path.with_name(f".{path.name}")
    pruned = prune_table(table, draft, Pruning(min_count=least_count))
    if not len(pruned):
        draft.unlink()
        raise InputError(
            f"has no phrase pair with a count of {least_count:g} or more, so that nothing could be"
            " translated; give a lower {}, or 0 for a table without counts",
            "least_count",
            path=table.path,
        )
    draft.replace(path)
