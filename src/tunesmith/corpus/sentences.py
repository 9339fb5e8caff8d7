"""Tokenized text as arrays of word numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus.rows import chosen_rows
from tunesmith.corpus.vocabulary import Vocabulary
from tunesmith.errors import InputError
from tunesmith.files import PathLike, parse_chunks, read_chunks
from tunesmith.immutable import read_only
from tunesmith.types import Int32Array, IntArray

__all__ = ["Sentences"]


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentence i is `words[offsets[i]:offsets[i + 1]]`; -1 is a word that is not in the vocabulary."""

    words: Int32Array
    offsets: IntArray
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", read_only(self.words))
        object.__setattr__(self, "offsets", read_only(self.offsets))
        _native.check_sentences(self.words, self.offsets, len(self.vocabulary), -1)

    @classmethod
    def read(cls, path: PathLike, vocabulary: Vocabulary | None = None, *, grow: bool = True) -> Sentences:
        """Read one sentence per line, tokens separated by ASCII spaces; `.gz` etc. decompress, `-` is stdin.

        New words are added to the vocabulary, or are -1 if `grow` is false.
        """
        return cls._parse(read_chunks(path), vocabulary, grow, path)

    @classmethod
    def of(
        cls, lines: Iterable[str], vocabulary: Vocabulary | None = None, *, grow: bool = True
    ) -> Sentences:
        """Number the words of tokenized lines."""
        if isinstance(lines, str):
            raise InputError(f"found the string {lines[:60]!r}; expected a list of sentences")
        given = list(lines)
        for number, line in enumerate(given, 1):
            if "\n" in line:
                raise InputError("a sentence contains a line end", line=number)
        if not given:
            nothing = np.zeros(0, dtype=np.int32)
            return cls(
                nothing, np.zeros(1, dtype=np.int64), Vocabulary() if vocabulary is None else vocabulary
            )
        try:
            data = ("\n".join(given) + "\n").encode()
        except UnicodeEncodeError:
            raise InputError("a sentence contains a lone surrogate, which UTF-8 cannot encode") from None
        return cls._parse(iter([data]), vocabulary, grow, None)

    @classmethod
    def _parse(
        cls, chunks: Iterator[bytes], vocabulary: Vocabulary | None, grow: bool, path: PathLike | None
    ) -> Sentences:
        known = Vocabulary() if vocabulary is None else vocabulary
        words, offsets = parse_chunks(_native.SentenceParser(known.native, grow), chunks, path)
        return cls(words, offsets, known)

    @property
    def arrays(self) -> tuple[Int32Array, IntArray]:
        """(words, offsets), as native functions take them."""
        return self.words, self.offsets

    @property
    def lengths(self) -> IntArray:
        """The number of words of each sentence."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Int32Array:
        row = range(len(self))[index]
        return self.words[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[Int32Array]:
        return (self[row] for row in range(len(self)))

    def text(self, index: int) -> str:
        """Return a sentence as text."""
        return " ".join(self.vocabulary[int(word)] for word in self[index])

    def take(self, rows: npt.ArrayLike) -> Sentences:
        """Return the chosen sentences, by number in the given order or by a mask; the vocabulary stays."""
        chosen = chosen_rows(rows, len(self))
        lengths = self.lengths[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        starts = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], lengths)
        return Sentences(self.words[starts + np.arange(offsets[-1])], offsets, self.vocabulary)
