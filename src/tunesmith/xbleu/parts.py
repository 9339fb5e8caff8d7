"""The files of a store: what is made of the sentences of each, in threads of this process or on a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.distribute import Report
from tunesmith.distribute.kept import kept
from tunesmith.errors import InputError
from tunesmith.runs.kind import RunKind
from tunesmith.runs.store import Counts
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["PartLines", "PartTask", "Product", "SentenceCounts", "make_part", "write_part"]


class Writer(Protocol):
    """A file in the making."""

    def write(self, path: str) -> None: ...


class SentenceCounts(Counts, Protocol):
    """Counts of a file of lists or forests."""

    @property
    def missing(self) -> int: ...
    @property
    def too_large(self) -> int: ...


class Product(Protocol):
    """What is made of each sentence."""

    @property
    def kind(self) -> RunKind[Any]: ...
    @property
    def batch(self) -> int:
        """Most sentences per native call; memory is that of what is made of them."""
        ...

    @property
    def shape(self) -> Mapping[str, Any]:
        """What it is, for the record."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """The options that it depends on."""
        ...

    def writer(self) -> Writer: ...
    def decode(
        self,
        writer: Any,
        decoder: AnyDecoder,
        sources: Texts,
        references: Texts,
        rows: IntArray,
        threads: int,
    ) -> tuple[int, int, int]:
        """Add what is made of sentences to a file; return how many have none, too large ones, single ones."""
        ...

    def count(self, path: Path, left_out: Sequence[int]) -> SentenceCounts: ...


@dataclass(frozen=True, eq=False)
class PartLines:
    """Sentences of one fold, their rows in the text, and what errors call it; the file to write."""

    rows: IntArray
    sources: Texts
    targets: Texts
    text: str
    output: Path


@dataclass(frozen=True, eq=False)
class PartTask:
    """A part for a worker: it opens the decoder by paths and options."""

    setup: DecoderSetup
    fold: int
    product: Product
    part: PartLines


def make_part(task: PartTask, report: Report) -> SentenceCounts:
    """Write a file as a worker, and return its counts; report the sentences done so far."""

    def open_(stack: ExitStack) -> AnyDecoder:
        return stack.enter_context(task.setup.open(task.fold))

    decoder = kept((task.setup, task.fold), open_)
    return write_part(task.product, decoder, task.part, 1, report)


def write_part(
    product: Product, decoder: AnyDecoder, part: PartLines, threads: int, progress: Callable[[int], None]
) -> SentenceCounts:
    """Write the file of a part, and return its counts; `progress` is called with the sentences so far."""
    writer = product.writer()
    left_out = np.zeros(3, dtype=np.int64)
    for begin in range(0, len(part.rows), product.batch):
        own = np.arange(begin, min(begin + product.batch, len(part.rows)))
        sources, targets, rows = part.sources.take(own), part.targets.take(own), part.rows[own]
        try:
            left_out += product.decode(writer, decoder, sources, targets, rows, threads)
        except InputError as error:
            if error.line is None or error.path is not None:
                raise
            line = int(rows[error.line - 1]) + 1
            raise InputError(error.message, path=part.text, line=line) from None
        progress(int(own[-1]) + 1)
    writer.write(str(part.output))
    return product.count(part.output, left_out.tolist())
