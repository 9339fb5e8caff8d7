"""From counted phrase pairs to scored ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tunesmith import _native
from tunesmith.corpus import Sentences
from tunesmith.errors import OptionError
from tunesmith.extract.folds import check_excluded
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.moses_lexicon import MosesLexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.options import build, check_options, option, require_positive
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.threads import thread_count

__all__ = ["NO_REORDERING", "PhraseSmoothing", "ScoringOptions", "score_phrases"]

PhraseSmoothing: TypeAlias = Literal["good-turing", "kneser-ney"]
_SMOOTHING = {
    None: _native.PhraseSmoothing.NONE,
    "good-turing": _native.PhraseSmoothing.GOOD_TURING,
    "kneser-ney": _native.PhraseSmoothing.KNESER_NEY,
}

NO_REORDERING = "none"
"""In place of the names of reordering models: none is wanted."""


@dataclass(frozen=True)
class ScoringOptions:
    """Options of the scoring of phrase pairs, and their reordering models."""

    smoothing: PhraseSmoothing | None = option(
        None,
        help="Smoothing of phrase probabilities, {choices} (Foster, Kuhn and Johnson 2006) [default: no"
        " smoothing].",
    )
    min_count: int = option(
        0,
        help="Drop phrase pairs seen less often; they still count in denominators.",
        least=0,
        most=(1 << 63) - 1,
    )
    reordering: tuple[str, ...] = option(
        ("hier-mslr-bidirectional-fe",),
        help="A lexicalized reordering model, by its name in Moses; may be repeated; none: no such model.",
    )
    reordering_smoothing: float = option(0.5, help="Added to the count of each orientation.")

    def __post_init__(self) -> None:
        given = () if self.reordering in (NO_REORDERING, (NO_REORDERING,)) else self.reordering
        names = tuple(spec.name for spec in ReorderingSpec.listed(given))
        object.__setattr__(self, "reordering", names)
        check_options(self, "scoring")
        require_positive("scoring", reordering_smoothing=self.reordering_smoothing)

    @property
    def models(self) -> list[ReorderingSpec]:
        """The reordering models."""
        return ReorderingSpec.listed(self.reordering)


def score_phrases(
    counts: PhraseCounts,
    lexicon: Lexicon | MosesLexicon,
    sink: _native.PhraseSink,
    *,
    exclude_fold: int | None = None,
    only: Sentences | None = None,
    threads: int | None = None,
    **options: Any,
) -> int:
    """Stream all phrase pairs, grouped by source phrase, into a sink; return their number.

    `options` are those of `ScoringOptions`. The scores are p(f|e) lex(f|e) p(e|f) lex(e|f), as in Moses:
    relative frequencies, possibly discounted, and the lexical weights of the most frequent inner alignment. A
    reordering model gives (count + s) / (total + k s) for each of its k classes, s being
    `reordering_smoothing`. With `exclude_fold` all counts are without the fold's sentences. With `only`,
    sentences in the source vocabulary of the counts, source phrases that are not in them are left out, but
    for a few with equal hashes; scores stay what they are.
    """
    chosen = build(ScoringOptions, "scoring", options)
    check_excluded(exclude_fold, counts.folds)
    words = counts.source_vocabulary, counts.target_vocabulary
    if isinstance(lexicon, MosesLexicon):
        if exclude_fold is not None:
            raise OptionError("{} needs the counts of a lexicon; Moses' files have none", "exclude_fold")
        probabilities = lexicon.numbered(*words)
    else:
        if exclude_fold is not None and lexicon.fold_count != counts.folds:
            raise OptionError(
                f"the lexicon was counted in {lexicon.fold_count} folds, the phrases in {counts.folds};"
                " give both the same fold numbers"
            )
        probabilities = lexicon.renumbered(*words).probabilities(exclude_fold)
    return _native.score_phrases(
        counts.native,
        probabilities,
        sink,
        _SMOOTHING[chosen.smoothing],
        chosen.min_count,
        [spec.native for spec in chosen.models],
        chosen.reordering_smoothing,
        -1 if exclude_fold is None else exclude_fold,
        thread_count(threads),
        None if only is None else only.arrays,
    )
