"""A function over many forests."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tunesmith.forest import Edge, Forest, build_forest, log_partition, map_forests


def many(count: int) -> list[Forest]:
    return [build_forest([[Edge((), ("a",), {"f": float(n)})]]) for n in range(count)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order(threads: int):
    found = map_forests(lambda forest: log_partition(forest, {"f": 2.0}), many(100), threads=threads)
    assert found == [2.0 * n for n in range(100)]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_forest_that_fails_is_told(threads: int):
    def fail(number: int) -> int:
        if number in (7, 30, 31):
            raise ValueError(f"forest {number}")
        return number

    with pytest.raises(ValueError, match="forest 7"):
        map_forests(fail, range(100), threads=threads)


def test_a_stream_is_read_only_a_little_ahead():
    lock = threading.Lock()
    done = 0
    ahead: list[int] = []

    def stream() -> Iterator[int]:
        for number in range(200):
            with lock:
                ahead.append(number - done)
            yield number

    def work(number: int) -> int:
        nonlocal done
        with lock:
            done += 1
        return number

    assert map_forests(work, stream(), threads=2) == list(range(200))
    assert max(ahead) <= 9


def test_of_no_forests_there_are_no_results():
    assert map_forests(len, [], threads=2) == []
