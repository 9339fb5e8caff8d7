"""Translating a text to the files of a store, each sentence without the fold that it is in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.jackknife import FoldDecoders, text_fold_models
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.distribute import Executor
from tunesmith.distribute.waves import map_in_waves
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.jackknife.usable_pairs import PairCounts
from tunesmith.model.steps import Progress
from tunesmith.runs.store import StoreFolder
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.xbleu.list_record import store_record
from tunesmith.xbleu.list_text import ListText, Part, TextOptions, check_folds
from tunesmith.xbleu.parts import PartLines, PartTask, Product, SentenceCounts, make_part, write_part

__all__ = ["DecodingReport", "decode_text"]

PAUSE = 10.0
"""Minimum seconds between progress lines."""


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
    executor: Executor | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> DecodingReport:
    """Write the store of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. `jackknife` says how fold models are built, and which folds other text has. Each file has sentences
    of one fold; a killed run is continued by the same call and loses at most the file that it was writing,
    or with an `executor`, whose shards are files, one per worker and those that follow an unfinished one.
    `product_of` says what is made of the translations of a decoder.
    """
    folder, directory = Path(output), Path(model).absolute()
    decoder = open_decoder(directory, weights, search, templates, announce=announce)
    if not isinstance(decoder, PhraseDecoder):
        raise InputError(
            "is a hierarchical or ITG model, whose derivations have no orientations of phrases; expected a"
            " phrase-based one",
            path=model,
        )
    product = product_of(decoder)
    check_folds(directory, options)
    folds = (jackknife or JackknifeOptions(jackknife=True)) if options.jackknife else None
    models = text_fold_models(directory, folds, is_own=source is None, threads=threads)
    progress("choosing sentence pairs")
    text = _text(directory, source, target, options, folds)
    record = store_record(decoder, text, options, folds, weights, product.shape, product.settings)
    with product.kind.locked(folder):
        files = StoreFolder(folder, product.kind, record, restart=options.restart)
        decoders = FoldDecoders(models, decoder, progress)
        run = _Run(product, decoders, text, files, thread_count(threads), progress)
        if not files.state.complete:
            run.write(executor)
    return DecodingReport(text.counts, files.resumed, run.decoded, run.fold_seconds, run.search_seconds)


class _Run:
    """Writes the files that are not there yet, fold by fold."""

    def __init__(
        self,
        product: Product,
        decoders: FoldDecoders,
        text: ListText,
        files: StoreFolder[SentenceCounts],
        threads: int,
        progress: Progress,
    ) -> None:
        self.product, self.decoders, self.text = product, decoders, text
        self.files, self.threads, self.progress = files, threads, progress
        self.decoded, self.fold_seconds, self.search_seconds = 0, 0.0, 0.0
        self._before = sum(
            counts.sentences + counts.missing + counts.too_large for counts in files.state.counts.values()
        )
        self._shown = time.monotonic()

    def write(self, executor: Executor | None) -> None:
        """Write the remaining files."""
        left = [part for part in self.text.parts() if part.number not in self.files.state.counts]
        if executor is None:
            self._write_here(left)
        else:
            self._write_by(executor, left)
        self.files.finish()

    def _write_here(self, left: list[Part]) -> None:
        lines = self.text.with_lines(left)
        for fold, group in groupby(left, key=lambda part: part.fold):
            began = time.monotonic()
            with self.decoders.open(fold) as decoder:
                self.fold_seconds += time.monotonic() - began
                for part, own in zip(group, lines, strict=False):
                    self._write_file(decoder, part, self._lines(*own))

    def _write_file(self, decoder: AnyDecoder, part: Part, lines: PartLines) -> None:
        began, before = time.monotonic(), self.decoded

        def progress(done: int) -> None:
            self.decoded = before + done
            self._show(part, began)

        counts = write_part(self.product, decoder, lines, self.threads, progress)
        self.files.add(part.number, counts, part.fold)
        self.search_seconds += time.monotonic() - began

    def _write_by(self, executor: Executor, left: list[Part]) -> None:
        """Have the files written by workers, which open the decoders of folds themselves."""
        began = time.monotonic()
        setup = DecoderSetup.of(self.decoders.whole, self.files.weights, executor, self.decoders.models)
        tasks = (
            PartTask(setup, part.fold, self.product, self._lines(part, lines))
            for part, lines in self.text.with_lines(left)
        )
        done: dict[int, int] = {}

        def progress(number: int, sentences: int) -> None:
            done[number] = sentences
            self.decoded = sum(done.values())
            self._show(left[number], began)

        map_in_waves(
            executor,
            make_part,
            tasks,
            lambda number, counts: self.files.add(left[number].number, counts, left[number].fold),
            in_order=True,
            progress=progress,
        )
        self.search_seconds += time.monotonic() - began

    def _lines(self, part: Part, lines: tuple[Texts, Texts]) -> PartLines:
        return PartLines(part.rows, *lines, str(self.text.source), self.files.file(part.number))

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
        if folds is not None and folds.fold_file is not None:
            raise OptionError("{} is about other text, which {} and {} name", "fold_file", "source", "target")
        return ListText.of_model(model, options)
    return ListText.given(model, Path(source).absolute(), Path(target).absolute(), options, folds)
