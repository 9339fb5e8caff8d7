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
def locked_folder(folder: PathLike, busy: str, check: Callable[[Path], object]) -> Iterator[None]:
    """Lock a folder for the block; `busy` is the error if another process has locked it.

    `check` raises an error if the folder is not the caller's: then it stays as it was, without a new lock.
    Only after it temporary files of killed processes are removed.
    """
    place = Path(folder)
    with contextlib.ExitStack() as stack:
        is_new = _take(stack, place / LOCK, busy, path=folder)
        try:
            check(place)
        except BaseException:
            if is_new:
                with contextlib.suppress(OSError):
                    (place / LOCK).unlink()  # before it is released
            raise
        remove_leftovers(place)
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
        import fcntl  # noqa: F401
    except ImportError:  # no locks on this platform
        with _alone(is_ready, is_there, prepare, finish):
            yield
        return
    shared = _SharedFile(lock)
    try:
        while not shared.is_held_while(is_ready):
            if shared.is_held_alone() and not is_ready():
                if finish is not None and not is_there():
                    shared.note_made()
                prepare()
        if finish is None:
            shared.forget_made()
        yield
    finally:
        shared.release(finish)


class _SharedFile:
    """The file of a lock that several processes hold; each opens it."""

    def __init__(self, lock: Path) -> None:
        self.lock = lock
        self.descriptor, _ = _open(lock)

    def is_held_while(self, is_ready: Callable[[], bool]) -> bool:
        """Wait until no process holds it alone; return whether it is in place, and what it is for ready."""
        import fcntl

        fcntl.flock(self.descriptor, fcntl.LOCK_SH)
        return _is_at(self.descriptor, self.lock) and is_ready()

    def is_held_alone(self) -> bool:
        """Wait until no other process holds it; False, with a new file, if the last of them removed it."""
        import fcntl

        fcntl.flock(self.descriptor, fcntl.LOCK_EX)
        if _is_at(self.descriptor, self.lock):
            return True
        os.close(self.descriptor)
        self.descriptor, _ = _open(self.lock)
        return False

    def note_made(self) -> None:
        """Note that what it is for is made under this lock."""
        os.pwrite(self.descriptor, _MADE, 0)

    def forget_made(self) -> None:
        """Remove the note, so that no process finishes."""
        os.ftruncate(self.descriptor, 0)

    def release(self, finish: Callable[[], object] | None) -> None:
        """Give it up; the last process removes it, and finishes what was made under it."""
        import fcntl

        # A refused upgrade gives up the shared lock, too: the last of several processes is not refused.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(self.descriptor, self.lock):
                if finish is not None and os.pread(self.descriptor, len(_MADE), 0) == _MADE:
                    finish()
                self.lock.unlink()
        os.close(self.descriptor)


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


def _take(stack: contextlib.ExitStack, lock: Path, busy: str, *, path: PathLike) -> bool:
    """Lock a file until the stack is closed; return whether it was made for this."""
    try:
        import fcntl
    except ImportError:  # no locks on this platform
        return False
    while True:
        descriptor, is_new = _open(lock)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, lock):
                stack.callback(os.close, descriptor)
                return is_new
        except BlockingIOError:
            os.close(descriptor)
            raise InputError(busy, path=path) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # another process removed it meanwhile; try the new one


def _open(lock: Path) -> tuple[int, bool]:
    """Return the open file of a lock, and whether it was made now."""
    # A link is not followed: it could name any file of the user's.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with contextlib.suppress(FileExistsError):
            return os.open(lock, flags | os.O_EXCL, 0o644), True
        return os.open(lock, flags, 0o644), False
    except OSError as error:
        why = "is a link; remove it" if lock.is_symlink() else f"cannot write: {error.strerror or error}"
        raise InputError(why, path=lock) from error


def _is_at(descriptor: int, lock: Path) -> bool:
    """Whether an open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), lock.lstat())
    except FileNotFoundError:
        return False
