"""Translating a text, and writing the derivations of its oracle-BLEU translations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.jackknife import FoldDecoders, text_fold_models
from tunesmith.decode.made_by import made_by
from tunesmith.decode.opening import open_decoder
from tunesmith.distribute import Executor
from tunesmith.distribute.waves import map_in_waves
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike, read_lines
from tunesmith.json_files import record_of
from tunesmith.model.extracted import count_aligners
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.model import Model
from tunesmith.model.parts.names import FOLDS
from tunesmith.model.steps import Progress
from tunesmith.named_files import own_file
from tunesmith.reestimate.background import Background, tuning_background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.counted_parts import counted_part
from tunesmith.reestimate.derivation_text import DerivationText, TextBlock
from tunesmith.reestimate.frequent_decoders import FrequentDecoders
from tunesmith.reestimate.oracle_options import LEAST_COUNT, OracleOptions
from tunesmith.reestimate.oracle_search import OracleSearch
from tunesmith.reestimate.oracle_tasks import OracleDecoder, OracleTask, find_oracles, oracle_settings
from tunesmith.reestimate.store import KIND, TABLES, DerivationStore, forest_name, settings_of, store_record
from tunesmith.runs.store import StoreFolder
from tunesmith.threads import thread_count

__all__ = ["WrittenOracles", "check_least_count", "fold_options", "tuning_files", "write_oracles"]

PAUSE = 10.0
"""Minimum seconds between progress lines."""


@dataclass(frozen=True)
class WrittenOracles:
    """A finished store, and what this run did for it."""

    store: DerivationStore
    background: Background
    resumed: int
    """Blocks that an earlier run had written."""
    seconds: float
    """Time of this run, without that of fold models and tables."""


def write_oracles(
    model: PathLike,
    output: PathLike,
    *,
    tune_source: PathLike,
    tune_references: Sequence[PathLike],
    options: OracleOptions | None = None,
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
) -> WrittenOracles:
    """Write the derivations of the oracles of a model's training text, or of other tokenized text.

    Each sentence is decoded, and in its forest the n strings with the best (1 - mu) B + mu a h.w are found,
    with B = (O_f + |f|) BLEU(O + c) (Dakwale and Monz 2016, equations 1 to 3). The pseudo-document O starts
    anew every 500 sentences, from the 1-best statistics of the tuning set `tune_source`, which also gives a
    (`tuning_background`) unless `options.model_scale` does. Each file of the folder has one block; a killed
    run is continued by the same call and loses at most one block per thread. Results do not depend on the
    number of threads. With an `executor`, blocks are its shards: results are the same, and a kill loses at
    most one block per worker. `jackknife` says how fold models are built if `options.jackknife`. Rules of
    an index are extracted without the sentence itself, if the text is the model's own.
    """
    chosen = options or OracleOptions()
    folder, directory = Path(output), Path(model).absolute()
    decoder = open_decoder(directory, weights, search, templates, announce=announce)
    check_least_count(decoder.model, chosen)
    folds = fold_options(directory, chosen, jackknife)
    models = text_fold_models(directory, folds, is_own=source is None, threads=threads)
    progress("reading the text")
    text = DerivationText.of(directory, source, target, jackknife=folds is not None)
    tuning = _tuning_text(tune_source, tune_references)
    files = tuning_files(tune_source, tune_references)
    made = made_by(decoder, text, settings_of(chosen), files=files, folds=folds)
    with KIND.locked(folder):
        record = store_record("oracle", decoder, text, made)
        store = StoreFolder(folder, KIND, record, restart=chosen.restart)
        decoders = FoldDecoders(models, decoder, progress)
        run = _Run(decoders, text, store, chosen, thread_count(threads), progress)
        background = run.background(*tuning)
        if not store.state.complete:
            run.write(background, executor)
    return WrittenOracles(DerivationStore.open(folder), background, store.resumed, run.seconds)


class _Run:
    """Writes the blocks that are not there yet: in threads, fold by fold, or by an executor, all at once."""

    def __init__(
        self,
        decoders: FoldDecoders,
        text: DerivationText,
        files: StoreFolder[BlockCounts],
        options: OracleOptions,
        threads: int,
        progress: Progress,
    ) -> None:
        self.text, self.files = text, files
        self.options, self.threads, self.progress = options, threads, progress
        self.seconds = 0.0
        self.tables = files.folder / TABLES
        self.decoders = decoders
        self.frequent = FrequentDecoders(decoders, self.tables, options.least_count or 0.0, progress)
        self._shown = time.monotonic()

    def background(self, source: list[str], *references: list[str]) -> Background:
        """Return the background, which the folder has if this run continues another."""
        known = self.files.record.about.get("background")
        if known is not None:
            return record_of(Background, known)
        self.progress("translating the tuning set")
        with self.frequent.open(OTHER) as decoder:
            shares = self.options.mu, self.threads, self.options.model_scale
            found = tuning_background(decoder, source, references, *shares)
        self.files.note("background", asdict(found))
        self.progress(str(found))
        return found

    def write(self, background: Background, executor: Executor | None) -> None:
        """Write the remaining blocks."""
        left = [block for block in self.text.blocks() if block.number not in self.files.state.counts]
        if executor is not None:
            self._write_by(executor, left, background)
        else:
            for fold, group in groupby(left, key=lambda block: block.fold):
                with self.frequent.open(fold) as decoder:
                    began = time.monotonic()
                    self._write_blocks(decoder, list(group), oracle_settings(self.options, background))
                    self.seconds += time.monotonic() - began
        self.files.finish()

    def _write_by(self, executor: Executor, left: list[TextBlock], background: Background) -> None:
        """Have the blocks written by workers, which open the decoders of folds themselves."""
        began = time.monotonic()
        setup = DecoderSetup.of(self.decoders.whole, self.files.weights, executor, self.decoders.models)
        tables = None if executor.ships else str(self.tables.absolute())
        tasks = (
            OracleTask(
                OracleDecoder(setup, block.fold, self.options.least_count or 0.0, tables),
                self.options,
                background,
                self._leaves_one_out,
                *lines,
                block.rows,
                *self._paths(block),
            )
            for block, lines in self.text.with_lines(left)
        )
        with self._naming_text():
            map_in_waves(
                executor, find_oracles, tasks, lambda number, counts: self._finished(left[number], counts)
            )
        self.seconds += time.monotonic() - began

    def _write_blocks(
        self, decoder: AnyDecoder, blocks: list[TextBlock], settings: _native.OracleSettings
    ) -> None:
        rows = np.concatenate([block.rows for block in blocks])
        ends = np.cumsum([len(block.rows) for block in blocks]).tolist()
        wanted = [
            (end - len(block.rows), end, *("" if path is None else str(path) for path in self._paths(block)))
            for block, end in zip(blocks, ends, strict=True)
        ]

        def finished(number: int, counts: _native.OracleCounts) -> None:
            self._finished(blocks[number], BlockCounts.of(counts))

        search = OracleSearch(settings, self.threads, self._leaves_one_out)
        with self._naming_text():
            search.run(decoder, self.text.lines(rows), rows, wanted, finished)

    def _finished(self, block: TextBlock, counts: BlockCounts) -> None:
        self.files.add(block.number, counts, block.fold)
        self._show(block.fold)

    def _paths(self, block: TextBlock) -> tuple[Path, Path | None]:
        """Return the files of a block: its derivations, and its forests if they are kept."""
        forests = None
        if self.options.keep_forests:
            forests = own_file(self.files.folder.absolute(), forest_name(block.number))
        return self.files.file(block.number), forests

    @contextmanager
    def _naming_text(self) -> Iterator[None]:
        """Add the file to errors of sentences."""
        try:
            yield
        except InputError as error:
            if error.path is not None:
                raise
            raise InputError(error.message, path=self.text.source) from None

    @property
    def _leaves_one_out(self) -> bool:
        """Whether rules are extracted from the text without the sentence itself."""
        is_own = counted_part(self.decoders.whole.model) == "index" and not self.text.is_other
        return is_own and not self.options.jackknife and bool(self.options.least_count)

    def _show(self, fold: int) -> None:
        now = time.monotonic()
        if now - self._shown < PAUSE:
            return
        self._shown = now
        counts = self.files.state.total
        within = "" if fold == OTHER else f" (fold {fold})"
        each = 1000 / max(counts.all_sentences, 1)
        self.progress(
            f"{counts.all_sentences:,} of {len(self.text):,} sentences{within}; CPU time per sentence:"
            f" {each * counts.decode_seconds:.1f} ms of decoding, {each * counts.oracle_seconds:.1f} ms of"
            " oracles"
        )


def check_least_count(model: Model, options: OracleOptions) -> None:
    """Refuse a model that cannot be re-estimated, and a least count that does not do what it is for."""
    usual = 0.0 if options.jackknife else LEAST_COUNT
    if counted_part(model) == "index" and options.least_count not in (0, usual):
        raise OptionError(
            "{} removes rare rules of a table; those of an index are extracted without the sentence itself,"
            " or without its fold: omit it, or give 0 to leave out nothing",
            "least_count",
        )
    aligners = count_aligners(model)
    if aligners > 1 and not options.jackknife and 0 < (options.least_count or 0) <= aligners:
        raise OptionError(
            "phrase pairs were counted in the alignments of {aligners} aligners, so that those of one"
            " sentence may count {aligners}: give {} more than that, or {} with a model that has folds",
            "least_count",
            "jackknife",
            aligners=aligners,
        )


def tuning_files(source: PathLike, references: Sequence[PathLike]) -> dict[str, PathLike]:
    """Return the files of a tuning text by the names that a record has for them."""
    numbers = ("", *(f"_{number}" for number in range(2, len(references) + 1)))
    named = {f"tune_references{number}": path for number, path in zip(numbers, references, strict=False)}
    return {"tune_source": source, **named}


def _tuning_text(source: PathLike, references: Sequence[PathLike]) -> list[list[str]]:
    """Read the source and the references, before anything is written."""
    if not references:
        raise OptionError("oracles: give at least one {}", "tune_references")
    lines = [list(read_lines(path)) for path in (source, *references)]
    for path, each in zip(references, lines[1:], strict=True):
        if len(each) != len(lines[0]):
            raise InputError(f"has {len(each)} lines, but {source} has {len(lines[0])}", path=path)
    return lines


def fold_options(
    model: Path, options: OracleOptions, given: JackknifeOptions | None
) -> JackknifeOptions | None:
    """Return how folds are left out, None if they are not; a model without folds is an OptionError."""
    if not options.jackknife:
        return None
    if not (FoldModels(model).home / FOLDS).is_file():
        raise OptionError(
            f"{model} was not trained with folds, so that none can be left out: train it with"
            " `tunesmith train --folds 10`, or omit {}",
            "jackknife",
        )
    if given is not None and given.fold_file is not None:
        raise OptionError(
            "oracles: omit {}: the folds of sentences are those of the training text", "fold_file"
        )
    return given or JackknifeOptions(jackknife=True)
