"""Significance pruning of phrase pairs by Fisher's exact test."""

from __future__ import annotations

import math

from tunesmith import _native
from tunesmith.corpus import Bitext
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.options import check_option
from tunesmith.tables.filter import builder_like, notes_of
from tunesmith.tables.phrase_table import PhraseTable

__all__ = ["instances_of", "log_significance", "prune_significance"]

EPSILON = 1e-3


def log_significance(*, source: int, target: int, joint: int, total: int) -> float:
    """Return -ln p of Fisher's exact test, one-sided, for two phrases among `total` sentence pairs.

    p = sum_{k = joint}^{min(source, target)} C(source, k) C(total - source, target - k) / C(total, target),
    the probability that independent phrases co-occur in at least `joint` sentence pairs.
    """
    return _native.log_significance(source=source, target=target, joint=joint, total=total)


def prune_significance(
    table: PhraseTable,
    output: PathLike,
    *,
    bitext: Bitext | None = None,
    total: int | None = None,
    threshold: float | str = "alpha+epsilon",
) -> PhraseTable:
    """Write the pairs whose -ln p is at least the threshold (Johnson et al. 2007).

    With `bitext`, counts are numbers of sentence pairs that contain a phrase, as in the paper. Without, they
    are the table's counts of extracted phrases among `total` [default: the number of extracted pairs noted in
    the table, else (in a table read from text) the sum of the pairs' counts]. alpha = ln N is the value of
    pairs that occur once and whose phrases occur once: `alpha+epsilon` drops them, `alpha-epsilon` keeps them
    and drops less significant ones.
    """
    if bitext is not None and total is not None:
        raise OptionError("significance: give the bitext to count sentences, or {}; not both", "total")
    check_option("significance", "total", int | None, total)
    if total is None:
        total = len(bitext) if bitext is not None else instances_of(table)
    if not 1 <= total < 1 << 62:
        raise OptionError(
            "significance: {} must be at least 1, not {total}; are there counts?", "total", total=total
        )
    least = _threshold(threshold, total)
    counts = None
    if bitext is not None:
        source, target = bitext.source, bitext.target
        counts = _native.count_phrases(
            table.native,
            source.arrays,
            source.vocabulary.native.texts(),
            target.arrays,
            target.vocabulary.native.texts(),
        )
    with builder_like(table, output) as builder:
        _native.prune_significance(
            table.native,
            total=total,
            threshold=least,
            counts=counts,
            builder=builder.native,
            meta=notes_of(table),
        )
    return PhraseTable.open(output)


def instances_of(table: PhraseTable) -> int:
    """Return the number of extracted pairs noted in a table, or the sum of its counts."""
    return table.instances or _native.count_instances(table.native)


def _threshold(threshold: float | str, total: int) -> float:
    alpha = math.log(total)
    named = {"alpha+epsilon": alpha + EPSILON, "alpha-epsilon": alpha - EPSILON}
    if isinstance(threshold, str):
        if threshold not in named:
            raise OptionError(f"significance: the threshold must be a number or one of {', '.join(named)}")
        return named[threshold]
    if not math.isfinite(threshold):
        raise OptionError(f"significance: the threshold must be finite, not {threshold}")
    return float(threshold)
