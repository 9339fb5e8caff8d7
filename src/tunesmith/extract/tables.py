"""A mapped phrase table from counted phrase pairs, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.extract.scoring import DEFAULT_REORDERING, score_phrases
from tunesmith.files import PathLike
from tunesmith.tables import PhraseTable, PhraseTableBuilder

__all__ = ["build_table"]


def build_table(
    counts: PhraseCounts,
    lexicon: Lexicon,
    path: PathLike,
    *,
    reordering: Iterable[str | ReorderingSpec] = DEFAULT_REORDERING,
    **options: Any,
) -> PhraseTable:
    """Score all phrase pairs (`options` are those of `score_phrases`) and write them as a mapped table."""
    specs = [ReorderingSpec.parse(spec) if isinstance(spec, str) else spec for spec in reordering]
    models = [(spec.name, len(spec.columns)) for spec in specs]
    with PhraseTableBuilder(path, reordering=models) as builder:
        score_phrases(counts, lexicon, builder.native, reordering=specs, **options)
        return builder.finish(counts.source_vocabulary, counts.target_vocabulary)
