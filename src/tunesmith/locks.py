"""Locks on folders and files against other processes; they end with the process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.leftovers import remove_leftovers

__all__ = ["LOCK", "locked_files", "locked_folder", "shared_lock"]

LOCK = ".lock"
"""The lock of a folder."""
_MADE = b"made by the processes that hold this lock; to be removed by the last of them\n"
"""What the file of a shared lock says if `finish` is due."""


@contextlib.contextmanager
def locked_folder(folder: PathLike, busy: str) -> Iterator[None]:
    """Lock a folder for the block; `busy` is the error if another process has locked it.

    Temporary files of killed processes are removed first.
    """
    with contextlib.ExitStack() as stack:
        _take(stack, Path(folder) / LOCK, busy, path=folder)
        remove_leftovers(Path(folder))
        yield


@contextlib.contextmanager
def locked_files(files: Iterable[PathLike | None], busy: str) -> Iterator[None]:
    """Lock files that are written in the block, as `.NAME.lock` beside each; these are removed at its end.

    Links are followed, so that all names of a file have one lock. None, standard output, devices, pipes and
    files in missing folders have none.
    """
    places = {Path(os.path.realpath(file)) for file in files if file is not None and str(file) != "-"}
    with contextlib.ExitStack() as stack:
        for place in sorted(places):  # in one order, so that two processes cannot each take one of two
            if place.parent.is_dir() and (place.is_file() or not place.exists()):
                lock = place.with_name(f".{place.name}{LOCK}")
                _take(stack, lock, busy, path=place)
                stack.callback(lock.unlink, missing_ok=True)  # before it is released
        yield


@contextlib.contextmanager
def shared_lock(
    lock: Path,
    *,
    is_ready: Callable[[], bool],
    is_there: Callable[[], bool],
    prepare: Callable[[], object],
    finish: Callable[[], object] | None,
) -> Iterator[None]:
    """Hold a lock together with other processes for the block.

    Unless it `is_ready`, `prepare` runs before the block. `finish` runs after it in the last process that
    holds the lock, if what is there was made under this lock: if nothing `is_there` before `prepare`. The
    file of the lock notes that, so that after a kill the next process finishes. What was there before stays,
    whether it was used or `prepare` refused it; with None for `finish` what is made stays, too. `prepare` and
    `finish` run while no other process holds the lock, which ends with the process.
    """
    try:
        import fcntl
    except ImportError:  # no locks on this platform
        with _alone(is_ready, is_there, prepare, finish):
            yield
        return
    descriptor = _open(lock)
    try:
        while True:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _is_at(descriptor, lock) and is_ready():
                break
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if not _is_at(descriptor, lock):  # the last process removed it meanwhile
                os.close(descriptor)
                descriptor = _open(lock)
            elif not is_ready():
                if finish is not None and not is_there():
                    os.pwrite(descriptor, _MADE, 0)
                prepare()
        if finish is None:
            os.ftruncate(descriptor, 0)
        yield
    finally:
        # A refused upgrade gives up the shared lock, too: the last of several processes is not refused.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, lock):
                if finish is not None and os.pread(descriptor, len(_MADE), 0) == _MADE:
                    finish()
                lock.unlink()
        os.close(descriptor)


@contextlib.contextmanager
def _alone(
    is_ready: Callable[[], bool],
    is_there: Callable[[], bool],
    prepare: Callable[[], object],
    finish: Callable[[], object] | None,
) -> Iterator[None]:
    made = not is_ready() and not is_there()
    try:
        if not is_ready():
            prepare()
        yield
    finally:
        if made and finish is not None:
            finish()


def _take(stack: contextlib.ExitStack, lock: Path, busy: str, *, path: PathLike) -> None:
    try:
        import fcntl
    except ImportError:  # no locks on this platform
        return
    while True:
        descriptor = _open(lock)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, lock):
                stack.callback(os.close, descriptor)
                return
        except BlockingIOError:
            os.close(descriptor)
            raise InputError(busy, path=path) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # another process removed it meanwhile; try the new one


def _open(lock: Path) -> int:
    try:
        # A link is not followed: it could name any file of the user's.
        return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        why = "is a link; remove it" if lock.is_symlink() else f"cannot write: {error.strerror or error}"
        raise InputError(why, path=lock) from error


def _is_at(descriptor: int, lock: Path) -> bool:
    """Whether an open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), lock.lstat())
    except FileNotFoundError:
        return False
