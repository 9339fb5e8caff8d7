"""Messages about weights that have no effect: how many, and some of their names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tunesmith.errors import nearest

__all__ = ["SHOWN", "unused_message"]

SHOWN = 3
"""Number of names in a message."""


def unused_message(names: Sequence[str], reason: str, known: Collection[str] = ()) -> str:
    """Return `3 weights have no effect, REASON: 'a', 'b', 'c'`, with the known name nearest to the first."""
    count = f"{len(names):,} weights have" if len(names) != 1 else "1 weight has"
    shown = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
    return f"{count} no effect, {reason}: {shown}{nearest(names[0], known)}"
