"""Constraints of a request on the phrases of its translation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.options import check_options
from tunesmith.types import Int32Array

__all__ = ["GivenPhrase", "LeaveOneOut", "Relaxation"]


@dataclass(frozen=True)
class GivenPhrase:
    """A translation of the source words [begin, end), given by the request.

    Its log probability is spread evenly over the scores of the model's first phrase table, as in Moses. It
    has no reordering scores. Its words need not be in any table.
    """

    begin: int
    end: int
    target: str
    probability: float = 1.0

    @classmethod
    def of(cls, phrase: GivenPhrase | tuple[int, int, str] | tuple[int, int, str, float]) -> GivenPhrase:
        """Return the phrase, converting a tuple of its fields."""
        given = phrase if isinstance(phrase, cls) else cls(*phrase)  # type: ignore[misc]
        check_options(given, "phrase")
        return given


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """A sentence pair whose counts are subtracted from the first phrase table (Wuebker et al. 2010).

    With own counts, those of the phrases that `links` allow in the pair itself:
    p(e|f) = (c(f,e) - own(f,e)) / (c(f) - own(f)), and likewise p(f|e). If no count is left, both are
    exp(singleton * (words of f + words of e)), or exp(singleton) if not `by_length`. Lexical weights and
    reordering do not change.
    """

    links: Int32Array
    max_length: int = 7
    singleton: float = -5.0
    by_length: bool = True
    columns: tuple[int, int] = (0, 2)
    """The columns of p(f|e) and p(e|f) among the scores."""

    def native(self) -> _native.LeaveOneOut:
        """Return the native form."""
        links = np.ascontiguousarray(self.links, dtype=np.int32).reshape(-1, 2)
        return _native.LeaveOneOut(links, self.max_length, self.singleton, self.by_length, *self.columns)


@dataclass(frozen=True)
class Relaxation:
    """Relaxed limits for reaching a required target.

    `table_limit` replaces the decoder's (0: unlimited); `drop_words` allows to drop any source word at the
    cost of an unknown word.
    """

    table_limit: int | None = None
    drop_words: bool = False


def native_constraints(
    phrases: Iterable[GivenPhrase], exclusive: bool, leave_one_out: LeaveOneOut | None, relaxation: Relaxation
) -> _native.PhraseConstraints:
    """Return the native form of the constraints."""
    constraints = _native.PhraseConstraints()
    rows = [(phrase.begin, phrase.end, phrase.target, phrase.probability) for phrase in phrases]
    constraints.set_phrases(rows, exclusive)
    constraints.leave_one_out = None if leave_one_out is None else leave_one_out.native()
    constraints.table_limit, constraints.drops_words = relaxation.table_limit, relaxation.drop_words
    return constraints
