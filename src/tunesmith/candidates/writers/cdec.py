"""N-best lists as cdec and Joshua read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.candidates.writers.nbest import nbest_chunks

__all__ = ["Cdec"]


@WRITERS.register("cdec")
class Cdec(Writer):
    """`ID ||| text ||| name=v name=v ||| total`"""

    name: ClassVar[str] = "cdec"
    numbered: ClassVar[bool] = True

    def chunks(self, pool: Pool) -> Iterator[bytes]:
        return nbest_chunks(pool, (f" {name}=" for name in pool.feature_names))
