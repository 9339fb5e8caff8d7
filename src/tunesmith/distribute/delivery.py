"""The worker's side of shipped tasks: files from the driver in a cache, outputs in a scratch folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import zstandard

from tunesmith.distribute.shipping import Parcel, dumps_with, loads_with, write_whole
from tunesmith.folders import make_folder

__all__ = ["Cache", "Delivery", "Returned"]

_LEVEL = 1
"""Of compression: weights become a fifth, and all shards' outputs are in the driver's memory at once."""

_State = tuple[int, int, int]


class Cache:
    """Contents by digest, `FOLDER/DIGEST/NAME`, shared by the worker processes of an executor.

    `file_content` returns the bytes of a digest, `folder_archive` the path of a tar archive.
    """

    def __init__(
        self,
        folder: Path,
        file_content: Callable[[str], bytes],
        folder_archive: Callable[[str], Path],
    ) -> None:
        self.folder = folder
        self._file_content = file_content
        self._folder_archive = folder_archive
        make_folder(folder)

    def place(self, parcel: Parcel) -> Path:
        """Return the path of a file or folder, which is put there first if it is not."""
        place = self.folder / parcel.digest / Path(parcel.path).name
        with self._locked(parcel.digest):
            if not place.parent.exists():
                made = Path(tempfile.mkdtemp(dir=self.folder, prefix="."))
                content = made / place.name
                if parcel.kind == "folder":
                    content.mkdir()
                    with tarfile.open(self._folder_archive(parcel.digest)) as packed:
                        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # since 3.11.4
                        packed.extractall(content)
                else:
                    content.write_bytes(self._file_content(parcel.digest))
                made.replace(place.parent)
        return place

    def keep(self, digests: Collection[str]) -> None:
        """Remove all other contents, such as the weights of earlier iterations."""
        for place in self.folder.iterdir():
            if not place.name.startswith(".") and place.name not in digests:
                with self._locked(place.name):
                    shutil.rmtree(place, ignore_errors=True)

    def drop(self, digest: str) -> None:
        """Remove a content that was changed."""
        with self._locked(digest):
            shutil.rmtree(self.folder / digest, ignore_errors=True)

    @contextlib.contextmanager
    def _locked(self, digest: str) -> Iterator[None]:
        with (self.folder / f".{digest}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class Returned(NamedTuple):
    """A pickled result, and the contents of outputs, compressed by zstd, by their paths on the driver."""

    result: bytes
    outputs: list[tuple[str, bytes]]


class Delivery:
    """One task: `loads` reads it, and `returned` has its result with all files that it wrote.

    Outputs are in a scratch folder until the end of the `with` block. A file that came with the task and was
    replaced is an output, too.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._parcels: dict[Path, Parcel] = {}
        self._states: dict[Path, _State] = {}

    def __enter__(self) -> Delivery:
        self._scratch = Path(tempfile.mkdtemp(dir=self._cache.folder, prefix=".scratch-"))
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)

    def loads(self, task: bytes) -> Any:
        """Read a task, whose paths then are of this machine."""
        return loads_with(task, self._local)

    def returned(self, result: object) -> Returned:
        """Pickle a result, whose paths then are of the driver, and read the outputs."""
        pickled = dumps_with(result, self._of_driver)
        outputs = []
        for place, parcel in self._parcels.items():
            if parcel.kind == "output" and place.is_dir():
                raise IsADirectoryError(
                    f"{parcel.path}: a shard wrote a folder; outputs of shipped tasks are files"
                )
            changed = parcel.kind == "file" and _state(place) != self._states[place]
            if changed or (parcel.kind == "output" and place.exists()):
                content = zstandard.ZstdCompressor(_LEVEL).compress(place.read_bytes())
                outputs.append((parcel.path, content))
            if changed:
                self._cache.drop(parcel.digest)
        return Returned(pickled, outputs)

    def _local(self, parcel: Parcel) -> Path:
        if parcel.kind == "output":
            folder = self._scratch / str(len(self._parcels))
            known = {each.path: place for place, each in self._parcels.items() if each.kind == "output"}
            place = known.get(parcel.path, folder / Path(parcel.path).name)
            folder.mkdir(exist_ok=True)
        else:
            place = self._cache.place(parcel)
            self._states[place] = _state(place)
        self._parcels[place] = parcel
        return place

    def _of_driver(self, path: PurePath) -> Parcel | None:
        place = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
        for known, parcel in self._parcels.items():
            if place.is_relative_to(known):
                return parcel._replace(path=str(Path(parcel.path) / place.relative_to(known)))
        return None


def take_in(returned: Returned) -> bytes:
    """Write the outputs of a task where the driver wants them, and return its pickled result."""
    for path, content in returned.outputs:
        write_whole(Path(path), zstandard.ZstdDecompressor().decompress(content))
    return returned.result


def _state(place: Path) -> _State:
    found = place.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
