"""Candidate lists as Parquet, one row per candidate."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tunesmith.candidates.arrays import group_offsets
from tunesmith.candidates.arrow import import_pyarrow, is_text, numbers_from_arrow, texts_from_arrow
from tunesmith.candidates.feature_columns import Column, FeatureMaps, join_columns
from tunesmith.candidates.features import Features
from tunesmith.candidates.missing import Gaps
from tunesmith.candidates.names import repeated_names
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.reference_columns import column_references, one_per_list
from tunesmith.candidates.table import dense_columns, feature_columns
from tunesmith.candidates.table_roles import RESERVED, SCORE, SPARSE
from tunesmith.errors import InputError, suggest
from tunesmith.files import COMPRESSIONS
from tunesmith.json_files import parse_json
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["FEATURE_NAMES", "Parquet"]

FEATURE_NAMES = b"tunesmith.feature_names"
"""Metadata key of the order of the features."""


@READERS.register("parquet")
@dataclass(frozen=True)
class Parquet(Reader):
    """Columns `id`, `text`, `total`, `source`, `references`, `score:<name>`, features.

    Only `id` is required; the rows of an id are contiguous. `references` are texts, or lists of texts.
    Every other column is a feature, except the names in `scores` and the column `sparse_features`, of maps
    from names to values. A null is a missing value, in columns `sparse:<name>` an absent feature.
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
        gaps = Gaps(source.missing, offsets, ids, scored=True)
        scores = {name: name for name in self.scores}
        scores |= {name.removeprefix(SCORE): name for name in table if name.startswith(SCORE)}
        own = [name for name in table if name not in {*RESERVED, *scores.values()}]
        source.columns.extend(dense_columns(own))
        return Pool(
            tuple(ids),
            offsets,
            _features(table, own, gaps),
            texts_from_arrow(table["text"], "text") if "text" in table else None,
            _references(table["references"], offsets, ids) if "references" in table else (),
            {name: numbers_from_arrow(table[column], column) for name, column in scores.items()},
            one_per_list(texts_from_arrow(table["source"], "source"), "source", offsets, ids)
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
    if twice := repeated_names(names):
        raise InputError(f"two columns of this file are named {twice}; expected distinct names")
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


def _features(table: _Table, own: Sequence[str], gaps: Gaps) -> Features:
    """Convert columns and maps to compressed rows, in the order of names in the file's metadata."""
    columns = feature_columns(own, lambda name: _column(table[name], name))
    maps = _maps(table[SPARSE].combine_chunks()) if SPARSE in table else None
    return join_columns(columns, gaps, maps, table.feature_names)


def _column(column: Any, name: str) -> Column:
    if not column.null_count:
        return Column(None, numbers_from_arrow(column, name))
    values = np.full(len(column), np.nan)
    values[column.is_valid().to_numpy()] = numbers_from_arrow(column.drop_null(), name)
    return Column(None, values)


def _maps(column: Any) -> FeatureMaps:
    arrow, _ = import_pyarrow()
    if not (arrow.types.is_map(column.type) and column.null_count == 0):
        raise InputError(f"column {SPARSE!r} has type {column.type} or nulls; expected maps")
    offsets = column.offsets.to_numpy()
    entries = slice(offsets[0], offsets[-1])
    keys = column.keys[entries].dictionary_encode()
    names = list(texts_from_arrow(keys.dictionary, SPARSE))
    rows = np.repeat(np.arange(len(column), dtype=np.int32), np.diff(offsets))
    values = numbers_from_arrow(column.items[entries], SPARSE)
    return FeatureMaps(names, rows, keys.indices.to_numpy(), values)


def _references(column: Any, offsets: IntArray, ids: Sequence[str]) -> tuple[Texts, ...]:
    """Return the references of a column of texts (one each) or of lists of texts."""
    arrow, _ = import_pyarrow()
    if is_text(column.type):
        return (one_per_list(texts_from_arrow(column, "references"), "references", offsets, ids),)
    kind = column.type.value_type if _is_list(column.type) else None
    if kind is None or not (is_text(kind) or arrow.types.is_null(kind)):
        raise InputError(f"column 'references' has type {column.type}; expected texts or lists of texts")
    return column_references(column.to_pylist(), "references", offsets, ids)


def _is_list(kind: Any) -> bool:
    arrow, _ = import_pyarrow()
    types = arrow.types
    views = [getattr(types, name) for name in ("is_list_view", "is_large_list_view") if hasattr(types, name)]
    return any(is_a(kind) for is_a in (types.is_list, types.is_large_list, types.is_fixed_size_list, *views))
