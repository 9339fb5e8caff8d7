"""Merging of tables: linear interpolation and fill-up."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.tables.filter import builder_like, notes_of
from tunesmith.tables.phrase_table import PhraseTable
from tunesmith.tables.significance import instances_of

__all__ = ["interpolate_tables", "merge_tables"]


def interpolate_tables(
    tables: Sequence[PhraseTable],
    mixture_weights: Sequence[float] | Sequence[Sequence[float]],
    output: PathLike,
) -> PhraseTable:
    """Write p(pair) = sum_k w_k p_k(pair), of `mixture_weights` w; a table without the pair adds 0.

    These are one number per table, or one such vector per score (Sennrich 2012), of which score i takes the
    i-th. Each vector is nonnegative and sums to 1. For all else the mean of the vectors counts.
    Reordering probabilities are distributions given the pair: weights are renormalized over the tables that
    contain it. Counts are summed over tables with a positive weight: c(f, e) over those with the pair, c(f)
    and c(e) over those with the phrase. The alignment is taken from the table of the highest weight with the
    pair. O(pairs), with one look-up per source phrase and table.
    """
    _check_alike(tables)
    vectors = _vectors(tables, mixture_weights)
    first, *others = vectors
    same = all(vector == first for vector in others)
    mean = first if same else [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
    used = [table for table, weight in zip(tables, mean, strict=True) if weight > 0]
    with builder_like(tables[0], output) as builder:
        _native.interpolate_tables(
            [table.native for table in tables],
            mean,
            [] if same else [weight for vector in vectors for weight in vector],
            builder.native,
            notes_of(tables[0], instances=sum(map(instances_of, used))),
        )
    return PhraseTable.open(output)


def _vectors(
    tables: Sequence[PhraseTable], mixture_weights: Sequence[float] | Sequence[Sequence[float]]
) -> list[list[float]]:
    """Return one vector of weights for all scores, or one per score."""
    nested = [each for each in mixture_weights if isinstance(each, Sequence)]
    if nested and len(nested) < len(mixture_weights):
        raise OptionError("{} must be numbers, or one list of numbers per score, not both", "mixture_weights")
    vectors = [[float(w) for w in each] for each in nested] or [[float(w) for w in mixture_weights]]  # type: ignore[arg-type]
    if nested and len(vectors) != len(tables[0].score_names):
        raise OptionError(
            "{} has {found} vectors for {count} scores ({names}); give one for each, or one for all",
            "mixture_weights",
            found=len(vectors),
            count=len(tables[0].score_names),
            names=", ".join(tables[0].score_names),
        )
    for vector in vectors:
        if len(vector) != len(tables):
            raise OptionError(
                "{tables} tables have {found} {}", "mixture_weights", tables=len(tables), found=len(vector)
            )
        if not all(weight >= 0 for weight in vector) or not math.isclose(sum(vector), 1.0, abs_tol=1e-6):
            raise OptionError(
                "{} must be at least 0 and sum to 1, not {found}", "mixture_weights", found=vector
            )
    return vectors


def merge_tables(tables: Sequence[PhraseTable], output: PathLike, *, indicators: bool = False) -> PhraseTable:
    """Write each pair as in the first table that contains it: fill-up (Bisazza et al. 2011).

    `indicators` adds one score per table after the first: e = 2.718 if the pair is from that table, else 1,
    so that its log is 1 or 0. Counts of a pair are those of its table; the number of instances noted in the
    result is the maximum over the tables.
    """
    _check_alike(tables)
    more = tuple(f"from_table_{number}" for number in range(1, len(tables))) if indicators else ()
    with builder_like(tables[0], output, more) as builder:
        _native.fill_up_tables(
            [table.native for table in tables],
            indicators,
            builder.native,
            notes_of(tables[0], more, instances=max(map(instances_of, tables))),
        )
    return PhraseTable.open(output)


def _check_alike(tables: Sequence[PhraseTable]) -> None:
    if len(tables) < 2:
        raise OptionError(f"expected two or more tables to join, found {len(tables)}")
    first = tables[0]
    for table in tables[1:]:
        if table.score_names != first.score_names:
            found, expected = ", ".join(table.score_names), ", ".join(first.score_names)
            raise InputError(f"has the scores {found}; expected {expected}, as {first.path}", path=table.path)
        if table.reordering_models != first.reordering_models:
            models, others = table.reordering_models, first.reordering_models
            raise InputError(
                f"has the reordering models {models}; expected {others}, as {first.path}", path=table.path
            )
