"""Metadata of a table's file: the names of its scores and its reordering models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

__all__ = ["MOSES_SCORES", "note", "order_of", "score_names"]

MOSES_SCORES = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")
"""The scores of a phrase pair, in Moses' order; f is the source, e the target."""

_RANKED_BY = "p(e|f)"


def score_names(count: int) -> tuple[str, ...]:
    """Return default names by number of scores; old tables have a constant 2.718 as fifth score."""
    if count < len(MOSES_SCORES):
        return tuple(f"score_{number}" for number in range(count))
    more = range(len(MOSES_SCORES), count)
    return MOSES_SCORES + tuple("phrase_penalty" if number == 4 else f"score_{number}" for number in more)


def order_of(names: Sequence[str]) -> int:
    """Return the sort key among scores: p(e|f), else the third, else the last."""
    return names.index(_RANKED_BY) if _RANKED_BY in names else min(2, len(names) - 1)


def note(scores: Sequence[str], reordering: Iterable[tuple[str, int]], **about: object) -> str:
    """Return the table's notes as JSON; `reordering` are types and numbers of probabilities."""
    models = [{"type": kind, "width": width} for kind, width in reordering]
    record = {**about, "scores": list(scores), "reordering": models}
    return json.dumps(record, ensure_ascii=False, sort_keys=True)
