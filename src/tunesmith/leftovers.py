"""Names of temporary files and folders, by which those that a killed process has left are found and removed.

`.NAME.PID-HOST.tmp`, perhaps with a suffix of the compression, is the temporary name of NAME in its folder,
made by process PID of a host; HOST is a hash of the host's name and of the namespace of PID, since containers
of one name do not see each other's processes. Native code makes the same names (`base/temporary_name.h`).
While the process runs, the file is its own.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

__all__ = ["is_temporary", "of_this_process", "remove_leftovers", "temporary_name"]

_PATTERN = re.compile(r"\.(?P<name>.+)\.(?P<pid>[1-9][0-9]{0,9})-(?P<host>[0-9a-f]{8})\.tmp(\.[^.]*)?")
"""Names without a host may be of any program."""
_NAMESPACE = "/proc/self/ns/pid"
"""A link, whose text names the namespace of process numbers."""


def temporary_name(path: Path) -> Path:
    """Return the name under which this process writes a file before it is renamed."""
    return path.with_name(f".{path.name}.{of_this_process()}{path.suffix}")


def of_this_process() -> str:
    """Return the end of the names of this process's temporary files: `PID-HOST.tmp`."""
    return f"{os.getpid()}-{_host()}.tmp"


def is_temporary(name: str) -> bool:
    """Whether a name is that of a temporary file or folder, of any process of any host."""
    return _PATTERN.fullmatch(name) is not None


def remove_leftovers(folder: Path, is_of: Callable[[str], bool] = lambda name: True) -> None:
    """Remove from a folder what killed processes of this host have left of files whose names are `is_of`.

    Only what has a temporary name, and whose process does not run any more. Unless the names `is_of` accepts
    are those of an output, the folder must be known to be one that Tunesmith has written.
    """
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            found = _PATTERN.fullmatch(path.name)
            if found is None or not is_of(found["name"]):
                continue
            if found["host"] != _host() or _runs(int(found["pid"])):
                continue
            with contextlib.suppress(OSError):
                if path.is_symlink() or not path.is_dir():
                    path.unlink()
                else:
                    shutil.rmtree(path)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # of another user
        return True
    return True


@functools.cache
def _host() -> str:
    """Return the 32-bit FNV-1a hash of the host's name, followed by the namespace of process numbers."""
    import platform

    text = platform.node()
    with contextlib.suppress(OSError):  # only Linux has them
        text += str(Path(_NAMESPACE).readlink())
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % (1 << 32)
    return f"{value:08x}"
