"""What a worker has open from one shard to the next: a model is loaded once per process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, TypeVar

__all__ = ["kept", "let_go"]

Opened = TypeVar("Opened")

_kept: tuple[object, Any, ExitStack] | None = None


def kept(key: object, open_: Callable[[ExitStack], Opened]) -> Opened:
    """Return what this process has open under an equal key; if it is another one, close that and open this.

    Only one is open at a time: the tables of folds are large, and neighboring shards are of the same fold.
    What `open_` enters into the stack is closed with it.
    """
    global _kept
    if _kept is None or _kept[0] != key:
        let_go()
        with ExitStack() as stack:
            opened = open_(stack)
            _kept = key, opened, stack.pop_all()
    found: Opened = _kept[1]
    return found


def let_go() -> None:
    """Close what this process has open."""
    global _kept
    if _kept is not None:
        (*_, stack), _kept = _kept, None
        stack.close()
