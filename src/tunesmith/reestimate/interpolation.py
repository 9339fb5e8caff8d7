"""Linear interpolation of a re-estimated table with the baseline, and its weight by EM."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.align import Aligner
from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import count_phrases
from tunesmith.extract.tables import build_table
from tunesmith.files import PathLike
from tunesmith.tables import PhraseTable
from tunesmith.tables.filter import builder_like, notes_of
from tunesmith.tables.significance import instances_of
from tunesmith.types import FloatArray

__all__ = ["MixtureFit", "fit_rows", "fit_weight", "interpolate_with", "pairs_of"]

CURVE = tuple(number / 10 for number in range(1, 10))
"""Weights at which the likelihood is reported."""
TOLERANCE, MOST_STEPS = 1e-6, 1000
EDGE = 0.001
"""Fitted weights keep this distance from 0 and 1, so that no table is lost."""
_RANKED_BY = "p(e|f)"


def interpolate_with(
    reestimated: PhraseTable,
    baseline: PhraseTable,
    output: PathLike,
    weight: float,
    replaced: Collection[str],
) -> PhraseTable:
    """Write p = weight p_reestimated + (1 - weight) p_baseline for each of the `replaced` scores.

    A pair that a table lacks has probability 0 there. Other scores, which re-estimation keeps, are those of
    the baseline. Reordering probabilities are distributions given a pair: a table without the pair has no
    part in them. Counts are summed. O(pairs).
    """
    if not 0 < weight < 1:
        raise OptionError("{} must be between 0 and 1, not {found}", "table_weight", found=weight)
    both = [reestimated, baseline]
    mixed, kept = (weight, 1 - weight), (0.0, 1.0)
    vectors = [mixed if name in replaced else kept for name in baseline.score_names]
    with builder_like(baseline, output) as builder:
        _native.interpolate_tables(
            [table.native for table in both],
            list(mixed),
            [value for vector in vectors for value in vector],
            builder.native,
            notes_of(baseline, instances=sum(map(instances_of, both))),
        )
    return PhraseTable.open(output)


@dataclass(frozen=True)
class MixtureFit:
    """A weight that was fitted to phrase pairs of a text, or given, and how well it and others fit.

    `curve` has, by weight, the perplexity 2 ** -(mean of log2 p(e|f)) over the pairs that count.
    """

    weight: float
    steps: int
    instances: float
    """Extracted phrase pairs of the text."""
    missing: float
    """Those of them that do not count: one table lacks the source phrase, or both lack the pair."""
    perplexity: float | None
    """None, and the curve empty, if no pair counts."""
    curve: dict[str, float]


def fit_weight(
    pairs: PhraseTable, reestimated: PhraseTable, baseline: PhraseTable, given: float | None = None
) -> MixtureFit:
    """Fit the weight l of the re-estimated table by EM, on the counts c(f, e) of a table of pairs.

    Maximizes sum c(f, e) log(l p_new(e|f) + (1 - l) p_old(e|f)), which is concave in l: each step makes l the
    mean of l p_new / (l p_new + (1 - l) p_old). Only pairs count whose source phrase both tables have, as a
    table without it has no distribution to compare, and of these only pairs that one of them has. The result
    stays 0.001 away from 0 and 1. A `given` weight is not fitted, only compared with others.
    """
    score = baseline.score_names.index(_RANKED_BY)
    rows = _native.matched_scores(pairs.native, [reestimated.native, baseline.native], score)
    return fit_rows(rows, given, "phrase pairs")


def fit_rows(rows: FloatArray, given: float | None, what: str) -> MixtureFit:
    """Fit the weight to rows of a count, p_new and p_old; a probability is -1 if its table has no such f.

    `what` names what is counted, for an error.
    """
    known = (rows[:, 1:] >= 0).all(axis=1) & (rows[:, 1:].max(axis=1, initial=0) > 0)
    if not known.any():
        if given is not None:
            return MixtureFit(given, 0, float(rows[:, 0].sum()), float(rows[:, 0].sum()), None, {})
        raise InputError(
            f"none of the {what} of the tuning text is in the tables; give {{}} a number",
            "table_weight",
        )
    counts, new, old = rows[known].T
    weight, before, steps = 0.5, 0.0, 0
    while given is None and abs(weight - before) >= TOLERANCE and steps < MOST_STEPS:
        shares = weight * new / (weight * new + (1 - weight) * old)
        before, weight = weight, float(counts @ shares / counts.sum())
        steps += 1
    weight = min(max(weight, EDGE), 1 - EDGE) if given is None else given
    return MixtureFit(
        weight,
        steps,
        float(rows[:, 0].sum()),
        float(rows[~known, 0].sum()),
        _perplexity(weight, counts, new, old),
        {f"{at:.1f}": _perplexity(at, counts, new, old) for at in CURVE},
    )


def _perplexity(weight: float, counts: FloatArray, new: FloatArray, old: FloatArray) -> float:
    logs = np.log2(weight * new + (1 - weight) * old)
    return float(2 ** -(counts @ logs / counts.sum()))


def pairs_of(
    bitext: Bitext,
    alignments: Alignments | Aligner,
    scratch: PathLike,
    *,
    symmetrize: str = "grow-diag-final-and",
    max_length: int = 7,
    threads: int | None = None,
) -> PhraseTable:
    """Return a table of the phrase pairs of a text, with their counts, written to the folder `scratch`."""
    if isinstance(alignments, Aligner):
        alignments = alignments.align(bitext, symmetrize, threads=threads)
    folder = Path(scratch)
    counts = count_phrases(
        bitext, alignments, path=folder / "tune-counts.bin", max_length=max_length, threads=threads
    )
    lexicon = Lexicon.estimate(bitext, alignments, threads=threads)
    return build_table(counts, lexicon, folder / "tune-pairs.bin", reordering=[], threads=threads)
