"""Candidate lists as CSV and TSV: a header line, then one row per candidate."""

from __future__ import annotations

import ast
import csv
import io
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.candidates.feature_columns import Column
from tunesmith.candidates.names import repeated_names
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.table import dense_columns, table_pool
from tunesmith.candidates.table_roles import SPARSE, roles_of
from tunesmith.errors import InputError, TunesmithWarning

__all__ = ["Csv", "Tsv"]

_MOST_CHARACTERS = (1 << 31) - 1
"""Of a cell; Python's own limit is 128 kB."""

_NO_VALUE = frozenset(["", "nan", "null", "none", "na", "n/a"])

_Row = tuple[int, list[str]]
"""The line that a row ends in, and its cells."""


@dataclass(frozen=True)
class _Delimited(Reader):
    """What CSV and TSV share: columns have the roles of Parquet's, and an empty cell is a missing value."""

    scores: Sequence[str] = ()

    def parse(self, source: Source) -> Pool:
        rows = list(self._rows(_decoded(b"".join(source.chunks()))))
        if len(rows) < 2:
            raise InputError("no candidates in this file; expected a header line and a row per candidate")
        (_, names), *body = rows
        if twice := repeated_names(names):
            raise InputError(f"two columns are named {twice}; expected a header of distinct names", line=1)
        for line, cells in body:
            if len(cells) != len(names):
                raise InputError(
                    f"a row of {len(cells)} cells; expected {len(names)}, as in the header", line=line
                )
        text = "text" if "text" in names else None
        roles = roles_of(names, "the header", text=text, scores=self.scores)
        if roles.sparse is not None:
            raise InputError(
                f"column {SPARSE!r} cannot be read from this format; write jsonl or parquet", line=1
            )
        place = {name: index for index, name in enumerate(names)}

        def cells_of(name: str) -> list[object]:
            column = [cells[place[name]] for _, cells in body]
            return [_reference(cell) for cell in column] if name in roles.references else list(column)

        source.columns.extend(dense_columns(roles.features))
        lines = [line for line, _ in body]

        def numbers_of(name: str) -> Column:
            return _numbers(body, place[name], name)

        return table_pool(roles, cells_of, numbers_of, missing=source.missing, lines=lines)

    def _rows(self, text: str) -> Iterator[_Row]:
        raise NotImplementedError


@READERS.register("csv")
@dataclass(frozen=True)
class Csv(_Delimited):
    """Cells separated by commas; one with a comma, quotation mark or line end is quoted, as in RFC 4180."""

    name: ClassVar[str] = "csv"
    summary: ClassVar[str] = "comma-separated values with a header, one row per candidate"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def _rows(self, text: str) -> Iterator[_Row]:
        return _quoted_rows(text, ",")


@READERS.register("tsv")
@dataclass(frozen=True)
class Tsv(_Delimited):
    """Cells separated by tabs. Quotation marks are part of a text unless `quotes`: then as in CSV."""

    name: ClassVar[str] = "tsv"
    summary: ClassVar[str] = "tab-separated values with a header, one row per candidate"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    quotes: bool = False

    def _rows(self, text: str) -> Iterator[_Row]:
        if self.quotes:
            yield from _quoted_rows(text, "\t")
            return
        quoted = 0
        for number, line in enumerate(text.split("\n"), 1):
            if row := line.removesuffix("\r"):
                cells = row.split("\t")
                quoted += any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
                yield number, cells
        if quoted:
            warnings.warn(
                f"{quoted} rows have a cell between quotation marks, which are read as part of it; if the"
                " file quotes cells, write it as csv, or, in Python, read it with quotes=True",
                TunesmithWarning,
                stacklevel=2,
            )


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("bytes that are not UTF-8", line=line) from None


def _quoted_rows(text: str, delimiter: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    before = csv.field_size_limit(_MOST_CHARACTERS)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"not a row of cells ({error})", line=reader.line_num) from None
    finally:
        csv.field_size_limit(before)


def _numbers(rows: Sequence[_Row], place: int, name: str) -> Column:
    """Parse a column of numbers; an empty cell, or a word such as nan or null, is a missing one: NaN."""
    values = []
    for line, cells in rows:
        cell = cells[place].strip()
        if cell.lower() in _NO_VALUE:
            values.append(np.nan)
            continue
        try:
            value = float(cell) if "_" not in cell else np.nan
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise InputError(
                f"column {name!r} has {cell[:40]!r}; expected a finite number;"
                " columns that are neither features nor scores must be removed",
                line=line,
            )
        values.append(value)
    return Column(None, np.array(values, dtype=np.float64))


def _reference(cell: str) -> object:
    """Return the texts of a cell that is a list of texts in the notation of JSON or Python, else the cell."""
    if cell.startswith("[") and cell.endswith("]"):
        for parse in (json.loads, ast.literal_eval):
            try:
                found = parse(cell)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(found, list) and found and all(isinstance(text, str) for text in found):
                return found
    return cell
