"""Phrase tables of the pairs that derivations use."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.corpus import Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.scoring import PhraseSmoothing
from tunesmith.extract.tables import build_table
from tunesmith.files import PathLike
from tunesmith.tables import PhraseTable
from tunesmith.tables.filter import builder_like, notes_of
from tunesmith.tables.notes import MOSES_SCORES
from tunesmith.tables.reordering import ReorderingSpec

__all__ = [
    "LEXICAL",
    "PROBABILITIES",
    "check_scores",
    "empty_lexicon",
    "reestimated_table",
    "replaced_scores",
]

PROBABILITIES, LEXICAL = ("p(f|e)", "p(e|f)"), ("lex(f|e)", "lex(e|f)")


def reestimated_table(
    uses: PhraseCounts,
    baseline: PhraseTable,
    output: PathLike,
    *,
    orientations: PhraseCounts | None = None,
    keep_reordering: bool = False,
    lexicon: Lexicon | None = None,
    smoothing: PhraseSmoothing | None = None,
    scratch: PathLike,
    threads: int | None = None,
) -> PhraseTable:
    """Write the table of the used pairs, with the scores and reordering models of the baseline.

    p(f|e) and p(e|f) are relative frequencies of the uses, smoothed as in training; with a `lexicon`, lexical
    weights are computed by it. All other scores, and the links, are those of the baseline. Probabilities of
    reordering are those of `orientations` (see `count_uses`), or of the uses, or with `keep_reordering` of
    the baseline; a pair without a count there, which has no link, has even ones. Tables of single parts go to
    the folder `scratch`. O(used pairs).
    """
    check_scores(baseline)
    specs = _specs(baseline)
    words = lexicon if lexicon is not None else empty_lexicon()
    own = [] if orientations is not None or keep_reordering else specs
    scored = build_table(
        uses, words, Path(scratch) / "uses.bin", reordering=own, smoothing=smoothing, threads=threads
    )
    oriented = baseline if keep_reordering else _oriented(orientations, specs, Path(scratch), threads)
    columns = _columns(baseline, replaced_scores(relex=lexicon is not None))
    with builder_like(baseline, output) as builder:
        _native.write_reestimated(
            scored.native,
            baseline.native,
            None if oriented is None else oriented.native,
            columns,
            [1 / len(spec.labels) for spec in specs for _ in spec.columns],
            builder.native,
            notes_of(baseline, instances=uses.instances),
        )
    return PhraseTable.open(output)


def _oriented(
    counts: PhraseCounts | None, specs: list[ReorderingSpec], scratch: Path, threads: int | None
) -> PhraseTable | None:
    """Return a table with the reordering models of counts; None without any."""
    if counts is None or not specs:
        return None
    path = scratch / "orientations.bin"
    return build_table(counts, empty_lexicon(), path, reordering=specs, threads=threads)


def _columns(table: PhraseTable, replaced: tuple[str, ...]) -> list[int]:
    """Return the column of a trained table for each score that is replaced, and -1 for others."""
    return [MOSES_SCORES.index(name) if name in replaced else -1 for name in table.score_names]


def replaced_scores(*, relex: bool) -> tuple[str, ...]:
    """Return the names of the scores that are re-estimated; the others are kept."""
    return PROBABILITIES + (LEXICAL if relex else ())


def check_scores(table: PhraseTable) -> None:
    """Raise InputError unless a table has what can be re-estimated."""
    missing = [name for name in PROBABILITIES if name not in table.score_names]
    if missing:
        found = ", ".join(table.score_names)
        raise InputError(f"has no score {missing[0]}, which is re-estimated; it has {found}", path=table.path)
    if table.sparse_names:
        raise InputError("has sparse scores, which cannot be re-estimated", path=table.path)
    _specs(table)


def _specs(table: PhraseTable) -> list[ReorderingSpec]:
    return reordering_specs(table.reordering_models, table.path)


def reordering_specs(models: Collection[tuple[str, int]], path: PathLike) -> list[ReorderingSpec]:
    """Return the reordering models of a table by their types; an unknown type is an InputError."""
    specs = []
    for name, width in models:
        try:
            spec = ReorderingSpec.parse(name)
        except OptionError as error:
            raise InputError(
                f"has a reordering model that cannot be re-estimated: {error.message}", path=path
            ) from None
        if len(spec.columns) != width:
            raise InputError(
                f"has a reordering model {name} of {width} probabilities; expected {len(spec.columns)}",
                path=path,
            )
        specs.append(spec)
    return specs


def empty_lexicon() -> Lexicon:
    """Return a lexicon for tables whose lexical weights are not used."""
    none = np.zeros(0, dtype=np.int32)
    return Lexicon(none, none, none, none.astype(np.int64), Vocabulary(), Vocabulary())
