"""The interface of writers: from a pool to the bytes of one file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.registry import Registry
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["WRITERS", "Writer", "pool_text", "spans", "text_arrays"]

WRITERS: Registry[type[Writer]] = Registry("candidate format", "tunesmith.candidates.writers")

_ROWS_A_CHUNK = 8192


class Writer(ABC):
    """Turns a pool into chunks of bytes."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """File name suffixes of this format, without that of a compression."""
    numbered: ClassVar[bool] = False
    """Whether ids must be whole numbers."""
    appends: ClassVar[bool] = True
    """Whether pools can be appended to one file."""

    def head(self, pool: Pool) -> bytes:
        """Return the header, written before the lists."""
        return b""

    @abstractmethod
    def chunks(self, pool: Pool) -> Iterator[bytes]:
        """Yield the lists in chunks; data that the format cannot represent are an InputError."""


def text_arrays(texts: Texts | Iterable[str] | None) -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Return (blob, offsets) as native functions take them; None is no texts."""
    packed = Texts.of(() if texts is None else texts)
    return packed.blob, packed.offsets


def pool_text(pool: Pool, ids: Iterable[str], prefixes: Iterable[str]) -> _native.PoolText:
    """Prepare a pool for native formatting; `prefixes` are written before the values of each feature."""
    return _native.PoolText(
        text_arrays(ids),
        pool.offsets,
        pool.features.offsets,
        pool.features.columns,
        pool.features.values,
        text_arrays(pool.texts),
        text_arrays(prefixes),
        np.zeros(0) if pool.totals is None else pool.totals,
    )


def spans(pool: Pool) -> Iterator[tuple[int, int]]:
    """Yield ranges of lists of a few thousand candidates each."""
    begin = 0
    while begin < len(pool):
        target = pool.offsets[begin] + _ROWS_A_CHUNK
        end = max(begin + 1, int(np.searchsorted(pool.offsets, target, side="right")) - 1)
        yield begin, end
        begin = end
