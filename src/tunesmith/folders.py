"""Folders of outputs and of temporary files; one that cannot be made is an InputError."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO, cast

from tunesmith.errors import InputError
from tunesmith.leftovers import of_this_process, remove_leftovers

__all__ = ["has_content", "make_folder", "temporary_file", "temporary_folder", "temporary_place"]


def make_folder(folder: str | os.PathLike[str], *, may_exist: bool = True) -> Path:
    """Make a folder, and those around it, unless it is there and `may_exist`."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=may_exist)
    except FileExistsError:
        raise InputError("is a file; expected a folder", path=path) from None
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror or error}", path=path) from None
    return path


def has_content(path: Path, besides: Collection[str] = ()) -> bool:
    """Whether a link, a file, or a folder with entries `besides` these names is there."""
    if path.is_symlink() or path.is_file():
        return True
    return path.exists() and any(entry.name not in besides for entry in path.iterdir())


def temporary_folder(
    prefix: str = "tunesmith-", parent: str | os.PathLike[str] | None = None
) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that is removed at the end of a `with` block, in `parent` [default: that of TMPDIR].

    Those of killed processes with the same prefix are removed from a `parent`.
    """
    place = temporary_place() if parent is None else os.fspath(parent)
    suffix = None
    if parent is not None:
        suffix = f".{of_this_process()}"
        remove_leftovers(Path(parent), lambda name: f".{name}".startswith(prefix))
    try:
        return tempfile.TemporaryDirectory(suffix, prefix, place)
    except OSError as error:
        raise _unwritable(place, error, is_default=parent is None) from None


def temporary_file() -> BinaryIO:
    """Open a file without a name, which is gone when it is closed."""
    place = temporary_place()
    try:
        return cast(BinaryIO, tempfile.TemporaryFile(dir=place))
    except OSError as error:
        raise _unwritable(place, error, is_default=True) from None


def temporary_place() -> str:
    """Return the folder for temporary files: that of TMPDIR, else the first usable one of the system."""
    try:
        return tempfile.gettempdir()
    except OSError:
        raise InputError(
            "no folder for temporary files can be written to; set TMPDIR to one, such as with"
            " `export TMPDIR=FOLDER`"
        ) from None


def _unwritable(place: str, error: OSError, *, is_default: bool) -> InputError:
    advice = "; set TMPDIR to a folder that you may write to" if is_default else ""
    return InputError(f"cannot write temporary files here: {error.strerror or error}{advice}", path=place)
