"""Batches of requests to search in parallel: large enough for all cores, limited in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunesmith.decode.request import Request

__all__ = ["in_batches"]

BATCH = 256
"""Maximum number of sentences per batch."""
FOREST_WORDS = 512
"""Number of source words at which a batch with forests ends."""


def in_batches(requests: Iterable[Request], *, forest: bool) -> Iterator[list[Request]]:
    """Yield batches of BATCH requests, or with `forest` of at least FOREST_WORDS source words if fewer."""
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
