"""Many compressed forests in one mapped file, accessed by number or by sentence id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.files import COMPRESSIONS, PathLike, check_output
from tunesmith.forest.forest import Forest
from tunesmith.forest.names import Names
from tunesmith.texts import Texts

__all__ = ["KIND", "ForestFile", "ForestWriter"]

KIND = "forests"
"""The kind in the header of such a file."""


class ForestWriter:
    """Compresses and writes forests one by one; the complete file appears when the block ends.

    Only the distinct words and features, and the id of each forest, are kept in memory. If the block fails,
    nothing stays on disk. Threads may add, and compress, concurrently: forests of one thread are in the order
    of its calls, forests of several in order of completion.
    """

    def __init__(self, path: PathLike) -> None:
        if (suffix := Path(path).suffix) in COMPRESSIONS:
            raise OptionError(
                f"{path}: files of forests are compressed internally; choose a name without {suffix}"
            )
        check_output(path)
        self._native = _native.ForestWriter(str(path))

    def add(self, forest: Forest, id: str | None = None) -> None:  # noqa: A002
        """Append a forest; its id (default: its number) must be unique."""
        if id == "":
            raise OptionError("the id of a forest cannot be empty; leave it out to number the forests")
        self._native.add(forest.native, "" if id is None else id)

    def __len__(self) -> int:
        """Return the number of forests so far."""
        return len(self._native)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._native.finish()
        self._native.close()


class ForestFile(Sequence[Forest]):
    """The forests of a file, decompressed on access; all share the names of the file."""

    def __init__(self, path: PathLike) -> None:
        self.path = str(path)
        self._native = _native.ForestFile(self.path)
        self._names = Names.of(self._native.names)  # kept alive, so that all forests share them

    @classmethod
    def open(cls, path: PathLike) -> ForestFile:
        """Map a file; one that is missing, foreign, truncated or damaged is an InputError."""
        return cls(path)

    @property
    def native(self) -> _native.ForestFile:
        """The native file."""
        return self._native

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of each forest's sentence."""
        return tuple(Texts(*self._native.ids))

    @property
    def words(self) -> Texts:
        """The words of all forests."""
        return self._names.words

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features by column, the same in all forests."""
        return self._names.features

    @cached_property
    def node_counts(self) -> npt.NDArray[np.uint32]:
        """The number of nodes of each forest; reading it decompresses nothing."""
        return self._native.node_counts

    @cached_property
    def edge_counts(self) -> npt.NDArray[np.uint32]:
        """The number of edges of each forest; reading it decompresses nothing."""
        return self._native.edge_counts

    def find(self, id: str) -> int:  # noqa: A002
        """Return the number of the forest with this id."""
        number = self._native.find(id)
        if number < 0:
            raise InputError(f"no forest has the id {id!r}", path=self.path)
        return number

    def by_id(self, id: str) -> Forest:  # noqa: A002
        """Return the forest with this id."""
        return self[self.find(id)]

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, index: int) -> Forest: ...
    @overload
    def __getitem__(self, index: slice) -> list[Forest]: ...
    def __getitem__(self, index: int | slice) -> Forest | list[Forest]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return Forest(self._native.forest(range(len(self))[index]))

    def __iter__(self) -> Iterator[Forest]:
        for i in range(len(self)):
            yield self[i]

    def items(self) -> Iterator[tuple[str, Forest]]:
        """Yield each id with its forest."""
        return zip(self.ids, self, strict=True)

    def __repr__(self) -> str:
        return f"<ForestFile {self.path!r}: {len(self)} forests, {int(self.edge_counts.sum())} edges>"

    def __reduce__(self) -> tuple[object, ...]:
        return (ForestFile, (self.path,))
