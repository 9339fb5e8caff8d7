"""Candidate lists as CSV and TSV, one row per candidate, for spreadsheets and data frames."""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.table_roles import REFERENCES, RESERVED, SCORE, SPARSE_PREFIX
from tunesmith.candidates.writers.base import WRITERS, Writer, spans
from tunesmith.errors import InputError
from tunesmith.types import FloatArray

__all__ = ["Csv", "Tsv"]

_Row = list[str]
_SPECIAL = re.compile('[,"\\r\\n]')


class _Delimited(Writer):
    """What CSV and TSV share: columns as documented at their readers.

    Features that not all candidates have are columns `sparse:<name>`, with empty cells. A feature whose name
    has another role, such as `id` or `score:comet`, is an InputError.
    """

    appends: ClassVar[bool] = False  # features that occur later would need a column

    def head(self, pool: Pool) -> bytes:
        for name in pool.feature_names:
            if name in RESERVED or name.startswith((SCORE, REFERENCES, SPARSE_PREFIX)):
                raise InputError(
                    f"a feature is named {name!r}, which is a column of {self.name} with another meaning;"
                    " write jsonl or parquet"
                )
        given = {
            "text": pool.texts is not None,
            "source": pool.sources is not None,
            "references": bool(pool.references),
            "total": pool.totals is not None,
        }
        names = ["id", *(name for name, there in given.items() if there)]
        names += [SCORE + name for name in pool.scores]
        features = zip(pool.feature_names, pool.features.dense.tolist(), strict=True)
        names += [name if everywhere else SPARSE_PREFIX + name for name, everywhere in features]
        return self._lines([names])

    def chunks(self, pool: Pool) -> Iterator[bytes]:
        for begin, end in spans(pool):
            yield self._lines(row for place in range(begin, end) for row in _rows_of(pool, place))

    def _lines(self, rows: Iterable[_Row]) -> bytes:
        return "".join(self._joined(row) + "\n" for row in rows).encode()

    @abstractmethod
    def _joined(self, row: _Row) -> str:
        """Return the line of a row."""


@WRITERS.register("csv")
class Csv(_Delimited):
    """Cells separated by commas, quoted where needed, as in RFC 4180."""

    name: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def _joined(self, row: _Row) -> str:
        return ",".join(map(_quoted, row)) or '""'  # an empty line is no row


@WRITERS.register("tsv")
class Tsv(_Delimited):
    """Cells separated by tabs, without quotes; a tab or a line end in a cell is an InputError."""

    name: ClassVar[str] = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def _joined(self, row: _Row) -> str:
        for cell in row:
            if "\t" in cell or "\n" in cell or "\r" in cell:
                raise InputError(
                    f"tsv cannot represent the tab or line end in {cell[:60]!r}; write csv or jsonl"
                )
        return "\t".join(row)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def _rows_of(pool: Pool, place: int) -> Iterator[_Row]:
    """Yield the rows of a list."""
    of_list = [] if pool.sources is None else [pool.sources[place]]
    if pool.references:
        of_list.append(_reference([reference[place] for reference in pool.references]))
    columns: list[FloatArray] = [] if pool.totals is None else [pool.totals]
    columns += pool.scores.values()
    features = pool.features.flat
    for row in range(*pool.offsets[place : place + 2].tolist()):
        cells = [pool.ids[place], *([] if pool.texts is None else [pool.texts[row]]), *of_list]
        cells += [repr(float(column[row])) for column in columns]
        values = [""] * features.width
        begin, end = features.offsets[row : row + 2].tolist()
        found = zip(features.columns[begin:end].tolist(), features.values[begin:end].tolist(), strict=True)
        for column, value in found:
            values[column] = repr(value)
        yield cells + values


def _reference(texts: Sequence[str]) -> str:
    """Return the cell of the references: the text, or a list in JSON of several, or of one that looks so."""
    (first, *rest) = texts
    is_plain = not rest and not (first.startswith("[") and first.endswith("]"))
    return first if is_plain else json.dumps(list(texts), ensure_ascii=False)
