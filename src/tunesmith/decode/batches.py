"""Requests that are searched side by side, so that all cores have work and memory is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunesmith.decode.request import Request

__all__ = ["in_batches"]

BATCH = 256
"""Sentences that are translated side by side, and then handed out in order."""
FOREST_WORDS = 512
"""Source words of a batch whose forests are held in memory."""


def in_batches(requests: Iterable[Request], *, forest: bool) -> Iterator[list[Request]]:
    """Yield batches of BATCH requests; with `forest` they end before that, where they reach FOREST_WORDS."""
    batch: list[Request] = []
    words = 0
    for request in requests:
        batch.append(request)
        words += request.columns if forest else 0
        if len(batch) == BATCH or words >= FOREST_WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch
