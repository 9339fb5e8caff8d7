"""What lexical templates write in place of a word: the word, its class, or one label for all rare words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features.word_parts import OTHER, UNSEEN, class_part, is_word_part, word_part
from tunesmith.files import read_lines

__all__ = ["Labels", "WordPairs", "is_label", "label_of", "list_digest", "list_lines"]


@dataclass(frozen=True, repr=False)
class Labels:
    """The labels of words; all others have `otherwise`, none if it is empty. `file` is their origin.

    Labels are parts of feature names (`tunesmith.features.word_parts`).
    """

    of: Mapping[str, str]
    otherwise: str = ""
    file: str = ""

    @classmethod
    def top(cls, words: Iterable[str], file: str = "") -> Labels:
        """Return labels of listed words: themselves, and `OTHER` for all other words."""
        return cls({word: word_part(word) for word in words}, OTHER, file)

    @classmethod
    def read_top(cls, directory: Path, name: str, count: int) -> Labels:
        """Read the first words of a list of the model: lines of a word, and maybe a tab and a count."""
        return cls.top((line.partition("\t")[0] for line in list_lines(directory, name, count)), name)

    @classmethod
    def read_classes(cls, directory: Path, name: str) -> Labels:
        """Read classes of the model, lines of a word, a tab and its class C: the label is `cC`."""
        rows = (line.rpartition("\t") for line in list_lines(directory, name))
        return cls({word: class_part(number) for word, _, number in rows}, UNSEEN, name)

    def __getitem__(self, word: str) -> str:
        return self.of.get(word, self.otherwise)

    @cached_property
    def parts(self) -> frozenset[str]:
        """All labels."""
        return frozenset(self.of.values()) | ({self.otherwise} if self.otherwise else set())

    @cached_property
    def native(self) -> _native.WordLabels:
        """The labels for native code."""
        return _native.WordLabels(list(self.of), list(self.of.values()), self.otherwise)

    @cached_property
    def digest(self) -> str:
        """A digest of the content."""
        return list_digest(f"{word}\t{label}" for word, label in self.of.items())

    def __repr__(self) -> str:
        return f"Labels({self.file or len(self.of)}, {self.digest[:12]})"

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> tuple[Mapping[str, str], str, str]:
        return (self.of, self.otherwise, self.file)  # without the native labels

    def __setstate__(self, state: tuple[Mapping[str, str], str, str]) -> None:
        for name, value in zip(("of", "otherwise", "file"), state, strict=True):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, repr=False)
class WordPairs:
    """Pairs of a source word and a target word, most frequent first. `file` is where they come from."""

    pairs: tuple[tuple[str, str], ...]
    file: str = ""

    @classmethod
    def read(cls, directory: Path, name: str, count: int) -> WordPairs:
        """Read the `count` first pairs of a list of the model: lines of two words, tab-separated."""
        rows = [line.split("\t") for line in list_lines(directory, name, count)]
        for number, row in enumerate(rows, 1):
            if len(row) < 2:
                raise InputError("expected two words, separated by a tab", path=directory / name, line=number)
        return cls(tuple((row[0], row[1]) for row in rows), name)

    @cached_property
    def set(self) -> frozenset[tuple[str, str]]:
        """The pairs, to look them up."""
        return frozenset(self.pairs)

    @cached_property
    def digest(self) -> str:
        """A digest of the content."""
        return list_digest("\t".join(pair) for pair in self.pairs)

    def __repr__(self) -> str:
        return f"WordPairs({self.file or len(self.pairs)}, {self.digest[:12]})"


def label_of(labels: Labels | None, word: str) -> str:
    """Return the label of a word; without labels it is the word itself, as names have it."""
    return word_part(word) if labels is None else labels[word]


def is_label(labels: Labels | None, part: str) -> bool:
    """Return whether a part of a name is the label of some word."""
    return is_word_part(part) if labels is None else part in labels.parts


def list_lines(directory: Path, name: str, count: int | None = None) -> list[str]:
    """Return the first lines of a list of the model."""
    path = directory / name
    if not path.is_file():
        raise InputError(
            f"has no {name}, which a feature template needs; make it by `tunesmith extract words`, or by"
            " training with classes",
            path=directory,
        )
    return list(read_lines(path))[:count]


def list_digest(lines: Iterable[str]) -> str:
    """Return a digest of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
