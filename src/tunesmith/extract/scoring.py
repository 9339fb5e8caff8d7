"""From counted phrase pairs to scored ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from tunesmith import _native
from tunesmith.errors import OptionError, suggest
from tunesmith.extract.folds import check_excluded
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.options import check_option
from tunesmith.threads import thread_count

__all__ = ["DEFAULT_REORDERING", "PhraseSmoothing", "check_scoring", "score_phrases"]

PhraseSmoothing: TypeAlias = Literal["good-turing", "kneser-ney"]
_SMOOTHING = {
    None: _native.PhraseSmoothing.NONE,
    "good-turing": _native.PhraseSmoothing.GOOD_TURING,
    "kneser-ney": _native.PhraseSmoothing.KNESER_NEY,
}
DEFAULT_REORDERING = ("hier-mslr-bidirectional-fe",)


def check_scoring(
    *, smoothing: str | None = None, min_count: int = 0, reordering_smoothing: float = 0.5
) -> None:
    """Raise OptionError where one of these options of `score_phrases` is wrong."""
    if smoothing not in _SMOOTHING:
        hint = suggest(str(smoothing), get_args(PhraseSmoothing))
        raise OptionError(f"phrase tables have no smoothing {smoothing!r}{hint}")
    check_option("scoring", "min_count", int, min_count)
    if not 0 <= min_count < 1 << 63:
        raise OptionError(f"min_count must not be negative, nor 2^63 or more, as {min_count} is")
    check_option("scoring", "reordering_smoothing", float, reordering_smoothing)
    if not reordering_smoothing > 0:
        raise OptionError(f"reordering_smoothing must be above 0, not {reordering_smoothing}")


def score_phrases(
    counts: PhraseCounts,
    lexicon: Lexicon,
    sink: _native.PhraseSink,
    *,
    smoothing: PhraseSmoothing | None = None,
    min_count: int = 0,
    reordering: str | ReorderingSpec | Iterable[str | ReorderingSpec] = DEFAULT_REORDERING,
    reordering_smoothing: float = 0.5,
    exclude_fold: int | None = None,
    threads: int | None = None,
) -> int:
    """Stream all phrase pairs, grouped by source phrase, into a sink; return their number.

    The scores are p(f|e) lex(f|e) p(e|f) lex(e|f), as in Moses: relative frequencies (discounted by
    Good-Turing or Kneser-Ney: Foster, Kuhn and Johnson 2006) and the lexical weights of the most frequent
    inner alignment. A reordering model gives (count + s) / (total + k s) for each of its k classes, s being
    `reordering_smoothing`. Pairs seen less than `min_count` times are left out, but count in denominators.
    With `exclude_fold` everything is as if the fold's sentences had never been there.
    """
    check_scoring(smoothing=smoothing, min_count=min_count, reordering_smoothing=reordering_smoothing)
    specs = ReorderingSpec.listed(reordering)
    check_excluded(exclude_fold, counts.folds)
    if exclude_fold is not None and lexicon.fold_count != counts.folds:
        raise OptionError(
            f"the lexicon was counted in {lexicon.fold_count} folds, the phrases in {counts.folds};"
            " give both the same fold numbers"
        )
    return _native.score_phrases(
        counts.native,
        lexicon.renumbered(counts.source_vocabulary, counts.target_vocabulary).probabilities(exclude_fold),
        sink,
        _SMOOTHING[smoothing],
        min_count,
        [spec.native for spec in specs],
        reordering_smoothing,
        -1 if exclude_fold is None else exclude_fold,
        thread_count(threads),
    )
