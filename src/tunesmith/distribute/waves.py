"""Many shards, made when they are due: what corpora are cut into."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from tunesmith.distribute.base import Executor, Progress, Result, Shard, ShardFunction
from tunesmith.distribute.kept import let_go

__all__ = ["map_in_waves"]

WAVE = 1000
"""Shards that are in memory at once: those of half a million sentences, a few hundred megabytes of text."""


def map_in_waves(
    executor: Executor,
    function: ShardFunction[Shard, Result],
    shards: Iterable[Shard],
    finished: Callable[[int, Result], None],
    *,
    in_order: bool = False,
    progress: Progress | None = None,
    wave: int = WAVE,
) -> None:
    """Call a function for each shard, and `finished` with the number and the result of each.

    `finished` is called when a shard is, in whatever order, so that its work is not lost if others fail; or
    with `in_order` when all before it are finished, too: then outputs of parts can be appended to files.
    Shards may contain the lines that they are about; no more than a `wave` of them is made ahead.
    """
    waiting: dict[int, Result] = {}
    first, due = 0, 0

    def take(number: int, result: Result) -> None:
        nonlocal due
        if not in_order:
            finished(first + number, result)
            return
        waiting[first + number] = result
        while due in waiting:
            finished(due, waiting.pop(due))
            due += 1

    def heard(number: int, value: object) -> None:
        if progress is not None:
            progress(first + number, value)

    left = iter(shards)
    try:
        while part := list(islice(left, wave)):
            executor.map_shards(function, part, progress=heard, done=take)
            first += len(part)
    finally:
        let_go()  # shards may have run in this process
