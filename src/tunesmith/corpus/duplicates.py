"""De-duplication: of equal pairs, the first is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from tunesmith.errors import InputError
from tunesmith.texts import Texts
from tunesmith.types import BoolArray

__all__ = ["Duplicates", "pair_digests"]

_DIGEST_BYTES = 16


class Duplicates:
    """Finds pairs that occurred before, over blocks of pairs in corpus order.

    Only a 128-bit BLAKE2b hash of each pair is stored, about 100 bytes of memory per pair; collisions
    are negligible. `by` compares the source or the target alone.
    """

    def __init__(self, by: Literal["pair", "source", "target"] = "pair") -> None:
        self._by = by
        self._seen: set[bytes] = set()

    def add(self, source: Texts, target: Texts) -> BoolArray:
        """Return True for each pair that was seen before, in this block or an earlier one."""
        sides = {"pair": (source, target), "source": (source,), "target": (target,)}[self._by]
        repeated = np.zeros(len(source), dtype=np.bool_)
        for row, digest in enumerate(pair_digests(sides)):
            size = len(self._seen)
            self._seen.add(digest)
            repeated[row] = len(self._seen) == size
        return repeated


def pair_digests(sides: Sequence[Texts]) -> list[bytes]:
    """Return one digest per line, of that line on all sides."""
    sizes = {len(side) for side in sides}
    if len(sizes) != 1:
        raise InputError(f"the sides have {sorted(sizes)} lines; expected the same number on each")
    columns = [(side.blob.tobytes(), side.offsets.tolist()) for side in sides]
    digests = []
    for row in range(sizes.pop()):
        state = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        for blob, offsets in columns:
            state.update(blob[offsets[row] : offsets[row + 1]])
            state.update(b"\n")
        digests.append(state.digest())
    return digests
