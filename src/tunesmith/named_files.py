"""Files that other files name: a model's list of parts, a manifest, a line of input.

Whoever wrote such a name may not be who runs the command. So what a folder calls its own stays inside it,
only regular files are read, and errors do not print their content.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_regular

__all__ = ["check_regular", "inside", "own_file", "own_folder", "unquoted"]

_QUOTE = re.compile("['\"]")


def inside(folder: PathLike, name: object, *, path: PathLike | None = None) -> Path:
    """Return the path of a name in a folder; a name that leaves it is an InputError of the file `path`.

    Names are relative, without `..`. Links are not followed here: a user may link a large file into a model.
    """
    if not isinstance(name, str) or not name or "\0" in name:
        raise InputError(f"expected the name of a file, found {name!r:.60}", path=path)
    pure = PurePath(name)
    if pure.is_absolute() or ".." in pure.parts or pure == PurePath():
        raise InputError(f"names {name!r}; expected the name of a file inside {folder}", path=path)
    return Path(folder) / name


def own_file(folder: PathLike, name: object, *, path: PathLike | None = None) -> Path:
    """Return the path of a file that will be written or removed in a folder; see `inside`.

    A link of this name is removed first, so that not the file is written that it leads to. A folder within
    the folder that is a link to another place is an InputError, and so is a pipe or a device of this name.
    """
    file = inside(folder, name, path=path)
    home = Path(os.path.realpath(folder))
    if not Path(os.path.realpath(file.parent)).is_relative_to(home):
        raise InputError(f"is a link that leads out of {folder}; remove it", path=file.parent)
    if file.is_symlink():
        file.unlink()
    elif file.exists() and not (file.is_file() or file.is_dir()):
        raise InputError("is a pipe or a device, which cannot be a file of this folder; remove it", path=file)
    return file


def own_folder(folder: PathLike, name: str) -> Path:
    """Return the path of a folder within a folder, in which files are written and removed; see `inside`.

    A link of this name is an InputError: what it leads to may be anyone's.
    """
    path = inside(folder, name)
    home = Path(os.path.realpath(folder))
    if path.is_symlink() or not Path(os.path.realpath(path.parent)).is_relative_to(home):
        raise InputError("is a link; expected a folder: remove the link", path=path)
    return path


def check_regular(path: PathLike) -> None:
    """Raise InputError unless this is a readable regular file; never waits for a pipe."""
    with open_regular(path):
        pass


@contextlib.contextmanager
def unquoted(namer: str) -> Iterator[None]:
    """Remove what a file contains, which messages quote, from errors; `namer` is who named the file."""
    try:
        yield
    except InputError as error:
        quote = _QUOTE.search(error.message)
        if quote is None:
            raise
        plain = error.message[: quote.start()].rpartition("; ")[0] or "has an error here"
        raise InputError(
            f"{plain}; the text is not shown, because {namer} names the file",
            path=error.path,
            line=error.line,
        ) from None
