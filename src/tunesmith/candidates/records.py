"""Pools from dictionaries, and from data sets that give their columns by name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.candidates.feature_columns import Column
from tunesmith.candidates.frames import from_pandas
from tunesmith.candidates.missing import Missing, missing_rule, with_remedy
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.table import cell_numbers, table_pool
from tunesmith.candidates.table_roles import SCORE, roles_of
from tunesmith.errors import InputError

__all__ = ["from_dataset", "from_records"]


def from_records(
    records: Iterable[Mapping[str, Any]],
    *,
    scores: Sequence[str] = (),
    missing: Missing | None = None,
) -> Pool:
    """Build a pool from dictionaries, one per candidate; the candidates of an `id` are contiguous.

    Keys are the columns of Parquet: `id`, `text`, `source`, `references` (a text or a list), `total`,
    `score:<name>`; all others, except the names in `scores`, are features, absent where the key is, and
    missing where its value is None (see `Gaps`). `features` and `scores` may also be dictionaries, as in JSON
    lines. Records with the key `hypotheses` are sentences, with all the keys of JSON lines.
    """
    rows = list(records)
    for number, record in enumerate(rows):
        if not isinstance(record, Mapping):
            raise InputError(f"record {number} is a {type(record).__name__}; expected a dictionary")
    if not rows:
        raise InputError("no records; expected a dictionary per candidate")
    if "hypotheses" in rows[0]:
        return _sentences(rows, missing)
    flat = [_flat(record, number) for number, record in enumerate(rows)]
    names = dict.fromkeys(name for record in flat for name in record)
    text = "text" if "text" in names else None
    roles = roles_of(list(names), "the records", text=text, scores=scores)

    def numbers(name: str) -> Column:
        rows = [row for row, record in enumerate(flat) if name in record]
        present = None if len(rows) == len(flat) else np.array(rows, dtype=np.int32)
        return Column(present, cell_numbers([flat[row][name] for row in rows], name).values)

    return table_pool(roles, lambda name: [record.get(name) for record in flat], numbers, missing=missing)


def from_dataset(
    dataset: Any,
    *,
    id: str = "id",  # noqa: A002 - the column's name
    text: str | None = "text",
    features: Sequence[str] | None = None,
    scores: Sequence[str] = (),
    references: str | Sequence[str] | None = None,
    missing: Missing | None = None,
) -> Pool:
    """Build a pool from a data set with one row per candidate, such as one of Hugging Face's `datasets`.

    Any object will do that has `column_names` and gives a column by `dataset[name]`, or that has `to_pandas`.
    The options are those of `from_pandas`.
    """
    names = getattr(dataset, "column_names", None)
    if isinstance(names, Mapping):
        raise InputError(f"the data set has the splits {', '.join(map(str, names))}; give one of them")
    if names is None or not hasattr(dataset, "__getitem__"):
        if not hasattr(dataset, "to_pandas"):
            raise InputError(
                f"found {type(dataset).__name__}; expected a data set with column_names and columns by name,"
                " or with to_pandas"
            )
        frame = dataset.to_pandas()
        return from_pandas(
            frame,
            id=id,
            text=text,
            features=features,
            scores=scores,
            references=references,
            missing=missing,
        )
    roles = roles_of(
        list(names),
        "the data set",
        id=id,
        text=text,
        features=features,
        scores=scores,
        references=references,
    )

    # As arrays or tensors, columns of a data set would have NaN in place of missing numbers.
    plain = dataset.with_format(None) if hasattr(dataset, "with_format") else dataset

    def cells(name: str) -> Sequence[Any]:
        column = plain[name]
        return column.to_pylist() if hasattr(column, "to_pylist") else list(column)

    return table_pool(roles, cells, missing=missing)


def _flat(record: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a record with the features and scores of inner dictionaries beside the other keys."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if key in ("features", "scores") and isinstance(value, Mapping):
            prefix = SCORE if key == "scores" else ""
            inner = {f"{prefix}{name}": each for name, each in value.items()}
        else:
            inner = {str(key): value}
        for name, each in inner.items():
            if name in flat:
                raise InputError(f"record {number} has {name!r} twice; expected each name once")
            flat[name] = each
    return flat


def _sentences(records: Sequence[Mapping[str, Any]], missing: Missing | None) -> Pool:
    """Read records as lines of JSON."""
    from tunesmith.candidates.readers.base import assemble

    rule = missing_rule(missing)
    parser = _native.JsonlParser(rule not in (None, "error"))
    try:
        for number, record in enumerate(records):
            try:
                line = json.dumps(record)
            except (TypeError, ValueError) as error:
                raise InputError(f"record {number} cannot be written as JSON ({error})") from None
            parser.feed(line.encode() + b"\n")
        return assemble(parser.finish(), rule)
    except InputError as error:
        if error.line is None:
            raise
        raise InputError(f"record {error.line - 1}: {with_remedy(error).message}") from None
