"""Files of weights, in three forms that their content shows: mapped containers, JSON, and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from tunesmith import _native
from tunesmith.container import is_container
from tunesmith.errors import InputError
from tunesmith.files import PathLike, parse_chunks, read_chunks
from tunesmith.json_files import parse_json, shown

__all__ = ["FORMAT", "MEMORY", "ReadWeights", "read_weights"]

FORMAT = "tunesmith-weights"
"""The name of the form in JSON."""

MEMORY = ("rates", "drifts", "last_steps")
"""What learners keep per feature beside the weight; JSON may show it, but it is read from containers only."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DECIDED = re.compile(rb"\s*(?:[^\s{]|\{\s*\S)")
_JSON_START = re.compile(rb"\s*\{\s*(\"|\}|$)")
_OWN_KEYS = ("format", "version", "weights", *MEMORY)


@dataclass(frozen=True)
class ReadWeights:
    """The content of a file: weights by name, natively unless they are JSON, and the record about them."""

    weights: _native.WeightStore | dict[str, float]
    about: dict[str, Any] = field(default_factory=dict)


def read_weights(path: PathLike, *, regular: bool = False) -> ReadWeights:
    """Read a mapped container, JSON, or lines `name value` as in cdec's weights and Moses' sparse weights.

    `name=value` and Moses' `Label= v v v` (the features `Label_0`, `Label_1`, ...) are lines too, and `#`
    starts a comment line. A repeated name, a value that is not a finite number and a file without weights are
    errors. Containers and lines are read in native code: a million features take less than a second. With
    `regular`, as for files of models and runs, a pipe or a device is an error, too, and not waited for.
    """
    if is_container(path):
        read = _from_container(path)
    else:
        head, rest = _peeked(read_chunks(path, regular=regular))
        chunks = chain([head], rest)
        read = (_from_json if _JSON_START.match(head) else _from_lines)(path, chunks)
    if not len(read.weights):
        raise InputError("no weights in this file", path=path)
    return read


def _peeked(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return enough of the beginning to see whether it is JSON, and the rest."""
    head = b""
    for chunk in chunks:
        head = (head + chunk).removeprefix(_BYTE_ORDER_MARK)
        if _DECIDED.match(head):
            break
    return head, chunks


def _from_container(path: PathLike) -> ReadWeights:
    native, noted = _native.read_weights(str(path))
    about = parse_json(noted, "a record about weights", path=path) if noted else {}
    if not isinstance(about, dict):
        raise InputError("is damaged: its record about the weights is not an object", path=path)
    return ReadWeights(native, about)


def _from_lines(path: PathLike, chunks: Iterator[bytes]) -> ReadWeights:
    return ReadWeights(parse_chunks(_native.WeightLineParser(), chunks, path))


def _from_json(path: PathLike, chunks: Iterator[bytes]) -> ReadWeights:
    record = parse_json(b"".join(chunks), "a file of weights", path=path)
    if not isinstance(record, dict):
        raise InputError(f"expected an object of names and numbers, found {shown(record)}", path=path)
    if "format" in record and (record["format"], record.get("version")) != (FORMAT, 1):
        found = f"{shown(record['format'])} version {shown(record.get('version'))}"
        raise InputError(f"expected format {FORMAT!r} version 1, found {found}", path=path)
    values = record.get("weights", None if "format" in record else record)
    if not isinstance(values, dict):
        raise InputError("expected an object of names and numbers under 'weights'", path=path)
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"the weight of {name!r} is {shown(value)}; expected a number", path=path)
    about = {} if values is record else {key: value for key, value in record.items() if key not in _OWN_KEYS}
    return ReadWeights(values, about)
