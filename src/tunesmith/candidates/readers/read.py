"""Reading candidate lists from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from tunesmith.candidates.lacking_columns import columns_not_in_all, with_lacking_columns
from tunesmith.candidates.merge import Duplicates, merged_files
from tunesmith.candidates.missing import Missing, missing_rule
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Source
from tunesmith.candidates.readers.detect import detect
from tunesmith.candidates.references import number_lists, with_references
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_chunks

__all__ = ["read"]

_HEAD = 1 << 28
"""Bytes of the first line by which the format is detected at most."""


def read(
    path: PathLike | Sequence[PathLike],
    *,
    references: PathLike | Sequence[PathLike] = (),
    format: str | None = None,  # noqa: A002 - the word users know
    allow_missing: bool = False,
    duplicates: Duplicates | None = None,
    missing: Missing | None = None,
    **options: Any,
) -> Pool:
    """Read candidate lists and their lines of the references.

    Several files, such as the lists of several systems or iterations, are merged, list by list. All
    candidates are kept, of one file or several, unless `duplicates` is "drop": then each is read once. The
    format is detected from the name (`.jsonl`, `.parquet`), else from the first lines, unless `format` is
    given. `options` are those of the format (`features` and `size` of flat files, `scores` of Parquet).
    Sentences without candidates are an error; with `allow_missing` they and their reference lines are
    skipped. A missing value of a feature is an error, or counts as `missing` says: "worst", "mean", "absent"
    or a number (see `Gaps`); so is a column of a table that another of the files does not have.
    """
    paths = _as_list(path)
    if not paths:
        raise OptionError("no candidate file was given; expected at least one")
    rule = missing_rule(missing)
    found = [_read_one(file, format, rule, options) for file in paths]
    numbered = any(each.numbered for each in found)
    lacking = columns_not_in_all(paths, [each.columns for each in found], [each.pool for each in found], rule)
    pool = with_lacking_columns(merged_files([each.pool for each in found], duplicates), lacking, rule)
    where = ", ".join(str(file) for file in paths)
    files = _as_list(references)
    if numbered:
        return number_lists(pool, where, files, allow_missing=allow_missing)
    return with_references(pool, where, files, allow_missing=allow_missing)


def _as_list(paths: PathLike | Sequence[PathLike]) -> list[PathLike]:
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


class _Found(NamedTuple):
    """What a file has: its lists, the features that are columns of a table, and if ids count its lines."""

    pool: Pool
    columns: Sequence[str]
    numbered: bool


def _read_one(
    path: PathLike, format_name: str | None, missing: Missing | None, options: dict[str, Any]
) -> _Found:
    chunks = read_chunks(path)
    pieces = [next(chunks, b"")]
    size = len(pieces[0])
    while b"\n" not in pieces[-1] and size < _HEAD and (more := next(chunks, b"")):
        pieces.append(more)
        size += len(more)
    head = b"".join(pieces)
    if not head:
        raise InputError("the file is empty", path=path)
    kind = detect(path, head) if format_name is None else READERS[format_name]
    try:
        source = Source(path, head, chunks, missing)
        return _Found(kind.configure(options).parse(source), source.columns, kind.numbered)
    except InputError as error:
        if error.path is not None:
            raise
        guess = f" (read as {kind.name}; name the format if it is another)" if format_name is None else ""
        raise InputError(error.message + guess, path=path, line=error.line) from None
