"""Weights in the formats that decoders read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.weights import Weights

__all__ = ["WEIGHT_FILES", "WeightFile", "write_labels"]

_COMPONENT = re.compile(r"(.+)_(0|[1-9][0-9]*)")


class WeightFile(NamedTuple):
    """The name of a file, and its writer: takes weights, names of dense features, and the path."""

    name: str
    write: Callable[[Weights, frozenset[str], Path], None]


def write_labels(weights: Weights, path: PathLike) -> None:
    """Write `Label= v v v Label= v` on one line, for Moses' `-weight-overwrite`.

    `Label_0`, `Label_1`, ... in this order are the values of `Label`; any other name is a label by itself.
    """
    rows: dict[str, list[float]] = {}
    for name, value in weights.items():
        found = _COMPONENT.fullmatch(name)
        values = rows.get(found[1], []) if found else []
        if found and found[1] not in weights and int(found[2]) == len(values):
            rows.setdefault(found[1], values).append(value)
        else:
            rows[name] = [value]
    for label in rows:
        if re.search(r"\s", label):
            raise InputError(
                f"the feature name {label!r} contains whitespace, so it cannot be a label", path=path
            )
    parts = [f"{label}= {' '.join(map(repr, values))}" for label, values in rows.items()]
    with open_write(path) as stream:
        stream.write(f"{' '.join(parts)}\n".encode())


def _pick(weights: Weights, names: Iterable[str]) -> Weights:
    return Weights({name: weights[name] for name in names if name in weights})


WEIGHT_FILES = {
    "weights": WeightFile("weights.txt", lambda weights, dense, path: weights.write(path)),
    "weights_json": WeightFile("weights.json", lambda weights, dense, path: weights.write(path)),
    "weights_moses": WeightFile(
        "weights.moses",
        lambda weights, dense, path: write_labels(_pick(weights, filter(dense.__contains__, weights)), path),
    ),
    "weights_sparse": WeightFile(
        "weights.sparse",
        lambda weights, dense, path: _pick(weights, (name for name in weights if name not in dense)).write(
            path
        ),
    ),
}
"""Files by the name of their placeholder in a command."""
