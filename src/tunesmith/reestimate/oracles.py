"""Translating a text, and writing the derivations of its oracle-BLEU translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.decode.made_by import made_by
from tunesmith.errors import InputError, Message, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.json_files import record_of
from tunesmith.model.extracted import count_aligners
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.model import Model
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.run import Written
from tunesmith.reestimate.background import Background, tuning_background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.counted_parts import counted_part
from tunesmith.reestimate.derivation_pass import DerivationPass
from tunesmith.reestimate.derivation_text import derivation_text
from tunesmith.reestimate.frequent_decoders import FrequentDecoders, WithoutRare
from tunesmith.reestimate.oracle_options import LEAST_COUNT, OracleOptions
from tunesmith.reestimate.oracle_product import Oracles
from tunesmith.reestimate.store import TABLES, DerivationStore, settings_of
from tunesmith.runs.store import StoreFolder
from tunesmith.threads import thread_count

__all__ = ["background_of", "check_least_count", "oracle_pass", "write_oracles"]


def write_oracles(
    model: PathLike,
    output: PathLike,
    options: OracleOptions | None = None,
    decoding: Decoding | None = None,
    *,
    tune_source: PathLike,
    tune_references: Sequence[PathLike],
    source: PathLike | None = None,
    target: PathLike | None = None,
) -> Written[DerivationStore]:
    """Write the derivations of the oracles of a model's training text, or of other tokenized text.

    Each sentence is decoded, and in its forest the n strings with the best (1 - mu) B + mu a h.w are found,
    with B = (O_f + |f|) BLEU(O + c) (Dakwale and Monz 2016, equations 1 to 3). The pseudo-document O starts
    anew every 500 sentences, from the 1-best statistics of the tuning set `tune_source`, which also gives a
    (`tuning_background`) unless `options.model_scale` does. Each file of the folder has one piece of 500; a
    killed run is continued by the same call and loses at most one per thread or worker. Folds are left out
    with `options.jackknife`. Rules of an index are extracted without the sentence itself, if the text is the
    model's own.
    """
    tuning = tune_source, tune_references
    chosen = options or OracleOptions()
    return oracle_pass(model, tuning, chosen, decoding or Decoding(), source, target).write(output)


def oracle_pass(
    model: PathLike,
    tuning: tuple[PathLike, Sequence[PathLike]],
    options: OracleOptions,
    decoding: Decoding,
    source: PathLike | None = None,
    target: PathLike | None = None,
) -> DerivationPass:
    """Open and check what `write_oracles` needs; `tuning` are the source and the references of a text."""
    directory = Path(model).absolute()
    decoder = decoding.open(directory)
    check_least_count(decoder.model, options)
    omitted = Message("omit {}", "jackknife")
    folds = decoding.left_out(directory, jackknife=options.jackknife, otherwise=omitted)
    models = decoding.fold_models(directory, folds, is_own=source is None)
    decoding.progress("reading the text")
    text = derivation_text(directory, source, target, folds)
    lines = _tuning_lines(*tuning)
    least_count = options.least_count or 0.0
    is_own_index = counted_part(decoder.model) == "index" and not text.is_other
    executor = decoding.executor

    def product(files: StoreFolder[BlockCounts], decoders: FoldDecoders) -> Oracles:
        tables = None if executor is not None and executor.ships else str(files.folder.absolute() / TABLES)
        return Oracles(
            options,
            _background(files, decoders, options, lines, thread_count(decoding.threads)),
            WithoutRare(least_count, tables),
            leave_one_out=is_own_index and not options.jackknife and least_count > 0,
        )

    return DerivationPass(
        "oracle",
        decoding,
        decoder,
        models,
        text,
        made_by(decoder, text, settings_of(options), files=_tuning_files(*tuning), folds=folds),
        product,
        options.keep_forests,
        options.restart,
    )


def background_of(store: DerivationStore) -> Background:
    """Return the background that the oracles of a store were found with."""
    return record_of(Background, store.record["background"])


def _background(
    files: StoreFolder[BlockCounts],
    decoders: FoldDecoders,
    options: OracleOptions,
    lines: list[list[str]],
    threads: int,
) -> Background:
    """Return the background, which the folder has if this run continues another."""
    known = files.record.about.get("background")
    if known is not None:
        return record_of(Background, known)
    decoders.progress("translating the tuning set")
    frequent = FrequentDecoders(decoders, files.folder / TABLES, options.least_count or 0.0)
    with frequent.open(OTHER) as decoder:
        found = tuning_background(decoder, lines[0], lines[1:], options.mu, threads, options.model_scale)
    files.note("background", asdict(found))
    decoders.progress(str(found))
    return found


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


def _tuning_files(source: PathLike, references: Sequence[PathLike]) -> dict[str, PathLike]:
    """Return the files of a tuning text by the names that a record has for them."""
    numbers = ("", *(f"_{number}" for number in range(2, len(references) + 1)))
    named = {f"tune_references{number}": path for number, path in zip(numbers, references, strict=False)}
    return {"tune_source": source, **named}


def _tuning_lines(source: PathLike, references: Sequence[PathLike]) -> list[list[str]]:
    """Read the source and the references, before anything is written."""
    if not references:
        raise OptionError("oracles: give at least one {}", "tune_references")
    lines = [list(read_lines(path)) for path in (source, *references)]
    for path, each in zip(references, lines[1:], strict=True):
        if len(each) != len(lines[0]):
            raise InputError(f"has {len(each)} lines, but {source} has {len(lines[0])}", path=path)
    return lines
