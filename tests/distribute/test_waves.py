"""Shards in waves: numbered through, made when they are due, and finished in order if that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.distribute.shard_functions import squared
from tests.distribute.shipping_executor import ShippingExecutor

from tunesmith.distribute import LocalExecutor
from tunesmith.distribute.kept import kept, let_go
from tunesmith.distribute.waves import map_in_waves


def test_numbers_go_on_from_wave_to_wave_and_shards_are_made_when_due() -> None:
    made: list[int] = []
    finished: list[tuple[int, int]] = []
    heard: list[tuple[int, str]] = []

    def shards() -> Iterator[int]:
        for number in range(5):
            assert len(finished) >= number - number % 2
            made.append(number)
            yield number

    map_in_waves(
        LocalExecutor(1),
        squared,
        shards(),
        lambda *found: finished.append(found),
        progress=lambda *found: heard.append(found),
        wave=2,
    )
    assert made == [0, 1, 2, 3, 4]
    assert finished == [(number, number**2) for number in range(5)]
    assert heard == [(number, f"at {number}") for number in range(5)]


def test_in_order_a_shard_waits_for_those_before_it(tmp_path: Path) -> None:
    for in_order, wanted in ((False, [2, 1, 0, 4, 3]), (True, [0, 1, 2, 3, 4])):
        finished: list[int] = []
        map_in_waves(
            ShippingExecutor(tmp_path, backwards=True),
            squared,
            range(5),
            lambda number, _, finished=finished: finished.append(number),
            in_order=in_order,
            wave=3,
        )
        assert finished == wanted


def test_one_thing_stays_open_until_another_is_wanted() -> None:
    events: list[str] = []

    def opened(name: str) -> str:
        def open_(stack: ExitStack) -> str:
            events.append(f"open {name}")
            stack.callback(events.append, f"close {name}")
            return name

        return kept(("key", name), open_)

    assert [opened("a"), opened("a"), opened("b")] == ["a", "a", "b"]
    assert events == ["open a", "close a", "open b"]
    let_go()
    let_go()
    assert events[-1] == "close b" and len(events) == 4
