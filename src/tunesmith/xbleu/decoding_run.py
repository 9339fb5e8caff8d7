"""Translating a text to the files of a store, each sentence without the fold that it is in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders, text_fold_models
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.locks import locked_folder
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.jackknife.usable_pairs import PairCounts
from tunesmith.model.steps import Progress
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import IntArray
from tunesmith.xbleu.list_folder import ListFolder
from tunesmith.xbleu.list_record import store_record
from tunesmith.xbleu.list_text import ListText, Part, TextOptions, check_folds
from tunesmith.xbleu.store import StoreCounts, StoreKind

__all__ = ["DecodingReport", "Product", "decode_text"]

PAUSE = 10.0
"""Minimum seconds between progress lines."""


class Writer(Protocol):
    """A file in the making."""

    def write(self, path: str) -> None: ...


class Product(Protocol):
    """What is made of each sentence."""

    @property
    def kind(self) -> StoreKind[Any]: ...
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

    def count(self, path: Path, left_out: Sequence[int]) -> StoreCounts: ...


@dataclass(frozen=True)
class DecodingReport:
    """What a run did."""

    counts: PairCounts
    """Lines of the text that are not translated, and why."""
    resumed: int
    """Files that an earlier run had written."""
    decoded: int = 0
    """Sentences translated."""
    fold_seconds: float = 0.0
    """Time of building and opening fold models."""
    search_seconds: float = 0.0
    """Time of decoding and of writing."""


def decode_text(
    model: PathLike,
    output: PathLike,
    product_of: Callable[[PhraseDecoder], Product],
    options: TextOptions,
    *,
    weights: Mapping[str, float] | PathLike | None = None,
    source: PathLike | None = None,
    target: PathLike | None = None,
    jackknife: JackknifeOptions | None = None,
    search: Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    threads: int | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> DecodingReport:
    """Write the store of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. `jackknife` says how fold models are built, and which folds other text has. Each file has sentences
    of one fold; a killed run is continued by the same call and loses at most the file that it was writing.
    `product_of` says what is made of the translations of a decoder.
    """
    folder, directory = Path(output), Path(model).absolute()
    decoder = open_decoder(directory, weights, search, templates, announce=announce)
    if not isinstance(decoder, PhraseDecoder):
        raise InputError(
            "is a model of rules, whose derivations have no orientations of phrases; expected a model of"
            " phrases",
            path=model,
        )
    product = product_of(decoder)
    check_folds(directory, options)
    folds = (jackknife or JackknifeOptions(jackknife=True)) if options.jackknife else None
    models = text_fold_models(directory, folds, is_own=source is None, threads=threads)
    progress("choosing sentence pairs")
    text = _text(directory, source, target, options, folds)
    record = store_record(decoder, text, options, folds, weights, product.shape, product.settings)
    folder.mkdir(parents=True, exist_ok=True)
    busy = f"another run is writing {product.kind.noun} here; wait for it, or name another folder"
    with locked_folder(folder, busy):
        files = ListFolder(folder, record, restart=options.restart, kind=product.kind)
        decoders = FoldDecoders(models, decoder, progress)
        run = _Run(product, decoders, text, files, thread_count(threads), progress)
        if not files.is_complete:
            run.write()
    return DecodingReport(text.counts, files.resumed, run.decoded, run.fold_seconds, run.search_seconds)


class _Run:
    """Writes the files that are not there yet, fold by fold."""

    def __init__(
        self,
        product: Product,
        decoders: FoldDecoders,
        text: ListText,
        files: ListFolder,
        threads: int,
        progress: Progress,
    ) -> None:
        self.product, self.decoders, self.text = product, decoders, text
        self.files, self.threads, self.progress = files, threads, progress
        self.decoded, self.fold_seconds, self.search_seconds = 0, 0.0, 0.0
        self._before = files.sentences
        self._shown = time.monotonic()

    def write(self) -> None:
        """Write the remaining files."""
        left = list(self.text.parts())[len(self.files.files) :]
        for fold, group in groupby(left, key=lambda part: part.fold):
            parts = list(group)
            began = time.monotonic()
            with self.decoders.open(fold) as decoder:
                self.fold_seconds += time.monotonic() - began
                lines = self.text.lines(np.concatenate([part.rows for part in parts]))
                first = 0
                for part in parts:
                    own = np.arange(first, first + len(part.rows))
                    self._write_file(decoder, part, *(side.take(own) for side in lines))
                    first += len(part.rows)
        self.files.finish()

    def _write_file(self, decoder: AnyDecoder, part: Part, sources: Texts, targets: Texts) -> None:
        began = time.monotonic()
        writer = self.product.writer()
        left_out = np.zeros(3, dtype=np.int64)
        for begin in range(0, len(part.rows), self.product.batch):
            own = np.arange(begin, min(begin + self.product.batch, len(part.rows)))
            left_out += self._decode(decoder, writer, part.rows[own], sources.take(own), targets.take(own))
            self.decoded += len(own)
            self._show(part, began)
        path = self.files.next_path
        writer.write(str(path))
        self.files.add(part.fold, self.product.count(path, left_out.tolist()))
        self.search_seconds += time.monotonic() - began

    def _decode(
        self, decoder: AnyDecoder, writer: Writer, rows: IntArray, sources: Texts, targets: Texts
    ) -> tuple[int, int, int]:
        try:
            return self.product.decode(writer, decoder, sources, targets, rows, self.threads)
        except InputError as error:
            if error.line is None or error.path is not None:
                raise
            line = int(rows[error.line - 1]) + 1
            raise InputError(error.message, path=self.text.source, line=line) from None

    def _show(self, part: Part, began: float) -> None:
        now = time.monotonic()
        if now - self._shown < PAUSE:
            return
        self._shown = now
        rate = self.decoded / (self.search_seconds + now - began)
        within = "" if part.fold == OTHER else f" (fold {part.fold})"
        done = self._before + self.decoded
        self.progress(f"{done:,} of {len(self.text):,} sentences{within}, {rate:.0f} per second")


def _text(
    model: Path,
    source: PathLike | None,
    target: PathLike | None,
    options: TextOptions,
    folds: JackknifeOptions | None,
) -> ListText:
    if (source is None) != (target is None):
        raise OptionError("other text has two sides: give both {} and {}, or none", "source", "target")
    if source is None or target is None:
        if folds is not None and folds.folds is not None:
            raise OptionError("{} are those of other text, which {} and {} name", "folds", "source", "target")
        return ListText.of_model(model, options)
    return ListText.given(model, Path(source).absolute(), Path(target).absolute(), options, folds)
