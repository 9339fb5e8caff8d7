"""Filtering of tables by a text, and pruning by count and probability."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tunesmith import _native
from tunesmith.corpus import Sentences
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.options import check_options, option
from tunesmith.tables.build import PhraseTableBuilder
from tunesmith.tables.notes import note
from tunesmith.tables.phrase_table import PhraseTable

__all__ = ["Pruning", "builder_like", "filter_table", "notes_of", "prune_table"]


def filter_table(
    table: PhraseTable, sentences: Sentences | PathLike | Iterable[str], output: PathLike
) -> PhraseTable:
    """Write the pairs whose source phrase occurs in the sentences: a file, lines, or word numbers.

    Spans of a sentence are extended while they are a prefix of some source phrase. O(text + pairs).
    """
    if isinstance(sentences, str | Path):
        text = Sentences.read(sentences)
    elif isinstance(sentences, Sentences):
        text = sentences
    else:
        text = Sentences.of(sentences)  # type: ignore[arg-type]
    with builder_like(table, output) as builder:
        _native.filter_table(
            table.native, text.arrays, text.vocabulary.native.texts(), builder.native, notes_of(table)
        )
    return PhraseTable.open(output)


@dataclass(frozen=True)
class Pruning:
    """Conditions for keeping a pair."""

    min_count: float = option(
        0.0, help="Minimum count of a pair; 2 is common before re-estimating a model.", least=0
    )
    threshold: float = option(0.0, help="Minimum p(e|f) of a pair.", least=0)
    top: int | None = option(
        None, help="Maximum pairs per source phrase, by p(e|f) [default: no limit].", least=1
    )

    def __post_init__(self) -> None:
        check_options(self, "pruning")


def prune_table(table: PhraseTable, output: PathLike, pruning: Pruning) -> PhraseTable:
    """Write the pairs that meet the conditions, in one pass. Probabilities are not renormalized."""
    if pruning == Pruning():
        raise OptionError("pruning: give at least one of {}, {}, {}", "min_count", "threshold", "top")
    with builder_like(table, output) as builder:
        _native.prune_table(
            table.native,
            min_count=pruning.min_count,
            threshold=pruning.threshold,
            top=pruning.top or 0,
            builder=builder.native,
            meta=notes_of(table),
        )
    return PhraseTable.open(output)


def builder_like(
    table: PhraseTable, output: PathLike, more_scores: tuple[str, ...] = ()
) -> PhraseTableBuilder:
    """Return a builder of a table with the same scores and reordering models, and optional extra scores."""
    return PhraseTableBuilder(
        output, scores=table.score_names + more_scores, reordering=table.reordering_models
    )


def notes_of(table: PhraseTable, more_scores: tuple[str, ...] = (), *, instances: int | None = None) -> str:
    """Return the notes for a table made from this one, with its number of instances unless given."""
    known = table.instances if instances is None else instances
    about = {} if known is None else {"instances": known}
    return note(table.score_names + more_scores, table.reordering_models, **about)
