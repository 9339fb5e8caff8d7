"""Smaller tables from larger ones: only what a text needs, only what is frequent or likely enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tunesmith import _native
from tunesmith.corpus import Sentences
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.options import check_options, require_at_least
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
    """What a pair must have to stay.

    `min_count` is the least count of the pair (2 is usual before a model is re-estimated, to forget what
    was seen once), `threshold` the least p(e|f), `top` the number of pairs a source phrase, those of the
    highest p(e|f).
    """

    min_count: float = 0.0
    threshold: float = 0.0
    top: int | None = None

    def __post_init__(self) -> None:
        check_options(self, "pruning")
        require_at_least(0, "pruning", min_count=self.min_count, threshold=self.threshold)
        if self.top is not None:
            require_at_least(1, "pruning", top=self.top)


def prune_table(table: PhraseTable, output: PathLike, pruning: Pruning) -> PhraseTable:
    """Write the pairs that pass, in one pass. Probabilities stay as they are: nothing is renormalized."""
    if pruning == Pruning():
        raise OptionError("pruning: give at least one of min_count, threshold, top")
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
