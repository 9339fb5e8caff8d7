"""Weights: a value for each feature name, and the files that hold them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.types import FloatArray

__all__ = ["Weights"]

FORMAT = "tunesmith-weights"


class Weights(Mapping[str, float]):
    """An immutable mapping from feature names to finite values."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = {name: float(value) for name, value in values.items()}
        for name, value in self._values.items():
            if not math.isfinite(value):
                raise InputError(f"the weight of {name!r} is {value}; expected a finite number")

    @classmethod
    def from_array(cls, names: Sequence[str], values: FloatArray) -> Weights:
        """Pair names with the entries of an array."""
        return cls(dict(zip(names, values.tolist(), strict=True)))

    @classmethod
    def read(cls, path: PathLike) -> Weights:
        """Read our JSON, or `name value` lines as cdec and Moses' sparse weights have them.

        A repeated name, a value that is not a finite number and an empty file are errors.
        """
        lines = read_lines(path)
        values = (
            _from_json(path, lines)
            if lines and lines[0].lstrip().startswith("{")
            else _from_lines(path, lines)
        )
        if not values:
            raise InputError("no weights in this file", path=path)
        return cls(values)

    def write(self, path: PathLike, **about: object) -> None:
        """Write JSON for a `.json` name, else `name value` lines; `about` is kept in the JSON."""
        if str(path).endswith(".json"):
            record = {"format": FORMAT, "version": 1, **about, "weights": self._values}
            text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        else:
            text = "".join(f"{name} {value!r}\n" for name, value in self._values.items())
        with open_write(path) as stream:
            stream.write(text.encode("utf-8"))

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Weights({self._values!r})"


def _from_json(path: PathLike, lines: list[str]) -> dict[str, float]:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        record: dict[str, object] = {}
        for key, value in pairs:
            if key in record:
                raise InputError(f"repeated key {key!r}", path=path)
            record[key] = value
        return record

    try:
        record = json.loads("\n".join(lines), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", path=path, line=error.lineno) from None
    values = record.get("weights", record)
    if not isinstance(values, dict):
        raise InputError("expected an object of names and numbers under 'weights'", path=path)
    return {name: _number(path, None, name, value) for name, value in values.items()}


def _from_lines(path: PathLike, lines: list[str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for number, line in enumerate(lines, 1):
        text = line.split("#", 1)[0].strip() if line.lstrip().startswith("#") else line.strip()
        if not text:
            continue
        name, _, value = text.replace("\t", " ").rpartition(" ")
        if not name:
            name, _, value = text.rpartition("=")
        name = name.strip().removesuffix("=").strip()
        if not name:
            raise InputError(f"expected 'name value', found {text!r}", path=path, line=number)
        if name in values:
            raise InputError(f"repeated feature {name!r}", path=path, line=number)
        values[name] = _number(path, number, name, value)
    return values


def _number(path: PathLike, line: int | None, name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(
            f"the weight of {name!r} is {value!r}; expected a number", path=path, line=line
        ) from None
    if not math.isfinite(number):
        raise InputError(
            f"the weight of {name!r} is {number}; expected a finite number", path=path, line=line
        )
    return number
