"""Checksums of files, known of those that have not changed since they were computed.

Reading a file of a gigabyte takes seconds, so the checksum of a large file is recorded with what identifies
its state: resolved path, inode, size, and the times of the last change of its bytes and of its inode. Any
program that writes to a file, replaces or moves it changes one of these. Records are in this process and in
the folder `tunesmith/checksums` of the user's cache folder ($XDG_CACHE_HOME, or else $HOME/.cache), as
native code has them of binary files (`base/verified_files.h`). If that cannot be written, each process reads
the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import open_regular, open_write

__all__ = ["checksum", "known_checksum"]

LEAST_RECORDED = 16 << 20
"""Smaller files are read by each process, in some tens of milliseconds."""
_SECOND = 1_000_000_000
_TICK, _COARSE_TICK = _SECOND // 10, 2 * _SECOND
"""Longer than the resolution of a file's times; of file systems that store whole seconds."""
_OF_PROCESS: dict[str, str] = {}


def checksum(path: Path) -> str:
    """Return the SHA-256 of a regular file, which is read; that of a large one is recorded."""
    try:
        with open_regular(path) as stream:
            before = os.fstat(stream.fileno())
            found = hashlib.file_digest(stream, "sha256").hexdigest()
            after = os.fstat(stream.fileno())
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", path=path) from error
    state = _state(path, before)
    if state == _state(path, after) and _is_settled(after):
        _OF_PROCESS[state] = found
        place = _record_of(path)
        if place is not None and after.st_size > LEAST_RECORDED:
            with contextlib.suppress(OSError, InputError):
                place.parent.mkdir(parents=True, exist_ok=True)
                with open_write(place) as record:
                    record.write(f"{state}\n{found}\n".encode(errors="surrogateescape"))
    return found


def known_checksum(path: Path) -> str:
    """Return the SHA-256 of a regular file: the recorded one if the file has not changed since."""
    with open_regular(path) as stream:
        status = os.fstat(stream.fileno())
    state, place = _state(path, status), _record_of(path)
    if state not in _OF_PROCESS and place is not None and status.st_size > LEAST_RECORDED:
        with contextlib.suppress(OSError):
            text = place.read_bytes().decode(errors="surrogateescape")
            recorded, _, found = text.removesuffix("\n").rpartition("\n")
            if recorded == state and len(found) == 64:
                _OF_PROCESS[state] = found
    return _OF_PROCESS.get(state) or checksum(path)


def _state(path: Path, status: os.stat_result) -> str:
    numbers = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return "\n".join(["tunesmith checksum 1", os.path.realpath(path), *map(str, numbers)])


def _is_settled(status: os.stat_result) -> bool:
    """Whether the last change is longer ago than the times resolve, so that another will change them."""
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    return time.time_ns() - changed >= (_TICK if changed % _SECOND else _COARSE_TICK)


def _record_of(path: Path) -> Path | None:
    """Return the place of a file's record; None without a cache folder."""
    cache, home = os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME")
    if not (cache or home):
        return None
    folder = Path(cache) if cache else Path(home or "", ".cache")
    name = hashlib.blake2b(os.path.realpath(path).encode(errors="surrogateescape"), digest_size=16)
    return folder / "tunesmith" / "checksums" / name.hexdigest()
