"""Several labels per word: the word itself if it is frequent, and its classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tunesmith import _native
from tunesmith.features.labels import list_digest, list_lines
from tunesmith.features.word_parts import class_part, word_part

__all__ = ["LabelSets"]


@dataclass(frozen=True, repr=False)
class LabelSets:
    """The labels of words; words that are not listed have none."""

    of: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, directory: Path, words: str, top: int | None, classes: Mapping[int, str]) -> LabelSets:
        """Read the first `top` words of a list (None: all), and files of classes by their numbers.

        The labels are `w_WORD`, and `C20_c3` for class 3 of 20.
        """
        found: dict[str, tuple[str, ...]] = {}
        for line in list_lines(directory, words, top) if top != 0 else ():
            word = line.partition("\t")[0]
            found[word] = (f"w_{word_part(word)}",)
        for count, name in classes.items():
            for word, _, number in (line.rpartition("\t") for line in list_lines(directory, name)):
                found[word] = (*found.get(word, ()), f"C{count}_{class_part(number)}")
        return cls(found)

    def __getitem__(self, word: str) -> tuple[str, ...]:
        return self.of.get(word, ())

    @cached_property
    def labels(self) -> frozenset[str]:
        """All labels."""
        return frozenset(label for row in self.of.values() for label in row)

    @cached_property
    def native(self) -> _native.LabelSets:
        """The labels for native code."""
        return _native.LabelSets(list(self.of), [list(row) for row in self.of.values()])

    @cached_property
    def digest(self) -> str:
        """A digest of the content."""
        return list_digest("\t".join((word, *row)) for word, row in self.of.items())

    def __repr__(self) -> str:
        return f"LabelSets({len(self.of)}, {self.digest[:12]})"

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> tuple[Mapping[str, tuple[str, ...]]]:
        return (self.of,)  # without the native labels

    def __setstate__(self, state: tuple[Mapping[str, tuple[str, ...]]]) -> None:
        object.__setattr__(self, "of", state[0])
