"""What a writer of forests is: forests with ids in, a file out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.forest.forest import Forest
from tunesmith.registry import Registry

__all__ = ["WRITERS", "TextWriter", "Writer"]

WRITERS: Registry[type[Writer]] = Registry("forest format", "tunesmith.forest.writers")


@dataclass(frozen=True)
class Writer(ABC):
    """A frozen dataclass; its fields are the options of the format."""

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """Names that end so, a compression suffix left aside, are written in this format."""
    single: ClassVar[bool] = False
    """Whether a file holds one sentence, so that a folder is needed for more."""

    @abstractmethod
    def write(self, path: PathLike, items: Iterable[tuple[str, Forest]]) -> int:
        """Write forests with the ids of their sentences, whole or not at all; return how many."""


@dataclass(frozen=True)
class TextWriter(Writer):
    """A format of text, a sentence after another."""

    @abstractmethod
    def text(self, sentence: str, forest: Forest) -> bytes:
        """Return the lines of one sentence; what the format cannot hold is an InputError."""

    def write(self, path: PathLike, items: Iterable[tuple[str, Forest]]) -> int:
        count = 0
        with open_write(path) as stream:
            for sentence, forest in items:
                if self.single and count:
                    message = f"the format {self.name} has a sentence a file; write to a folder, or forests"
                    raise InputError(message, path=path)
                try:
                    stream.write(self.text(sentence, forest))
                except InputError as error:
                    raise InputError(f"sentence {sentence!r}: {error.message}", path=path) from None
                count += 1
            if self.single and not count:
                raise InputError(
                    f"no forest to write; the format {self.name} has a sentence a file", path=path
                )
        return count
