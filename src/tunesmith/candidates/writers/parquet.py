"""Candidate lists as Parquet, one row per candidate; lossless."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from tunesmith.candidates.arrow import import_pyarrow, texts_to_arrow
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.parquet import FEATURE_NAMES
from tunesmith.candidates.table_roles import RESERVED, SCORE, SPARSE, SPARSE_PREFIX
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.errors import InputError
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["Parquet"]


@WRITERS.register("parquet")
class Parquet(Writer):
    """Columns as documented at the reader of this format; sparse features share the column of maps."""

    name: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)
    appends: ClassVar[bool] = False

    def chunks(self, pool: Pool) -> Iterator[bytes]:
        arrow, parquet = import_pyarrow()
        lists = np.repeat(np.arange(len(pool)), np.diff(pool.offsets))
        columns: dict[str, Any] = {"id": texts_to_arrow(Texts.of(pool.ids)).take(arrow.array(lists))}
        if pool.texts is not None:
            columns["text"] = texts_to_arrow(pool.texts)
        if pool.sources is not None:
            columns["source"] = texts_to_arrow(pool.sources.take(lists))
        if pool.references:
            rows = arrow.array(list(zip(*pool.references, strict=True)), arrow.list_(arrow.string()))
            columns["references"] = rows.take(arrow.array(lists))
        if pool.totals is not None:
            columns["total"] = pool.totals
        columns |= {SCORE + name: column for name, column in pool.scores.items()}
        columns |= _features(arrow, pool)
        table = arrow.table(columns)
        names = json.dumps(pool.feature_names).encode()
        buffer = io.BytesIO()
        parquet.write_table(table.replace_schema_metadata({FEATURE_NAMES: names}), buffer)
        yield buffer.getvalue()


def _features(arrow: Any, pool: Pool) -> dict[str, Any]:
    features = pool.features
    own: BoolArray = features.dense & np.array(
        [name not in RESERVED and not name.startswith((SCORE, SPARSE_PREFIX)) for name in features.names],
        dtype=np.bool_,
    )
    by_column = np.argsort(features.columns, kind="stable")
    borders = np.append(0, np.cumsum(np.bincount(features.columns, minlength=features.width)))
    columns = {
        features.names[i]: features.values[by_column[borders[i] : borders[i + 1]]]
        for i in np.flatnonzero(own)
    }
    if own.all():
        return columns
    shared = ~own[features.columns]
    counts = np.append(0, np.cumsum(shared))[features.offsets]
    names = arrow.array(features.names, arrow.string()).take(arrow.array(features.columns[shared]))
    maps = arrow.MapArray.from_arrays(_fits_int32(counts), names, arrow.array(features.values[shared]))
    return columns | {SPARSE: maps}


def _fits_int32(offsets: IntArray) -> Any:
    if offsets[-1] > np.iinfo(np.int32).max:
        raise InputError("more than 2^31 sparse values; write jsonl, or the pool in parts")
    return offsets.astype(np.int32)
