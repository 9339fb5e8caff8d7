"""A function over many forests at once."""

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
"""How many items wait for each thread: few enough that a stream of forests is not held in memory."""


def map_forests(
    function: Callable[[Item], Result], forests: Iterable[Item], *, threads: int | None = None
) -> list[Result]:
    """Return `function(forest)` of each forest, in order, computed on threads; native work runs side by side.

    Items may be anything that holds a forest, such as pairs of forest and scores. The exception of the first
    forest that fails is raised; forests far behind it are not taken up.
    """
    return list(each_forest(function, forests, threads=threads))


def each_forest(
    function: Callable[[Item], Result], forests: Iterable[Item], *, threads: int | None = None
) -> Iterator[Result]:
    """Yield what `map_forests` returns, one by one: only a few results wait to be taken."""
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
