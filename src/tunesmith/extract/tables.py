"""A mapped phrase table from counted phrase pairs, in one call."""

from __future__ import annotations

from typing import Any

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, Message
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.moses_lexicon import MosesLexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.scoring import ScoringOptions, score_phrases
from tunesmith.files import PathLike
from tunesmith.options import build
from tunesmith.tables import PhraseTable, PhraseTableBuilder

__all__ = ["build_table"]


def build_table(
    counts: PhraseCounts,
    lexicon: Lexicon | MosesLexicon,
    path: PathLike,
    *,
    exclude_fold: int | None = None,
    only: Sentences | None = None,
    threads: int | None = None,
    **options: Any,
) -> PhraseTable:
    """Score all phrase pairs (`options` are those of `ScoringOptions`) and write them as a mapped table.

    The table notes the number of extracted pairs, which significance pruning needs. A table without pairs is
    an InputError. With `only`, it has the source phrases of these sentences (all if it has none of them).
    """
    scoring = build(ScoringOptions, "scoring", options)
    models = [(spec.name, len(spec.columns)) for spec in scoring.models]
    with PhraseTableBuilder(path, reordering=models) as builder:
        shared: Any = {"exclude_fold": exclude_fold, "threads": threads}
        pairs = score_phrases(counts, lexicon, builder.native, only=only, **shared, **options)
        if pairs == 0 and only is not None:
            pairs = score_phrases(counts, lexicon, builder.native, **shared, **options)
        instances = counts.instances
        if exclude_fold is not None:
            instances = counts.native.instances_without(exclude_fold)
        if pairs == 0:
            raise InputError(_why_empty(counts, instances, scoring.min_count))
        return builder.finish(counts.source_vocabulary, counts.target_vocabulary, instances=instances)


def _why_empty(counts: PhraseCounts, instances: int, min_count: int) -> Message:
    if counts.instances == 0:
        text = f"{counts.sentences} sentence pairs have no phrase pairs; are their alignments empty?"
        return Message(text)
    if instances == 0:
        return Message(f"all {counts.instances} phrase pairs are in the excluded fold; nothing is left")
    return Message(
        "no phrase pair was seen at least {times} times ({}); nothing is left", "min_count", times=min_count
    )
