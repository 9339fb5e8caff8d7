"""What a pass makes of the sentences of each piece, in threads of this process or on a worker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypeVar

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.distribute import Executor, Report
from tunesmith.distribute.kept import kept
from tunesmith.distribute.waves import map_in_waves

__all__ = ["Decoders", "PieceTask", "Product", "make_by_workers", "make_piece"]

P = TypeVar("P")
"""What a piece is made of: its lines, and the files to write."""
C = TypeVar("C")
"""What is known of a finished piece, mostly counts."""


class Decoders(Protocol):
    """Decoders of folds, such as `FoldDecoders`."""

    def open(self, fold: int) -> AbstractContextManager[AnyDecoder]: ...


Change: TypeAlias = Callable[[FoldDecoders], Decoders]


class Product(ABC, Generic[P, C]):
    """What is made of each piece. It is sent to workers: it has options, and no paths."""

    change: Change | None = None
    """Makes other decoders of those of the folds; comparable, since workers keep what is open under it."""

    @abstractmethod
    def make(self, decoder: AnyDecoder, piece: P, threads: int, report: Callable[[int], None]) -> C:
        """Write the files of a piece, and return its counts; `report` gets the sentences so far."""

    def make_all(
        self,
        decoder: AnyDecoder,
        pieces: Iterable[P],
        threads: int,
        finished: Callable[[int, C], None],
        report: Callable[[int, int], None],
    ) -> None:
        """Make pieces of one fold; `finished` is called with the number, from 0, and the counts of each."""
        for number, piece in enumerate(pieces):
            finished(number, self.make(decoder, piece, threads, partial(report, number)))

    def shown(self, done: Iterable[C]) -> str:
        """Return what progress says about the finished pieces after their number of sentences."""
        return ""

    def decoders(self, folds: FoldDecoders) -> Decoders:
        """Return the decoders of the pieces."""
        return folds if self.change is None else self.change(folds)


@dataclass(frozen=True, eq=False)
class PieceTask(Generic[P, C]):
    """A piece for a worker, which opens the decoder by paths and options."""

    setup: DecoderSetup
    fold: int
    product: Product[P, C]
    piece: P


def make_piece(task: PieceTask[P, C], report: Report) -> C:
    """Make a piece as a worker, and return its counts; report the sentences done so far."""

    def open_(stack: ExitStack) -> AnyDecoder:
        folds = FoldDecoders(task.setup.folds, task.setup.whole())
        return stack.enter_context(task.product.decoders(folds).open(task.fold))

    decoder = kept((task.setup, task.fold, task.product.change), open_)
    return task.product.make(decoder, task.piece, 1, report)


def make_by_workers(
    executor: Executor,
    decoders: FoldDecoders,
    weights: Path,
    product: Product[P, C],
    pieces: Iterable[tuple[int, P]],
    finished: Callable[[int, C], None],
    *,
    in_order: bool,
    report: Callable[[int, int], None] = lambda number, done: None,
) -> None:
    """Have pieces, each with its fold, made by the workers of an executor; they read `weights`, a file.

    `finished` is called with the number, from 0, and the counts of each.
    """
    setup = DecoderSetup.of(decoders.whole, weights, executor, decoders.models)
    tasks = (PieceTask(setup, fold, product, piece) for fold, piece in pieces)
    map_in_waves(executor, make_piece, tasks, finished, in_order=in_order, progress=report)
