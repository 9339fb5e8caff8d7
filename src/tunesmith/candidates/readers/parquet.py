"""Candidate lists as Parquet, one row per candidate."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.arrays import group_offsets
from tunesmith.candidates.arrow import import_pyarrow, numbers_from_arrow, texts_from_arrow
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.errors import InputError, suggest
from tunesmith.files import COMPRESSIONS
from tunesmith.json_files import parse_json
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

__all__ = ["FEATURE_NAMES", "RESERVED", "SCORE", "SPARSE", "Parquet"]

SCORE = "score:"
"""Prefix of columns of metric scores computed elsewhere."""
SPARSE = "sparse_features"
"""The column of sparse features: maps from names to values."""
RESERVED = ("id", "text", "total", "source", "references", SPARSE)
FEATURE_NAMES = b"tunesmith.feature_names"
"""Metadata key of the order of the features."""


@READERS.register("parquet")
@dataclass(frozen=True)
class Parquet(Reader):
    """Columns `id`, `text`, `total`, `source`, `references` (lists of texts), `score:<name>`, features.

    Only `id` is required; the rows of an id are contiguous. Every other column is a feature, a number
    or null if absent, except the names in `scores` and the column `sparse_features`, of maps from
    names to values.
    """

    name: ClassVar[str] = "parquet"
    summary: ClassVar[str] = "Parquet, one row per candidate"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    scores: Sequence[str] = ()

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return head.startswith(b"PAR1")

    def parse(self, source: Source) -> Pool:
        table = _table(source)
        for name in ("id", *self.scores):
            if name not in table:
                raise InputError(f"no column {name!r}{suggest(name, table)}")
        if table["id"].null_count:
            raise InputError("column 'id' has a null; expected a sentence id in every row")
        offsets, ids = group_offsets(np.array(table["id"].to_pylist(), dtype=object))
        scores = {name: name for name in self.scores}
        scores |= {name.removeprefix(SCORE): name for name in table if name.startswith(SCORE)}
        return Pool(
            tuple(ids),
            offsets,
            _features(table, {*RESERVED, *scores.values()}),
            texts_from_arrow(table["text"], "text") if "text" in table else None,
            _references(table["references"], offsets) if "references" in table else (),
            {name: numbers_from_arrow(table[column], column) for name, column in scores.items()},
            _a_list(texts_from_arrow(table["source"], "source"), offsets, "source")
            if "source" in table
            else None,
            numbers_from_arrow(table["total"], "total") if "total" in table else None,
        )


class _Table(dict[str, Any]):
    """The columns of a file, and the feature names of its metadata if it has any."""

    feature_names: Sequence[str] = ()


def _table(source: Source) -> _Table:
    arrow, parquet = import_pyarrow()
    try:
        plain = str(source.path) != "-" and Path(source.path).suffix not in COMPRESSIONS
        content = str(source.path) if plain else io.BytesIO(b"".join(source.chunks()))
        with parquet.ParquetFile(content) as file:
            table = file.read()
        table.validate(full=True)
        names = table.column_names
    except (arrow.ArrowException, OSError, ValueError) as error:  # ValueError: names that are not UTF-8
        raise InputError(f"not a readable Parquet file ({error})") from None
    if table.num_rows == 0:
        raise InputError("no candidates in this file")
    if len(set(names)) != len(names):
        raise InputError("two columns of this file have the same name")
    columns = _Table((name, table.column(name)) for name in names)
    columns.feature_names = _kept_names((table.schema.metadata or {}).get(FEATURE_NAMES, b"[]"))
    return columns


def _kept_names(metadata: bytes) -> list[str]:
    try:
        names = parse_json(metadata, "a list of names")
    except InputError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"the metadata {FEATURE_NAMES.decode()!r} are not a list of names")
    return names


def _features(table: _Table, taken: set[str]) -> Features:
    """Convert columns and maps to compressed rows, in the order of names in the file's metadata."""
    own = [name for name in table if name not in taken]
    keys, maps = _map_keys(table[SPARSE].combine_chunks()) if SPARSE in table else ([], None)
    place = {name: index for index, name in enumerate(dict.fromkeys([*table.feature_names, *own, *keys]))}
    shape = (len(table["id"]), len(place))
    if maps is None and len(own) == len(place) and not any(table[name].null_count for name in own):
        matrix = np.empty(shape)
        for name in own:
            matrix[:, place[name]] = numbers_from_arrow(table[name], name)
        return Features.from_dense(matrix, list(place))
    rows, columns, values = [], [], []
    for name in own:
        present = np.flatnonzero(table[name].is_valid().to_numpy())
        rows.append(present.astype(np.int32))
        columns.append(np.full(len(present), place[name], dtype=np.int32))
        values.append(numbers_from_arrow(table[name].drop_null(), name))
    if maps is not None:
        codes = np.array([place[name] for name in keys], dtype=np.int32)
        rows.append(maps.rows)
        columns.append(codes[maps.codes])
        values.append(maps.values)
    import scipy.sparse

    if not values:
        return Features.from_scipy(scipy.sparse.csr_array(shape), list(place))
    entries = np.concatenate(values)
    places = (np.concatenate(rows), np.concatenate(columns))
    sparse = scipy.sparse.coo_array((entries, places), shape=shape).tocsr()
    if sparse.nnz != len(entries):
        raise InputError("a feature is repeated in one candidate")
    return Features.from_scipy(sparse, list(place))


class _Maps(NamedTuple):
    """The entries of a column of maps: their rows, the numbers of their keys, their values."""

    rows: npt.NDArray[np.int32]
    codes: npt.NDArray[np.int32]
    values: FloatArray


def _map_keys(column: Any) -> tuple[list[str], _Maps]:
    arrow, _ = import_pyarrow()
    if not (arrow.types.is_map(column.type) and column.null_count == 0):
        raise InputError(f"column {SPARSE!r} has type {column.type} or nulls; expected maps")
    offsets = column.offsets.to_numpy()
    entries = slice(offsets[0], offsets[-1])
    keys = column.keys[entries].dictionary_encode()
    names = list(texts_from_arrow(keys.dictionary, SPARSE))
    rows = np.repeat(np.arange(len(column), dtype=np.int32), np.diff(offsets))
    values = numbers_from_arrow(column.items[entries], SPARSE)
    return names, _Maps(rows, keys.indices.to_numpy(), values)


def _references(column: Any, offsets: IntArray) -> tuple[Texts, ...]:
    rows = column.to_pylist()
    counts = {None if texts is None else len(texts) for texts in rows}
    if len(counts) != 1 or None in counts:
        raise InputError("column 'references' must have the same number of texts in every row")
    columns = [Texts.of([texts[i] for texts in rows]) for i in range(len(rows[0]))]
    return tuple(_a_list(texts, offsets, "references") for texts in columns)


def _a_list(texts: Texts, offsets: IntArray, name: str) -> Texts:
    """Take the text of each list from its first row; all its rows must have the same text."""
    chosen = texts.take(offsets[:-1])
    if chosen.take(np.repeat(np.arange(len(chosen)), np.diff(offsets))) != texts:
        raise InputError(f"column {name!r} has two texts for one sentence; expected one")
    return chosen
