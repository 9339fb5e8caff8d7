"""Weights: a value per feature name, and their files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike, content_suffix, open_write
from tunesmith.types import FloatArray
from tunesmith.weights.reading import FORMAT, read_weights

__all__ = ["Weights", "check_line_name"]

_UNFIT_FOR_LINES = re.compile(r'^$|^#|^\{"|[\s\0]|=$')


SHOWN = 10
"""Number of weights that `repr` shows."""


class Weights(Mapping[str, float]):
    """An immutable mapping from feature names to finite values.

    `path` is the file that they were read from, if any, for error messages, and `about` what that file
    records of how they were made. Copies of weights keep both.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        *,
        path: PathLike | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        self.path: PathLike | None = getattr(values, "path", None) if path is None else path
        self.about: Mapping[str, Any] = getattr(values, "about", {}) if about is None else about
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
    def read(cls, path: PathLike, *, regular: bool = False) -> Weights:
        """Read a file of weights in any form: JSON, lines, or a mapped container (see `read_weights`).

        Millions are better opened as a `WeightStore`.
        """
        found = read_weights(path, regular=regular)
        stored = found.weights
        values = stored if isinstance(stored, dict) else _from_store(stored)
        try:
            return cls(values, path=path, about=found.about)
        except InputError as error:
            raise InputError(error.message, path=path) from None

    def write(self, path: PathLike, **about: object) -> None:
        """Write JSON for a `.json` name, else `name value` lines; `about` is added to the JSON."""
        if content_suffix(path) == ".json":
            record = {"format": FORMAT, "version": 1, **about, "weights": self._values}
            text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        else:
            for feature in self._values:
                check_line_name(feature, path)
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


def check_line_name(name: str, path: PathLike) -> None:
    """Raise InputError if a line `name value` would not be read as this name."""
    if _UNFIT_FOR_LINES.search(name):
        raise InputError(f"a text line cannot contain the feature name {name!r}; write .json", path=path)


def _from_store(store: _native.WeightStore) -> dict[str, float]:
    return dict(zip(store.names(0, len(store)), store.weights().tolist(), strict=True))


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
