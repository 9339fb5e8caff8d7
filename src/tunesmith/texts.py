"""A list of strings in two flat arrays, shared with native code without copying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.immutable import read_only
from tunesmith.types import IntArray

__all__ = ["Texts", "joined_offsets"]


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """Strings as one blob of UTF-8: text i is `blob[offsets[i]:offsets[i + 1]]`; both are read-only."""

    blob: npt.NDArray[np.uint8]
    offsets: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "blob", read_only(self.blob))
        object.__setattr__(self, "offsets", read_only(self.offsets))

    def __reduce__(self) -> tuple[object, ...]:
        return (Texts, (self.blob, self.offsets))

    @classmethod
    def of(cls, strings: Iterable[str]) -> Texts:
        """Pack strings; a lone surrogate, which UTF-8 cannot encode, is an InputError."""
        if isinstance(strings, Texts):
            return strings
        encoded = []
        for number, string in enumerate(strings):
            try:
                encoded.append(string.encode("utf-8"))
            except UnicodeEncodeError:
                raise InputError(f"text {number} has a lone surrogate, which UTF-8 cannot encode") from None
            except AttributeError:
                raise InputError(f"text {number} is {string!r}; expected a string") from None
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    @classmethod
    def stored(cls, blob: npt.NDArray[np.uint8], offsets: IntArray, what: str, path: object = None) -> Texts:
        """Return texts of a file; damaged ones, which do not fit or are not UTF-8, are an InputError.

        `what` names them, in the plural.
        """
        if blob.dtype != np.uint8 or offsets.dtype != np.int64:
            raise InputError(f"is damaged: its {what} are not texts", path=path)
        try:
            _native.check_offsets(offsets, len(blob), what)
        except InputError as error:
            raise InputError(f"is damaged: {error.message}", path=path) from None
        if not _native.all_words_are_utf8(blob, offsets):
            raise InputError(f"is damaged: its {what} are not UTF-8", path=path)
        return cls(blob, offsets)

    @classmethod
    def joined(cls, columns: Sequence[Texts]) -> Texts:
        """Concatenate texts."""
        offsets = joined_offsets([column.offsets for column in columns])
        return cls(np.concatenate([column.blob for column in columns]), offsets)

    def take(self, rows: npt.ArrayLike) -> Texts:
        """Return the chosen texts, in the given order."""
        return Texts(*_native.take_texts(self.blob, self.offsets, np.ascontiguousarray(rows, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Texts: ...
    def __getitem__(self, index: int | slice) -> str | Texts:
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        row = range(len(self))[index]
        return self.blob[self.offsets[row] : self.offsets[row + 1]].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        data, offsets = self.blob.tobytes(), self.offsets.tolist()
        for row in range(len(self)):
            yield data[offsets[row] : offsets[row + 1]].decode("utf-8")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts):
            return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.blob, other.blob)
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self), self.blob.tobytes()))


def joined_offsets(columns: Sequence[IntArray]) -> IntArray:
    """Return the offsets of flat arrays that are written one after another."""
    starts = np.cumsum([0, *(column[-1] for column in columns)])
    ends = [column[1:] + start for column, start in zip(columns, starts[:-1], strict=True)]
    return np.concatenate([starts[:1], *ends])
