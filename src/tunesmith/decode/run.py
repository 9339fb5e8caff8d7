"""Decoding a file: the work of `tunesmith decode`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.consensus import ConsensusRule
from tunesmith.decode.base import AnyDecoder, Decoder
from tunesmith.decode.consensus import choose_translations, with_context
from tunesmith.decode.input.read import read_requests
from tunesmith.decode.jackknife import FoldDecoders, input_folds
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.output import Decoded, DecodeOutputs
from tunesmith.decode.preparation import model_side, warn_of_raw_source
from tunesmith.decode.request import Request, plain_sources
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike, check_outputs
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.seen import Seen

__all__ = ["DecodeSummary", "decode_file"]

REPORT_SECONDS = 5.0


@dataclass(frozen=True)
class DecodeSummary:
    """Totals; `score` is the sum of model scores, `missing` the number of sentences without a translation.

    `unknown_words` were passed through or dropped; `memory` is the maximum memory of the search of one
    sentence, in bytes. `seen` counts the sentences that are sources of the model's training text.
    """

    sentences: int = 0
    words: int = 0
    unknown_words: int = 0
    missing: int = 0
    score: float = 0.0
    seconds: float = 0.0
    memory: int = 0
    seen: int = 0

    @property
    def average_score(self) -> float:
        """The mean score of sentences with a translation; 0 if there are none."""
        return self.score / max(self.sentences - self.missing, 1)

    @property
    def words_per_second(self) -> float:
        """Source words per second, from the first line read to the last written."""
        return self.words / self.seconds if self.seconds > 0 else 0.0


def decode_file(
    model: PathLike | AnyDecoder,
    source: PathLike = "-",
    outputs: DecodeOutputs | None = None,
    *,
    weights: Mapping[str, float] | PathLike | None = None,
    changes: Mapping[str, float] | None = None,
    options: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    input_format: str | None = None,
    grammar_root: PathLike | None = None,
    prepare: bool = False,
    consensus: ConsensusRule | None = None,
    jackknife: JackknifeOptions | None = None,
    verify: bool = False,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> DecodeSummary:
    """Translate a file line by line, in order, one batch in memory. `-` is standard input.

    `model` is a decoder, or a directory opened by `open_decoder` with `weights`, `changes`, `options`,
    `templates`, `verify` and `announce`. Input is text, `<seg>` lines or lattices in PLF, detected per line
    unless `input_format` names one; `prepare` tokenizes and cases it like the training text. Grammars that
    lines name must be in the folder `grammar_root`, if given. With `consensus` all outputs of best
    translations are of those that the rule chooses from forests. With `jackknife` each sentence of the
    training text is translated without its fold. All names are checked before work begins; files appear
    complete or not at all.
    """
    given = weights is not None or changes or options is not None or templates or verify
    if isinstance(model, Decoder) and given:
        raise OptionError(
            "a decoder already has weights, options and templates; give a directory to open it with others,"
            " or to verify it"
        )
    if not isinstance(weights, Mapping) and str(weights) == str(source) == "-":
        raise OptionError("standard input cannot be both the weights and the text; name a file for one")
    outputs = outputs or DecodeOutputs()
    check_outputs(outputs.paths, _inputs(model, source, weights))
    if jackknife is not None and isinstance(model, Decoder):
        raise OptionError("{} needs the directory of a model, not a decoder", "jackknife")
    decoder = (
        model
        if isinstance(model, Decoder)
        else open_decoder(
            model,
            weights,
            with_context(options, consensus),
            templates,
            changes=changes,
            verify=verify,
            announce=announce,
        )
    )
    say = progress or (lambda line: None)
    known = Seen.of_model(decoder.model.directory) if jackknife is None else None
    preparation = partial(model_side(decoder.model, "source").prepare, threads=threads) if prepare else None
    with outputs.open(decoder, threads) as writers:
        forest = consensus is not None or any(writer.needs_forests for writer in writers)
        summary, begin = DecodeSummary(), time.monotonic()
        reported = begin
        batches = read_requests(source, input_format, prepare=preparation, grammar_root=grammar_root)
        if not prepare:
            batches = _looked_at(decoder, batches)
        translated = _decoded(decoder, batches, source, consensus, forest=forest, threads=threads)
        if jackknife is not None:
            translated = _jackknifed(
                decoder, jackknife, batches, source, consensus, forest=forest, threads=threads, say=say
            )
        for decoded in translated:
            for writer in writers:
                writer.write(decoded)
            now = time.monotonic()
            summary = _added(summary, decoded, now - begin, known)
            if now - reported > REPORT_SECONDS:
                say(f"translated {summary.sentences} sentences, {summary.words_per_second:.0f} words/s")
                reported = now
    return summary


def _decoded(
    decoder: AnyDecoder,
    batches: Iterable[list[Request]],
    path: PathLike,
    consensus: ConsensusRule | None,
    *,
    forest: bool,
    threads: int | None,
) -> Iterator[list[Decoded]]:
    """Yield translated batches: those that were read, or smaller ones if there are forests."""
    for batch in batches:
        requests = iter(batch)
        try:
            for found in decoder.translate_batches(batch, forest=forest, threads=threads):
                best = choose_translations(decoder, consensus, found, threads) if consensus else found
                yield [Decoded(next(requests), translation) for translation in best]
        except InputError as error:
            if error.path is not None:
                raise
            raise InputError(error.message, path=path, line=error.line) from None


def _looked_at(decoder: AnyDecoder, batches: Iterable[list[Request]]) -> Iterator[list[Request]]:
    """Yield the batches, with a warning if the first is of raw text that the model does not know."""
    for number, batch in enumerate(batches):
        if number == 0:
            warn_of_raw_source(decoder.model, plain_sources(batch))
        yield batch


def _jackknifed(
    decoder: AnyDecoder,
    options: JackknifeOptions,
    batches: Iterable[list[Request]],
    path: PathLike,
    consensus: ConsensusRule | None,
    *,
    forest: bool,
    threads: int | None,
    say: Callable[[str], None],
) -> Iterator[list[Decoded]]:
    """Yield translated batches, fold by fold; all sentences are in memory."""
    requests = [request for batch in batches for request in batch]
    models = FoldModels.of(decoder.model.directory, options, threads=threads)
    folds = input_folds(models, options, [request.source for request in requests], in_order=forest)
    search = partial(_decoded, path=path, consensus=consensus, forest=forest, threads=threads)
    return FoldDecoders(models, decoder, say).run(
        requests, folds, lambda of_fold, own: search(of_fold, [own])
    )


def _inputs(
    model: PathLike | AnyDecoder, source: PathLike, weights: Mapping[str, float] | PathLike | None
) -> list[PathLike]:
    """Return the files that no output may replace; those of the model are mapped."""
    directory = model.model.directory if isinstance(model, Decoder) else Path(model)
    files: list[PathLike] = [source, *(directory.iterdir() if directory.is_dir() else ())]
    return files if weights is None or isinstance(weights, Mapping) else [*files, weights]


def _added(summary: DecodeSummary, batch: list[Decoded], seconds: float, known: Seen | None) -> DecodeSummary:
    texts = [found.request.source for found in batch]
    return replace(
        summary,
        sentences=summary.sentences + len(batch),
        words=summary.words + sum(found.request.columns for found in batch),
        unknown_words=summary.unknown_words + sum(found.translation.unknown_words for found in batch),
        missing=summary.missing + sum(not found.translation.found for found in batch),
        score=summary.score + sum(found.translation.score for found in batch),
        seconds=seconds,
        seen=summary.seen + (0 if known is None else known.count_sources(texts)),
        memory=max([summary.memory, *(found.translation.memory for found in batch)]),
    )
