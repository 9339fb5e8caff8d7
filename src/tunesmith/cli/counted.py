"""Numbers with their nouns, in singular or plural."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """Return `1 list` or `2 lists`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
