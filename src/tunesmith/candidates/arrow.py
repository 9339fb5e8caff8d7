"""Conversion from and to Arrow arrays; pyarrow is an optional dependency, imported only here."""

from __future__ import annotations

from typing import Any

import numpy as np

from tunesmith.errors import InputError, OptionError
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["import_pyarrow", "is_text", "numbers_from_arrow", "texts_from_arrow", "texts_to_arrow"]


def import_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and pyarrow.parquet; an error that says how to install them if missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise OptionError("Parquet needs pyarrow: pip install 'tunesmith[parquet]'") from None
    return pyarrow, pyarrow.parquet


def is_text(kind: Any) -> bool:
    """Return whether an Arrow type is one of strings, plain or encoded by a dictionary."""
    arrow, _ = import_pyarrow()
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    is_view = getattr(types, "is_string_view", lambda _: False)  # pyarrow 16
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))


def texts_to_arrow(texts: Texts) -> Any:
    """Return a large_string array that shares the memory of the texts."""
    arrow, _ = import_pyarrow()
    buffers = [None, arrow.py_buffer(texts.offsets), arrow.py_buffer(texts.blob)]
    return arrow.Array.from_buffers(arrow.large_string(), len(texts), buffers)


def texts_from_arrow(column: Any, name: str) -> Texts:
    """Return the texts of a string array, without a copy if it is a large_string in one chunk."""
    arrow, _ = import_pyarrow()
    if column.null_count:
        raise InputError(f"column {name!r} has a null; expected a text in every row")
    try:
        strings = column.cast(arrow.large_string())
        if isinstance(strings, arrow.ChunkedArray):
            strings = strings.combine_chunks()
    except (arrow.ArrowException, ValueError):
        raise InputError(f"column {name!r} has type {column.type}; expected texts") from None
    _, offset_buffer, blob_buffer = strings.buffers()
    first, last = strings.offset, strings.offset + len(strings)
    offsets = np.frombuffer(offset_buffer, dtype=np.int64)[first : last + 1]
    blob = np.frombuffer(blob_buffer or b"", dtype=np.uint8)[offsets[0] : offsets[-1]]
    return Texts(blob, offsets - offsets[0] if offsets[0] else offsets)


def numbers_from_arrow(column: Any, name: str) -> FloatArray:
    """Return the values of a numeric array without nulls."""
    arrow, _ = import_pyarrow()
    if column.null_count:
        raise InputError(f"column {name!r} has a null; expected a number in every row")
    numeric = arrow.types.is_integer(column.type) or arrow.types.is_floating(column.type)
    if not numeric and not arrow.types.is_boolean(column.type):
        raise InputError(f"column {name!r} has type {column.type}; expected numbers")
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
