"""Tasks whose files travel with them, for workers that share no folder with the driver.

A pickled task has references in place of its `Path`s: an existing file or folder goes by the digest of its
content, any other path is an output. A worker puts the contents into a cache of its own, where equal contents
have equal paths, calls the function, and sends outputs back. So functions are unaware of it.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any, Literal, NamedTuple

__all__ = ["Parcel", "Shipper", "pack_folder", "write_whole"]

_CHUNK = 1 << 20


class Parcel(NamedTuple):
    """A reference to a path of the driver; `digest` is empty for outputs."""

    kind: Literal["file", "folder", "output"]
    digest: str
    path: str


class Shipper:
    """The driver's side: pickles tasks, remembers the files that they name, and reads results.

    `files` and `folders` are the paths by digest of all tasks since the last `clear`. Contents are read once,
    unless a file's size or time changes.
    """

    def __init__(self) -> None:
        self.files: dict[str, Path] = {}
        self.folders: dict[str, Path] = {}
        self._known: dict[Path, tuple[tuple[int, ...], str]] = {}

    def clear(self) -> None:
        """Forget which files tasks have named."""
        self.files, self.folders = {}, {}

    def dumps(self, task: object) -> bytes:
        """Return a task with references in place of its paths."""
        stream = io.BytesIO()
        _Pickler(stream, self._parcel).dump(task)
        return stream.getvalue()

    def loads(self, result: bytes) -> Any:
        """Return a result of a worker, in which references to paths of this machine are paths again."""
        return _Unpickler(io.BytesIO(result), lambda parcel: Path(parcel.path)).load()

    def _parcel(self, path: PurePath) -> Parcel:
        place = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
        if place.is_file():
            digest = self._digest(place)
            self.files[digest] = place
            return Parcel("file", digest, str(place))
        if place.is_dir():
            whole = hashlib.blake2b(f"{place.name}\0".encode(), digest_size=16)
            for name, file in _contents(place):
                whole.update(f"{name}\0{self._digest(file)}\n".encode())
            self.folders[whole.hexdigest()] = place
            return Parcel("folder", whole.hexdigest(), str(place))
        return Parcel("output", "", str(place))

    def _digest(self, file: Path) -> str:
        """Return a digest of a file's name and content: readers choose the format by the name."""
        found = file.stat()
        state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._known.get(file, ((), ""))[0] != state:
            digest = hashlib.blake2b(file.name.encode() + b"\0", digest_size=16)
            with file.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
            self._known[file] = state, digest.hexdigest()
        return self._known[file][1]


class _Pickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, parcel: Any) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._parcel = parcel

    def persistent_id(self, value: object) -> tuple[str, str, str] | None:
        found = self._parcel(value) if isinstance(value, PurePath) else None
        return None if found is None else tuple(found)


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, path_of: Any) -> None:
        super().__init__(stream)
        self._path_of = path_of

    def persistent_load(self, parcel: Any) -> Path:
        found: Path = self._path_of(Parcel(*parcel))
        return found


def loads_with(data: bytes, path_of: Any) -> Any:
    """Read a task; `path_of` returns the path of each `Parcel`."""
    return _Unpickler(io.BytesIO(data), path_of).load()


def dumps_with(value: object, parcel: Any) -> bytes:
    """Pickle a value; `parcel` returns the `Parcel` of a path, or None to leave it as it is."""
    stream = io.BytesIO()
    _Pickler(stream, parcel).dump(value)
    return stream.getvalue()


def _contents(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield relative names and files of a folder in order; hidden ones are locks and unfinished files."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and not any(part.startswith(".") for part in name.parts):
            yield name.as_posix(), file


def pack_folder(folder: Path, archive: Path) -> None:
    """Write the files of a folder into an uncompressed tar archive; links are followed."""
    with tarfile.open(archive, "w", dereference=True) as packed:
        for name, file in _contents(folder):
            packed.add(file, arcname=name, recursive=False)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as it is, under a temporary name that is then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
