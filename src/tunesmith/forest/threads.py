"""Mapping a function over forests on several threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from tunesmith.threads import thread_count

__all__ = ["each_forest", "map_forests"]

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Queue length per thread: small, so that a stream of forests does not fill memory."""


def map_forests(
    function: Callable[[Item], Result], forests: Iterable[Item], *, threads: int | None = None
) -> list[Result]:
    """Return `function(forest)` of each forest, in order, computed on threads; native code runs in parallel.

    Items may be anything, such as pairs of forest and scores. The exception of the first item that fails is
    raised; items far behind it are not started.
    """
    return list(each_forest(function, forests, threads=threads))


def each_forest(
    function: Callable[[Item], Result], forests: Iterable[Item], *, threads: int | None = None
) -> Iterator[Result]:
    """Yield the results of `map_forests` one by one; only a few are computed ahead."""
    count = thread_count(threads)
    if count == 1:
        yield from map(function, forests)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(count) as pool:
        try:
            for forest in forests:
                if len(waiting) == AHEAD * count:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(function, forest))
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
