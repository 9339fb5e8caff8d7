"""What labels of pandas objects say: which rows belong together, and which column of a target is which."""

from __future__ import annotations

from typing import Any

import numpy as np

from tunesmith.errors import InputError

__all__ = ["check_same_rows", "group_and_score"]

_NAMES = ("group", "score")


def check_same_rows(**given: Any) -> None:
    """Raise InputError unless all of these that have an index have the same one, in the same order.

    Rows are taken by place, which is wrong where labels of the same place differ. Objects without an index
    have no labels, and those of another length are reported elsewhere.
    """
    labeled = {name: each for name, each in given.items() if hasattr(each, "iloc")}
    first = next(iter(labeled), "")
    for name, each in labeled.items():
        known = labeled[first].index
        if len(each.index) != len(known) or each.index.equals(known):
            continue
        place = int(np.argmax([one != other for one, other in zip(known, each.index, strict=True)]))
        raise InputError(
            f"{name}: its rows have other labels than those of {first}, the first {each.index[place]!r} in"
            f" row {place}, where {first} has {known[place]!r}; align them: {name}.loc[{first}.index], or, if"
            f" rows belong together by their place, give {name}.to_numpy()"
        )


def group_and_score(y: Any) -> Any:
    """Return a target with its columns group and score in this order, by name if they have names."""
    columns = getattr(y, "columns", None)
    if columns is None or not any(isinstance(name, str) for name in columns):
        return y
    if sorted(map(str, columns)) != sorted(_NAMES):
        raise InputError(
            f"y: expected the columns 'group' and 'score', found {', '.join(map(repr, columns))}; rename"
            " them, or give groups=... and scores=..."
        )
    return y[list(_NAMES)]
