"""The interface of writers of forests: forests with ids in, a file out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.forest.forest import Forest
from tunesmith.forest.readers.base import sentence_of
from tunesmith.registry import Registry

__all__ = ["WRITERS", "TextWriter", "Writer", "check_new"]

WRITERS: Registry[type[Writer]] = Registry("forest format", "tunesmith.forest.writers")


@dataclass(frozen=True)
class Writer(ABC):
    """A frozen dataclass; its fields are the options of the format."""

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """File names with these suffixes (before a compression suffix) are written in this format."""
    single: ClassVar[bool] = False
    """Whether a file contains one sentence, so that more need a folder."""
    unnamed: ClassVar[bool] = False
    """Whether ids are not in the text: the id is the file name (one sentence per file) or the position."""

    @abstractmethod
    def write(self, path: PathLike, items: Iterable[tuple[str, Forest]]) -> int:
        """Write forests with the ids of their sentences, all or nothing; return their number."""


@dataclass(frozen=True)
class TextWriter(Writer):
    """A text format, one sentence after another."""

    @abstractmethod
    def text(self, sentence: str, forest: Forest) -> bytes:
        """Return the lines of one sentence; an InputError if the format cannot represent it."""

    def write(self, path: PathLike, items: Iterable[tuple[str, Forest]]) -> int:
        seen: dict[str, None] = {}
        with open_write(path) as stream:
            for sentence, forest in items:
                if self.single and seen:
                    message = (
                        f"the format {self.name} has one sentence per file; write to a folder, or forests"
                    )
                    raise InputError(message, path=path)
                check_new(sentence, seen, path)
                seen[sentence] = None
                if self.unnamed and len(seen) > 1:
                    self._check_places(list(seen) if len(seen) == 2 else [sentence], len(seen), path)
                try:
                    stream.write(self.text(sentence, forest))
                except InputError as error:
                    raise InputError(f"sentence {sentence!r}: {error.message}", path=path) from None
            if self.single and not seen:
                raise InputError(
                    f"no forest to write; the format {self.name} has one sentence per file", path=path
                )
            if self.unnamed and len(seen) == 1:
                self._check_id(next(iter(seen)), sentence_of(path), path)
        return len(seen)

    def _check_places(self, last: list[str], count: int, path: PathLike) -> None:
        for place, sentence in enumerate(last, count - len(last)):
            self._check_id(sentence, str(place), path)

    def _check_id(self, sentence: str, found: str, path: PathLike) -> None:
        if sentence != found:
            message = (
                f"sentence {sentence!r} would be read back as {found!r}: the format {self.name} has no ids; "
                "write to a folder, where files are named by them, or forests"
            )
            raise InputError(message, path=path)


def check_new(sentence: str, seen: Container[str], path: PathLike) -> None:
    """Raise InputError if this id occurred before."""
    if sentence in seen:
        raise InputError(f"two forests have the id {sentence!r}; expected one forest per sentence", path=path)
