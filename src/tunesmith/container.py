"""Binary files that are mapped, not parsed: named arrays behind a header that tells what the file is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike, check_output

__all__ = ["Container", "container_kind", "write_container"]

_META = "meta"


@dataclass(frozen=True, eq=False)
class Container:
    """The arrays of a file, mapped and read-only, and what its writer noted about them."""

    arrays: dict[str, npt.NDArray[Any]]
    meta: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike, kind: str, version: int, *, verify: bool = False) -> Container:
        """Map a file; one that is missing, foreign, truncated or of another version is an InputError.

        `verify` reads all of it and compares its checksums.
        """
        _check_file(path)
        if verify:
            _native.verify_container(str(path), kind, version)
        arrays = _native.map_container(str(path), kind, version)
        meta = arrays.pop(_META, None)
        try:
            noted = {} if meta is None else json.loads(meta.tobytes())
        except ValueError:
            raise InputError("is damaged: its notes are not JSON", path=path) from None
        return cls(arrays, noted)


def write_container(
    path: PathLike,
    kind: str,
    version: int,
    arrays: Mapping[str, npt.NDArray[Any]],
    meta: Mapping[str, Any] | None = None,
) -> None:
    """Write arrays of one dimension under their names, whole or not at all."""
    check_output(path)
    sections = [(name, np.ascontiguousarray(array)) for name, array in arrays.items()]
    if meta is not None:
        noted = json.dumps(meta, ensure_ascii=False, sort_keys=True).encode()
        sections.append((_META, np.frombuffer(noted, dtype=np.uint8)))
    _native.write_container(str(path), kind, version, sections)


def container_kind(path: PathLike) -> str:
    """Return the kind that a file's header names, or "" where it is not one of ours."""
    return _native.container_kind(str(path))


def _check_file(path: PathLike) -> None:
    if not Path(path).exists():
        raise InputError("no such file", path=path)
