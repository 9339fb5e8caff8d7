"""One pass over a text: pieces that are not there yet are made, here or by an executor, and recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.distribute import Executor
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.jackknife.usable_pairs import PairCounts
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product, make_by_workers
from tunesmith.passes.text import PassText, Piece, PieceLines
from tunesmith.runs.store import Counts, StoreFolder
from tunesmith.threads import thread_count

__all__ = ["PassReport", "Written", "run_pass"]

PAUSE = 10.0
"""Minimum seconds between progress lines."""

C = TypeVar("C", bound=Counts)
S = TypeVar("S")

FilesOf: TypeAlias = Callable[[int], tuple[Path, ...]]
"""The files of the piece of a number, by absolute paths."""


@dataclass(frozen=True)
class PassReport:
    """What a run did."""

    counts: PairCounts
    """Lines of the text that are not decoded, and why."""
    resumed: int
    """Pieces that earlier runs had finished."""
    decoded: int = 0
    """Sentences decoded."""
    fold_seconds: float = 0.0
    """Time of building and opening fold models."""
    search_seconds: float = 0.0
    """Time of decoding and of writing."""


@dataclass(frozen=True)
class Written(Generic[S]):
    """A finished store, and what this run did for it."""

    store: S
    report: PassReport


def run_pass(
    decoding: Decoding,
    decoders: FoldDecoders,
    text: PassText,
    product: Product[PieceLines, C],
    folder: StoreFolder[C],
    files: FilesOf | None = None,
) -> PassReport:
    """Make the pieces of a text that a folder, which is locked, does not have yet.

    Each sentence is decoded without the fold that it is in. A killed run is continued by the same call: it
    loses at most the pieces that were being made. `files` are those of a piece if it has more than one.
    """
    run = _Run(decoding, decoders, text, product, folder, files or (lambda number: (folder.file(number),)))
    if not folder.state.complete:
        if decoding.executor is None:
            run.make_here(thread_count(decoding.threads))
        else:
            run.make_by(decoding.executor)
        folder.finish()
    return PassReport(text.counts, folder.resumed, run.decoded, run.fold_seconds, run.search_seconds)


class _Run(Generic[C]):
    """Makes the pieces that are left."""

    def __init__(
        self,
        decoding: Decoding,
        decoders: FoldDecoders,
        text: PassText,
        product: Product[PieceLines, C],
        folder: StoreFolder[C],
        files: FilesOf,
    ) -> None:
        self.decoders, self.text, self.files = decoders, text, files
        self.product, self.folder, self.progress = product, folder, decoding.progress
        self.left = [piece for piece in text.pieces() if piece.number not in folder.state.counts]
        self.sentences: dict[int, int] = {}
        self.fold_seconds = 0.0
        self._began = self._shown = time.monotonic()

    @property
    def decoded(self) -> int:
        """Sentences that this run has decoded."""
        return sum(self.sentences.values())

    @property
    def search_seconds(self) -> float:
        """Time so far, without that of fold models."""
        return time.monotonic() - self._began - self.fold_seconds

    def make_here(self, threads: int) -> None:
        """Make them in this process, fold by fold."""
        lines = self.text.lines(self.left, self.files)
        decoders = self.product.decoders(self.decoders)
        for fold, group in groupby(self.left, key=lambda piece: piece.fold):
            pieces = list(group)
            opening = time.monotonic()
            with decoders.open(fold) as decoder:
                self.fold_seconds += time.monotonic() - opening
                self.product.make_all(
                    decoder,
                    islice(lines, len(pieces)),
                    threads,
                    partial(self._finished, pieces),
                    partial(self._report, pieces),
                )

    def make_by(self, executor: Executor) -> None:
        """Have them made by workers, which open the decoders of folds themselves."""
        lines = self.text.lines(self.left, self.files)
        make_by_workers(
            executor,
            self.decoders,
            self.folder.weights,
            self.product,
            ((piece.fold, each) for piece, each in zip(self.left, lines, strict=True)),
            partial(self._finished, self.left),
            in_order=False,
            report=partial(self._report, self.left),
        )

    def _finished(self, pieces: Sequence[Piece], number: int, counts: C) -> None:
        piece = pieces[number]
        self.folder.add(piece.number, counts, piece.fold)
        self._report(pieces, number, len(piece.rows))

    def _report(self, pieces: Sequence[Piece], number: int, sentences: int) -> None:
        piece, now = pieces[number], time.monotonic()
        self.sentences[piece.number] = sentences
        if now - self._shown < PAUSE:
            return
        self._shown = now
        before = len(self.text) - sum(len(each.rows) for each in self.left)
        within = "" if piece.fold == OTHER else f" (fold {piece.fold})"
        counts = self.product.shown(self.folder.state.counts.values())
        self.progress(
            f"{before + self.decoded:,} of {len(self.text):,} sentences{within},"
            f" {self.decoded / self.search_seconds:.0f} per second{counts}"
        )
