"""Weights: a value per feature name, and their files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence

from tunesmith.errors import InputError
from tunesmith.files import PathLike, content_suffix, open_write, read_lines
from tunesmith.json_files import shown
from tunesmith.types import FloatArray

__all__ = ["Weights"]

FORMAT = "tunesmith-weights"

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_JSON_START = re.compile(r"\s*\{\s*(\"|\}|$)")
_UNFIT_FOR_LINES = re.compile(r'^$|^#|^\{"|[\s\0]|=$')


SHOWN = 10
"""Number of weights that `repr` shows."""


class Weights(Mapping[str, float]):
    """An immutable mapping from feature names to finite values.

    `path` is the file that they were read from, if any, for error messages.
    """

    def __init__(self, values: Mapping[str, float], *, path: PathLike | None = None) -> None:
        self.path: PathLike | None = path
        if path is None and isinstance(values, Weights):
            self.path = values.path
        self._values = {name: _finite(name, value) for name, value in values.items()}
        for name in self._values:
            if not name.isascii() and any("\ud800" <= character <= "\udfff" for character in name):
                raise InputError(
                    f"the feature name {name!r} contains a lone surrogate, which UTF-8 cannot encode"
                )

    @classmethod
    def from_array(cls, names: Sequence[str], values: FloatArray) -> Weights:
        """Pair names with the entries of an array."""
        return cls(dict(zip(names, values.tolist(), strict=True)))

    @classmethod
    def read(cls, path: PathLike) -> Weights:
        """Read Tunesmith's JSON, or lines `name value` as in cdec's weights and Moses' sparse weights.

        `name=value` and Moses' `Label= v v v` (the features `Label_0`, `Label_1`, ...) are lines too, and
        `#` starts a comment line. A repeated name, a value that is not a finite number and a file without
        weights are errors.
        """
        lines = read_lines(path)
        looks_like_json = _JSON_START.match("\n".join(lines))
        values = _from_json(path, lines) if looks_like_json else _from_lines(path, lines)
        if not values:
            raise InputError("no weights in this file", path=path)
        try:
            return cls(values, path=path)
        except InputError as error:
            raise InputError(error.message, path=path) from None

    def write(self, path: PathLike, **about: object) -> None:
        """Write JSON for a `.json` name, else `name value` lines; `about` is added to the JSON."""
        if content_suffix(path) == ".json":
            record = {"format": FORMAT, "version": 1, **about, "weights": self._values}
            text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        else:
            for feature in self._values:
                if _UNFIT_FOR_LINES.search(feature):
                    raise InputError(
                        f"a text line cannot contain the feature name {feature!r}; write .json", path=path
                    )
            text = "".join(f"{feature} {value!r}\n" for feature, value in self._values.items())
        with open_write(path) as stream:
            stream.write(text.encode("utf-8"))

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name!r}: {value:.6g}" for name, value in list(self._values.items())[:SHOWN])
        more = f", ... ({len(self)} in all)" if len(self) > SHOWN else ""
        return f"Weights({{{shown}{more}}})"


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
    except RecursionError:
        raise InputError(
            "expected an object of names and numbers, found objects within objects", path=path
        ) from None
    except ValueError as error:  # a number of too many digits
        raise (
            error if isinstance(error, InputError) else InputError(f"not JSON: {error}", path=path)
        ) from None
    if "format" in record and (record["format"], record.get("version")) != (FORMAT, 1):
        found = f"{shown(record['format'])} version {shown(record.get('version'))}"
        raise InputError(f"expected format {FORMAT!r} version 1, found {found}", path=path)
    values = record.get("weights", None if "format" in record else record)
    if not isinstance(values, dict):
        raise InputError("expected an object of names and numbers under 'weights'", path=path)
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"the weight of {name!r} is {shown(value)}; expected a number", path=path)
    return values


def _from_lines(path: PathLike, lines: list[str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        for name, value in _entries(path, number, line):
            if name in values:
                raise InputError(f"repeated feature {name!r}", path=path, line=number)
            if not _DECIMAL.fullmatch(value):
                message = f"the weight of {name!r} is {value!r}; expected a finite number"
                raise InputError(message, path=path, line=number)
            values[name] = float(value)
    return values


def _entries(path: PathLike, number: int, line: str) -> list[tuple[str, str]]:
    """Return the names and values of a line: `name value`, `name=value`, `name = value` or `Label= v v`."""
    tokens = re.split("[ \t]+", line.strip())
    if len(tokens) == 1:
        name, _, value = tokens[0].rpartition("=")
        tokens = [name, value]
    elif len(tokens) == 3 and tokens[1] == "=":
        tokens = [tokens[0], tokens[2]]
    elif len(tokens) > 2 and tokens[0].endswith("="):
        label = tokens[0].removesuffix("=")
        return [(f"{label}_{index}", value) for index, value in enumerate(tokens[1:])]
    if len(tokens) != 2 or not tokens[0].removesuffix("="):
        raise InputError(f"expected 'name value', found {line.strip()[:60]!r}", path=path, line=number)
    return [(tokens[0].removesuffix("="), tokens[1])]


def _finite(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        raise InputError(f"the weight of {name!r} is {value!r}; expected a number") from None
    if not math.isfinite(number):
        raise InputError(f"the weight of {name!r} is {number}; expected a finite number")
    return number
