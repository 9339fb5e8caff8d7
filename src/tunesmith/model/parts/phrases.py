"""The steps from aligned text to a phrase table: lexicon, counts, scores.

With several aligners the text is counted once per aligner, in its alignments.
"""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith.corpus import Alignments, Bitext
from tunesmith.corpus.folds import read_folds
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts, count_phrases
from tunesmith.extract.tables import build_table
from tunesmith.memory import parse_bytes
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import (
    ALIGNED,
    COUNTS,
    FOLDS,
    LEXICON,
    PHRASES,
    joined_alignment,
    read_aligned,
)
from tunesmith.model.steps import BuildStep, Workshop
from tunesmith.tables.phrase_table import VERSION as TABLE_VERSION
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.types import IntArray

__all__ = ["count_phrase_pairs", "estimate_lexicon", "score_phrase_pairs"]


def estimate_lexicon(options: TrainingOptions) -> BuildStep:
    """Return the step that counts aligned words."""

    def run(shop: Workshop) -> None:
        bitext, alignments, folds = _read_counted(shop, options)
        counted = (Lexicon.estimate(bitext, each, folds, threads=options.threads) for each in alignments)
        lexicon = Lexicon.joined(list(counted))
        lexicon.save(shop[LEXICON])

    return BuildStep("lexicon", (LEXICON,), run, needs=_counted(options))


def count_phrase_pairs(options: TrainingOptions) -> BuildStep:
    """Return the step that extracts and counts phrase pairs and their orientations."""

    def run(shop: Workshop) -> None:
        bitext, alignments, folds = _read_counted(shop, options)
        count_phrases(
            bitext,
            alignments,
            path=shop[COUNTS],
            max_length=options.max_phrase_length,
            folds=folds,
            orientation_events=options.orientation_events,
            memory=parse_bytes(options.memory),
            temporary=options.temporary or shop.scratch,
            threads=options.threads,
            progress=shop.progress,
        )

    wanted = {
        "max_phrase_length": options.max_phrase_length,
        "orientation_events": options.orientation_events,
    }
    needs = _counted(options)
    return BuildStep("phrase pairs", (COUNTS,), run, needs=needs, options=wanted, version=2)


def score_phrase_pairs(options: TrainingOptions, reordering: Sequence[str]) -> BuildStep:
    """Return the step that turns counts into the phrase table, reordering models included."""
    specs = [ReorderingSpec.parse(name) for name in reordering]

    def run(shop: Workshop) -> None:
        counts, lexicon = PhraseCounts.open(shop[COUNTS]), Lexicon.open(shop[LEXICON])
        table = build_table(
            counts,
            lexicon,
            shop[PHRASES],
            reordering=specs,
            smoothing=options.smoothing,
            min_count=options.min_count,
            threads=options.threads,
        )
        shop.progress(f"{len(table)} phrase pairs")

    wanted = {
        "smoothing": options.smoothing,
        "min_count": options.min_count,
        "reordering": [spec.name for spec in specs],
    }
    needs = (COUNTS, LEXICON)
    return BuildStep("phrase table", (PHRASES,), run, needs=needs, options=wanted, version=TABLE_VERSION)


def _counted(options: TrainingOptions) -> tuple[str, ...]:
    """Return the files that counts depend on."""
    return (*ALIGNED, *_joined(options), *((FOLDS,) if options.folds else ()))


def _joined(options: TrainingOptions) -> list[str]:
    return [joined_alignment(name) for name in options.joined_aligners]


def _read_counted(
    shop: Workshop, options: TrainingOptions
) -> tuple[Bitext, list[Alignments], IntArray | None]:
    """Read the text, its alignments by each aligner, and its folds."""
    bitext, alignments = read_aligned(shop)
    further = [Alignments.read(shop[name], bitext) for name in _joined(options)]
    return bitext, [alignments, *further], read_folds(shop[FOLDS]) if options.folds else None
