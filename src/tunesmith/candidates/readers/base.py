"""The interface of readers: from the bytes of one file to a pool."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from tunesmith import _native
from tunesmith.candidates.missing import Gaps, Missing
from tunesmith.candidates.pool import Pool
from tunesmith.files import PathLike
from tunesmith.immutable import seal
from tunesmith.options import build
from tunesmith.registry import Registry
from tunesmith.texts import Texts

__all__ = ["READERS", "Reader", "Source", "assemble", "feed"]

READERS: Registry[type[Reader]] = Registry("candidate format", "tunesmith.candidates.readers")


@dataclass(frozen=True)
class Source:
    """A file being read: its first bytes, and the rest as a stream of chunks, readable once."""

    path: PathLike
    head: bytes
    rest: Iterator[bytes]
    missing: Missing | None = None
    """What a missing value of a feature counts as."""
    columns: list[str] = field(default_factory=list)
    """Features that are columns of a table, which all rows have: added by the reader."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the whole file, decompressed."""
        yield self.head
        yield from self.rest


@dataclass(frozen=True)
class Reader(ABC):
    """A frozen dataclass; its fields are the options of the format."""

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """Suffixes of file names (before that of a compression) that mean this format."""
    numbered: ClassVar[bool] = False
    """Whether sentence ids are the line numbers of the references, from 0."""

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        """Whether the first bytes of a file are of this format, and of no other."""
        return False

    @abstractmethod
    def parse(self, source: Source) -> Pool:
        """Return the pool; errors count lines from 1 and need not name the file."""

    @classmethod
    def configure(cls, options: Mapping[str, object]) -> Self:
        """Build the reader; an unknown option is an error with a suggestion."""
        return build(cls, f"format {cls.name!r}", options)


def feed(parser: _native.LineParser, chunks: Iterator[bytes]) -> None:
    """Push a whole file into a native parser."""
    for chunk in chunks:
        parser.feed(chunk)


def assemble(arrays: _native.PoolArrays, missing: Missing | None = None) -> Pool:
    """Wrap the arrays of a native parser, without copying unless values are missing."""
    texts, sources = Texts(*arrays.texts), Texts(*arrays.sources)
    scores = dict(zip(Texts(*arrays.score_names), arrays.scores, strict=True))
    names, ids = tuple(Texts(*arrays.names)), tuple(Texts(*arrays.ids))
    gaps = Gaps(missing, arrays.lists, ids)
    rows = seal(arrays.offsets), seal(arrays.columns), arrays.values
    return Pool(
        ids,
        seal(arrays.lists),
        gaps.features(names, *rows, absent=True),
        texts if len(texts) else None,
        tuple(Texts(*reference) for reference in arrays.references),
        scores,
        sources if len(sources) else None,
        arrays.totals if len(arrays.totals) else None,
    )
