"""An executor that runs shards in this process, but sends their files through a cache as a cluster does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tunesmith.distribute.base import Done, Progress, pickled_task
from tunesmith.distribute.delivery import Cache, Delivery, take_in
from tunesmith.distribute.shipping import Shipper, pack_folder


class ShippingExecutor:
    """Tasks see copies of files in a folder, and their outputs are written when they end.

    Shards run in the order `order` of their numbers [their own], and end with an error after `most` of them.
    """

    ships = True

    def __init__(self, folder: Path, *, backwards: bool = False, most: int | None = None) -> None:
        self.folder, self.backwards, self.most = folder, backwards, most
        self.shards = 0

    def map_shards(
        self,
        function: Any,
        shards: Sequence[Any],
        *,
        progress: Progress | None = None,
        done: Done | None = None,
    ) -> list[Any]:
        shipper = Shipper()
        tasks = [pickled_task(function, shard, number, shipper.dumps) for number, shard in enumerate(shards)]
        cache = Cache(
            self.folder / "cache", lambda digest: shipper.files[digest].read_bytes(), self._archive(shipper)
        )
        results: dict[int, Any] = {}
        numbers = range(len(shards))
        for number in reversed(numbers) if self.backwards else numbers:
            if self.shards == self.most:
                raise KeyboardInterrupt
            self.shards += 1
            with Delivery(cache) as delivery:
                called, shard = delivery.loads(tasks[number])
                result = called(shard, lambda value, number=number: progress and progress(number, value))
                results[number] = shipper.loads(take_in(delivery.returned(result)))
            if done is not None:
                done(number, results[number])
        return [results[number] for number in numbers]

    def _archive(self, shipper: Shipper) -> Any:
        def archive(digest: str) -> Path:
            path = self.folder / f"{digest}.tar"
            pack_folder(shipper.folders[digest], path)
            return path

        return archive
