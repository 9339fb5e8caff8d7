"""Containers: memory-mapped binary files of named arrays, with a header of kind, version and checksums."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike, check_output
from tunesmith.json_files import parse_json

__all__ = ["MAGIC", "Container", "container_kind", "is_container", "write_container"]

MAGIC = b"TUNESMTH"
"""The first bytes of every container."""

_META = "meta"


@dataclass(frozen=True, eq=False)
class Container:
    """The arrays of a file, mapped and read-only, and its metadata."""

    arrays: dict[str, npt.NDArray[Any]]
    meta: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike, kind: str, version: int, *, verify: bool = False) -> Container:
        """Map a file; a missing, foreign, truncated or damaged file or another version is an InputError.

        The file is read once and its checksums are compared, unless this was done before and the file is
        unchanged since (docs/design/storage.md); `verify` compares them in any case.
        """
        _check_file(path)
        if verify:
            _native.verify_container(str(path), kind, version)
        arrays = _native.map_container(str(path), kind, version)
        meta = arrays.pop(_META, None)
        try:
            noted = {} if meta is None else parse_json(meta.tobytes(), "JSON")
        except InputError:
            raise InputError("is damaged: its notes are not JSON", path=path) from None
        if not isinstance(noted, dict):
            raise InputError("is damaged: its notes are not names and values", path=path)
        return cls(arrays, noted)


def write_container(
    path: PathLike,
    kind: str,
    version: int,
    arrays: Mapping[str, npt.NDArray[Any] | Sequence[npt.NDArray[Any]]],
    meta: Mapping[str, Any] | None = None,
) -> None:
    """Write one-dimensional arrays under their names, atomically.

    An array may be given as its parts, of one type: they are written without being joined in memory.
    """
    check_output(path)
    sections: list[tuple[str, list[npt.NDArray[Any]]]] = []
    for name, given in arrays.items():
        if name == _META or "\0" in name:
            raise InputError(f"a section cannot be named {name!r}", path=path)
        parts = [given] if isinstance(given, np.ndarray) else list(given)
        for array in parts:
            if np.ndim(array) != 1:
                raise InputError(f"section {name!r} has {np.ndim(array)} dimensions; expected 1", path=path)
        if not parts:
            raise InputError(f"section {name!r} has no parts; expected at least one", path=path)
        sections.append((name, [np.ascontiguousarray(array) for array in parts]))
    if meta is not None:
        try:
            noted = json.dumps(meta, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise InputError(f"its notes cannot be written as JSON: {error}", path=path) from None
        sections.append((_META, [np.frombuffer(noted, dtype=np.uint8)]))
    _native.write_container(str(path), kind, version, sections)


def container_kind(path: PathLike) -> str:
    """Return the kind in a file's header, or "" if it is not a container."""
    return _native.container_kind(str(path))


def is_container(path: PathLike) -> bool:
    """Whether a regular file begins with `MAGIC`; it may still be truncated."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", path=path) from error


def _check_file(path: PathLike) -> None:
    try:
        there = Path(path).exists()
        str(path).encode()
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"cannot read: {getattr(error, 'strerror', None) or error}", path=path) from error
    if not there:
        raise InputError("no such file", path=path)
