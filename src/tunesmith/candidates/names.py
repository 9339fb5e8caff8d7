"""Names of features and scores, as messages give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["count_names", "first_names", "repeated_names"]

SHOWN = 5


def first_names(names: Sequence[str], shown: int = SHOWN) -> str:
    """Return the first names and the number of others: `lm, tm ... and 3 more`."""
    more = f" ... and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def repeated_names(names: Iterable[str]) -> str:
    """Return the names that occur more than once as text, empty if there are none. O(names)."""
    twice = [repr(name) for name, count in Counter(names).items() if count > 1]
    others = f" (others that are repeated: {first_names(twice[1:])})" if twice[1:] else ""
    return twice[0] + others if twice else ""


def count_names(names: Sequence[str], noun: str) -> str:
    """Return the number of names and the first of them: `2 features (lm, tm)`."""
    return f"{len(names)} {noun} ({first_names(names)})" if names else f"0 {noun}"
