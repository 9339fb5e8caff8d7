"""Smaller tables from larger ones: only what a text needs, only what is frequent or likely enough."""

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
    """Write the pairs whose source phrase occurs in the sentences: a file, lines, or numbered words.

    Every span of a sentence is looked up until no source phrase begins with it. O(text + pairs).
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
    """What a pair must have to stay."""

    min_count: float = option(
        0.0, help="Least count of a pair; 2 is usual before a model is re-estimated.", least=0
    )
    threshold: float = option(0.0, help="Least p(e|f) of a pair.", least=0)
    top: int | None = option(
        None, help="Most pairs per source phrase, those of the highest p(e|f) [all].", least=1
    )

    def __post_init__(self) -> None:
        check_options(self, "pruning")


def prune_table(table: PhraseTable, output: PathLike, pruning: Pruning) -> PhraseTable:
    """Write the pairs that pass, in one pass. Probabilities stay as they are: nothing is renormalized."""
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
    """Return a builder of a table with the same scores and reordering models, and perhaps more scores."""
    return PhraseTableBuilder(
        output, scores=table.score_names + more_scores, reordering=table.reordering_models
    )


def notes_of(table: PhraseTable, more_scores: tuple[str, ...] = (), *, instances: int | None = None) -> str:
    """Return the notes for a table made from this one, of as many instances unless others are given."""
    known = table.instances if instances is None else instances
    about = {} if known is None else {"instances": known}
    return note(table.score_names + more_scores, table.reordering_models, **about)
