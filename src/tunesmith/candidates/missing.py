"""Missing values of features: found, and refused or filled by a rule.

A feature that a candidate has by name but without a value (an empty cell, null, None, NaN) is missing there;
one that it does not have at all is absent, which is zero, as sparse features are. A feature that nearly all
candidates have, or most with values far from zero, is hardly sparse, so that those without it are reported,
and filled like missing ones if a rule is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import Features, MatrixArrays, default_names
from tunesmith.candidates.names import first_names
from tunesmith.candidates.user_call import warn_user
from tunesmith.errors import IgnoredInputWarning, InputError, Message, OptionError, TunesmithWarning
from tunesmith.immutable import seal
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["ASK", "Gaps", "Missing", "missing_rule", "with_remedy"]

Rule: TypeAlias = Literal["error", "absent", "worst", "mean"]
Missing: TypeAlias = Rule | float
"""What a missing value counts as: a number, the mean or the least value of the feature in the list, or 0 as
if the feature were absent."""

Filled: TypeAlias = tuple[int, IntArray]
"""The column of a feature and the rows in which it was filled."""

NEARLY = 0.99
"""Share of the candidates that have a feature which the others hardly lack on purpose."""
MOST = 0.5
"""The same share for a feature whose values are never near zero, where absence would say zero."""
NEAR_ZERO = 0.01
"""A value is near zero if its size is below this share of the mean size of the feature's values."""
COUNTS = 0.1
"""Share of whole numbers from which on a feature may be a count: those of decoders are absent where zero."""
FEWEST = 20
"""Candidates of which most have a feature by chance hardly ever."""

ASK = "; say by {} what it counts as: 'worst', 'mean', 'absent' or a number"

_NUMBERS_ONLY = (
    "; each value in this format is a number, and {} cannot fill it: leave the feature out where it has none,"
    " or write the lists as jsonl with null"
)

_MEANINGS = {
    "worst": "the least value of their list",
    "mean": "the mean of their list",
    "absent": "absent features, which are 0",
}


def missing_rule(given: object) -> Missing | None:
    """Return the rule that `missing` names, None if it is not given; a text may be a number."""
    if given is None or given in get_args(Rule):
        return given  # type: ignore[return-value]
    try:
        value = np.nan if isinstance(given, bool) else float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        names = ", ".join(get_args(Rule))
        wrong = "{} cannot be {given!r}; expected {names} or a number"
        raise OptionError(wrong, "missing", given=given, names=names)
    return value


@dataclass(frozen=True)
class Gaps:
    """The rule for missing values, and the lists: list g is the rows `offsets[g]` to `offsets[g + 1]`.

    `worst` is the least value of the feature in the candidate's list, `mean` its mean there; in a list
    without any, those of all candidates. `lines` are those of the rows in a file, if known; `scored` is
    whether columns can be named as scores, which errors then recommend for those that are.
    """

    rule: Missing | None
    offsets: IntArray
    ids: Sequence[str]
    lines: Sequence[int] = ()
    scored: bool = False

    def dense(self, matrix: FloatArray, names: Sequence[str] | None = None) -> Features:
        """Return the features of a matrix [candidates, features], in which NaN is missing."""
        if not np.isnan(matrix).any():
            return Features.from_dense(matrix, names)
        rows, width = matrix.shape
        return self.features(
            default_names(width) if names is None else tuple(names),
            np.arange(rows + 1, dtype=np.int64) * width,
            np.tile(np.arange(width, dtype=np.int32), rows),
            np.ascontiguousarray(matrix).reshape(-1),
        )

    def sparse(self, matrix: Any, names: Sequence[str] | None = None, *, absent: bool = False) -> Features:
        """Return the features of a scipy matrix, in which NaN is missing; repeated entries are summed.

        `absent` is as in `features`.
        """
        rows = matrix.tocsr()
        if not np.isnan(rows.data).any():
            features = Features.from_scipy(matrix, names)
            return self._said(*self._with_absent(features)) if absent else features
        rows = rows.copy()
        rows.sum_duplicates()
        own = default_names(rows.shape[1]) if names is None else tuple(names)
        arrays = rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
        return self.features(own, *arrays, absent=absent)

    def features(
        self,
        names: tuple[str, ...],
        offsets: IntArray,
        columns: npt.NDArray[np.int32],
        values: FloatArray,
        *,
        absent: bool = False,
    ) -> Features:
        """Return the features of compressed rows in which NaN is missing.

        With `absent`, those that are hardly sparse are filled where they are absent if a rule is given;
        without a rule, a warning names them.
        """
        features, filled = self._without_gaps(names, offsets, columns, values)
        if absent:
            features, more = self._with_absent(features)
            filled = [*filled, *more]
        return self._said(features, filled)

    def _without_gaps(
        self, names: tuple[str, ...], offsets: IntArray, columns: npt.NDArray[np.int32], values: FloatArray
    ) -> tuple[Features, list[Filled]]:
        """Return features with missing values filled, and what was filled."""
        gaps = np.isnan(values)
        if not gaps.any():
            return Features(names, offsets, columns, values), []
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        if self.rule is None or self.rule == "error":
            raise self._missing(names, columns, rows, gaps)
        lacking = np.unique(columns[gaps]).tolist()
        if self.rule == "absent":
            kept = np.append(0, np.cumsum(~gaps))[offsets]
            features = Features(names, seal(kept), seal(columns[~gaps]), values[~gaps])
        else:
            filled = values.copy()
            for column in lacking:
                own = columns == column
                at, known = own & gaps, own & ~gaps
                filled[at] = self._estimates(names[column], rows[known], values[known], rows[at])
            features = Features(names, offsets, columns, filled)
        return features, [(column, rows[gaps & (columns == column)]) for column in lacking]

    def _with_absent(self, features: Features) -> tuple[Features, list[Filled]]:
        """Return features that are hardly sparse filled where absent, and what was filled."""
        if self.rule == "absent":
            return features, []
        few = _hardly_sparse(features.flat)
        if few.any() and self.rule is not None:
            return self._filled(features.flat, few)
        if few.any():
            self._warn_of_absent(features.flat, few)
        return features, []

    def filled(self, features: Features, few: BoolArray) -> Features:
        """Return the features with those in the mask `few` filled by the rule where they are absent."""
        return self._said(*self._filled(features.flat, few))

    def _filled(self, flat: Features, few: BoolArray) -> tuple[Features, list[Filled]]:
        rows = np.repeat(np.arange(len(flat)), np.diff(flat.offsets))
        added: list[tuple[IntArray, int, FloatArray]] = []
        filled: list[Filled] = []
        for column in np.flatnonzero(few).tolist():
            own = flat.columns == column
            gaps = np.setdiff1d(np.arange(len(flat)), rows[own], assume_unique=True)
            if self.rule == "error":
                raise self._error(flat.names[column], len(gaps), int(gaps[0]), "is absent")
            filled.append((column, gaps))
            if self.rule != "absent":
                values = self._estimates(flat.names[column], rows[own], flat.values[own], gaps)
                added.append((gaps, column, values))
        return _inserted(flat, added) if added else flat, filled

    def _estimates(self, name: str, known: IntArray, values: FloatArray, gaps: IntArray) -> FloatArray:
        """Return values for rows without one, given the rows that have one and these values."""
        if not isinstance(self.rule, str):
            return np.full(len(gaps), self.rule, dtype=np.float64)
        if not len(values):
            raise InputError(
                "feature {name!r} has no value in any candidate: there is no {rule} of it; remove it, or give"
                " a number as {}",
                "missing",
                name=name,
                rule=self.rule,
            )
        lists = len(self.offsets) - 1
        of_known, of_gaps = (np.searchsorted(self.offsets, each, side="right") - 1 for each in (known, gaps))
        if self.rule == "worst":
            least = np.full(lists, values.min())
            largest = np.full(lists, np.inf)
            np.minimum.at(largest, of_known, values)
            return np.where(np.isinf(largest), least, largest)[of_gaps]
        counts = np.bincount(of_known, minlength=lists)
        sums = np.bincount(of_known, weights=values, minlength=lists)
        means: FloatArray = np.where(counts > 0, sums / np.maximum(counts, 1), values.mean())
        return means[of_gaps]

    def _missing(
        self, names: tuple[str, ...], columns: npt.NDArray[np.int32], rows: IntArray, gaps: BoolArray
    ) -> InputError:
        column = int(columns[gaps][0])
        own = rows[gaps & (columns == column)]
        return self._error(names[column], len(own), int(own[0]), "has no value")

    def _error(self, name: str, count: int, row: int, what: str) -> InputError:
        score = "; if it is a score, name it by {}" if self.scored else ""
        return InputError(
            "feature {name!r} {what} in {count:,} of {all:,} candidates, the first in {place}" + ASK + score,
            *(["missing", "scores"] if self.scored else ["missing"]),
            line=self.lines[row] if len(self.lines) else None,
            name=name,
            what=what,
            count=count,
            all=int(self.offsets[-1]),
            place=self._place(row),
        )

    def _place(self, row: int) -> str:
        place = int(np.searchsorted(self.offsets, row, side="right")) - 1
        return f"row {row} (sentence {self.ids[place]!r})"

    def _warn_of_absent(self, features: Features, few: BoolArray) -> None:
        counts = np.bincount(features.columns, minlength=features.width)
        lacking = np.where(few, len(features) - counts, 0)
        column = int(np.flatnonzero(lacking)[0])
        has = np.zeros(len(features), dtype=np.bool_)
        has[np.repeat(np.arange(len(features)), np.diff(features.offsets))[features.columns == column]] = True
        nearly = bool((lacking <= (1.0 - NEARLY) * len(features)).all())
        message = Message(
            "features that {share} candidates have are absent in {some} of {all:,}, where they count 0 as"
            " sparse features do: {names}, the first in {place}" + ASK,
            "missing",
            share="nearly all" if nearly else "most",
            some="a few" if nearly else "some",
            all=len(features),
            names=_counted(features.names, lacking),
            place=self._place(int(np.argmin(has))),
        )
        warn_user(TunesmithWarning(message))

    def _said(self, features: Features, filled: list[Filled]) -> Features:
        """Return the features, and say what was filled."""
        if not filled:
            return features
        counts = np.zeros(features.width, dtype=np.int64)
        for column, rows in filled:
            counts[column] += len(rows)
        first = min(int(rows.min()) for _, rows in filled)
        message = Message(
            "missing values of {names}, the first in {place}, count as {meaning} ({}: {rule})",
            "missing",
            names=_counted(features.names, counts),
            place=self._place(first) + (f" of line {self.lines[first]}" if len(self.lines) else ""),
            meaning=_MEANINGS.get(str(self.rule), str(self.rule)),
            rule=self.rule,
        )
        warn_user(IgnoredInputWarning(message))
        return features


def with_remedy(error: InputError) -> InputError:
    """Return an error of a parser that says what to do about a value that is missing, other errors unchanged.

    JSON has a word for a missing value, null; in lists of decoders and in score files each value is a number.
    """
    if "has no value (null)" in error.message:
        remedy = ASK
    elif re.search(r"\b(is|found) '?[+-]?nan'?;", error.message, re.IGNORECASE):
        remedy = _NUMBERS_ONLY
    else:
        return error
    return InputError(
        "{found}" + remedy, "missing", path=error.path, line=error.line, found=str(error.message)
    )


def _hardly_sparse(features: Features) -> BoolArray:
    """Return the mask of features that some candidates lack, but hardly on purpose. O(entries).

    Nearly all candidates have them; or most do, with values of one sign that are no counts and never near
    zero: where a decoder leaves out zeros, values between these and zero occur too.
    """
    counts = np.bincount(features.columns, minlength=features.width)
    some = counts < len(features)
    few: BoolArray = some & (counts >= NEARLY * len(features))
    asked = some & (counts >= max(FEWEST, MOST * len(features))) & ~few
    for column in np.flatnonzero(asked).tolist():
        values = features.values[features.columns == column]
        sizes = np.abs(values)
        one_sign = bool((values > 0).all() or (values < 0).all())
        is_count = np.count_nonzero(values == np.round(values)) >= COUNTS * len(values)
        few[column] = one_sign and not is_count and bool(sizes.min() >= NEAR_ZERO * sizes.mean())
    return few


def _counted(names: Sequence[str], counts: IntArray) -> str:
    return first_names(
        [f"{names[column]!r} ({counts[column]:,})" for column in np.flatnonzero(counts).tolist()]
    )


def _inserted(features: Features, added: Sequence[tuple[IntArray, int, FloatArray]]) -> Features:
    """Return the features with further entries: the rows, column and values of each."""
    from scipy.sparse import coo_array

    old: MatrixArrays = features.arrays
    rows = np.repeat(np.arange(len(features)), np.diff(old[0]))
    parts = [(rows, old[1], old[2])]
    parts += [(gaps, np.full(len(gaps), column), values) for gaps, column, values in added]
    places, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    shape = (len(features), features.width)
    return Features.from_scipy(coo_array((values, (places, columns)), shape=shape), features.names)
