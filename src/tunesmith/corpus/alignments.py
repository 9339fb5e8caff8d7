"""Word alignments of a bitext, and their text form `0-0 1-2`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.rows import chosen_rows
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, parse_chunks, read_chunks
from tunesmith.immutable import read_only
from tunesmith.texts import Texts
from tunesmith.types import Int32Array, IntArray

__all__ = ["Alignments"]


@dataclass(frozen=True, eq=False)
class Alignments:
    """The links of pair i are the rows `links[offsets[i]:offsets[i + 1]]`, each (source, target) from 0.

    The rows of a pair are sorted and distinct.
    """

    links: Int32Array
    offsets: IntArray

    def __post_init__(self) -> None:
        _check_arrays(np.asarray(self.links), np.asarray(self.offsets))
        object.__setattr__(self, "links", read_only(self.links))
        object.__setattr__(self, "offsets", read_only(self.offsets))

    @classmethod
    def read(cls, path: PathLike, bitext: Bitext | None = None) -> Alignments:
        """Read one line of links `i-j` per pair, as Moses, fast_align and GIZA's symmetrization write them.

        If a bitext is given, a link that is not between words of its pair is an InputError.
        """
        alignments = cls(*parse_chunks(_native.AlignmentParser(), read_chunks(path), path))
        try:
            if bitext is not None:
                alignments.check(bitext)
        except InputError as error:
            raise InputError(error.message, path=path, line=error.line) from None
        return alignments

    @classmethod
    def of(cls, pairs: Iterable[Iterable[tuple[int, int]]]) -> Alignments:
        """Collect the links of each pair."""
        rows = [sorted({(int(i), int(j)) for i, j in pair}) for pair in pairs]
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        flat = [link for row in rows for link in row]
        links = np.array(flat, dtype=np.int64).reshape(-1, 2)
        if links.size and links.max() > np.iinfo(np.int32).max:
            raise InputError(f"found a link to word {links.max()}; expected positions below 2^31")
        return cls(links.astype(np.int32), offsets)

    @classmethod
    def concatenate(cls, parts: Sequence[Alignments]) -> Alignments:
        """Return the alignments of all pairs of the first part, then of the second, and so on."""
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return cls(np.concatenate([part.links for part in parts]), offsets)

    def write(self, path: PathLike) -> None:
        """Write the text form."""
        with open_write(path) as stream:
            for line in self.lines():
                stream.write(line.encode() + b"\n")

    def lines(self) -> Texts:
        """Return the text form, one line per pair."""
        return Texts(*_native.format_alignments(self.links, self.offsets))

    def check(self, bitext: Bitext) -> None:
        """Raise InputError, with the line number, unless every link is between words of its pair."""
        _native.check_alignments(*self.arrays, bitext.source.arrays, bitext.target.arrays)

    @property
    def arrays(self) -> tuple[Int32Array, IntArray]:
        """(links, offsets), as native functions take them."""
        return self.links, self.offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Int32Array:
        row = range(len(self))[index]
        return self.links[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[Int32Array]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignments):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.links, other.links)

    def __hash__(self) -> int:
        return hash((len(self), self.links.tobytes()))

    def take(self, rows: npt.ArrayLike) -> Alignments:
        """Return the alignments of the chosen pairs, by number in the given order, or by a mask."""
        chosen = chosen_rows(rows, len(self))
        lengths = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        starts = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], lengths)
        return Alignments(self.links[starts + np.arange(offsets[-1])], offsets)


def _check_arrays(links: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> None:
    if links.ndim != 2 or links.shape[1] != 2 or links.dtype != np.int32:
        raise InputError(f"found links of shape {links.shape} and type {links.dtype}; expected int32, (n, 2)")
    if offsets.ndim != 1 or not offsets.size or offsets.dtype != np.int64:
        raise InputError(
            f"found offsets of shape {offsets.shape} and type {offsets.dtype}; expected int64, at least one"
        )
    if offsets[0] != 0 or offsets[-1] != len(links) or (np.diff(offsets) < 0).any():
        raise InputError(f"the offsets of alignments must rise from 0 to the number of links, {len(links)}")
    if links.size and links.min() < 0:
        raise InputError(f"found a link to word {links.min()}; words are counted from 0")
