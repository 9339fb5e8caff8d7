"""Names of features and scores, as messages give them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["count_names", "first_names"]

SHOWN = 5


def first_names(names: Sequence[str], shown: int = SHOWN) -> str:
    """Return the first names and the number of others: `lm, tm ... and 3 more`."""
    more = f" ... and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def count_names(names: Sequence[str], noun: str) -> str:
    """Return the number of names and the first of them: `2 features (lm, tm)`."""
    return f"{len(names)} {noun} ({first_names(names)})" if names else f"0 {noun}"
