"""Decoding a file: the work of `tunesmith decode`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from tunesmith.consensus import ConsensusRule
from tunesmith.consensus.lists import say_pruned
from tunesmith.decode.base import AnyDecoder, Decoder
from tunesmith.decode.consensus import with_context
from tunesmith.decode.decoding import decoded_batches
from tunesmith.decode.given_grammars import check_grammars_kept
from tunesmith.decode.input.read import read_requests
from tunesmith.decode.jackknife import FoldDecoders, input_folds
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.output import Decoded, DecodeOutputs
from tunesmith.decode.preparation import model_side, warn_of_raw_source
from tunesmith.decode.request import Request, plain_sources
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.sharded import ShardedDecoding
from tunesmith.decode.summary import DecodeSummary
from tunesmith.distribute import Executor
from tunesmith.errors import OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike, check_outputs
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.manifest import MANIFEST, Manifest
from tunesmith.model.model import WEIGHTS_FILE
from tunesmith.model.seen import Seen

__all__ = ["decode_file"]

REPORT_SECONDS = 5.0


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
    executor: Executor | None = None,
    progress: Callable[[str], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> DecodeSummary:
    """Translate a file line by line, in order, one batch in memory. `-` is standard input.

    `model` is a decoder, or a directory opened by `open_decoder` with `weights`, `changes`, `options`,
    `templates`, `verify` and `announce`. Input is text, `<seg>` lines or lattices in PLF, detected per line
    unless `input_format` names one; `prepare` tokenizes and cases it like the training text. Grammars that
    lines name must be in the folder `grammar_root`, if given. With `consensus` all outputs of best
    translations are of those that the rule chooses from forests. With `jackknife` each sentence of the
    training text is translated without its fold. With an `executor`, shards of lines are translated by its
    workers, and their outputs joined in order: the same files. All names are checked before work begins;
    files appear complete or not at all.
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
    if executor is not None and isinstance(model, Decoder):
        raise OptionError("{} needs the directory of a model, not a decoder", "executor")
    say = _Progress(progress or (lambda line: None))
    known = Seen.of_model(decoder.model.directory) if jackknife is None else None
    side = model_side(decoder.model, "source") if prepare else None
    batches = read_requests(
        source,
        input_format,
        prepare=None if side is None else partial(side.split, threads=threads),
        casing=None if side is None else side.cased,
        grammar_root=grammar_root,
    )
    batches = check_grammars_kept(batches, outputs.paths, source)
    if not prepare:
        batches = _looked_at(decoder, batches, say)
    if executor is not None:
        outputs.check(decoder)
        requests, folds = _numbered(decoder, jackknife, batches)
        sharded = ShardedDecoding(executor, decoder, outputs, consensus, str(source), known, folds)
        sharded.run(requests, say.add)
        say.end(prepare, jackknife is not None)
        return say.summary
    with outputs.open(decoder, threads) as writers:
        forest = consensus is not None or any(writer.needs_forests for writer in writers)
        translated = decoded_batches(decoder, batches, source, consensus, forest=forest, threads=threads)
        if jackknife is not None:
            translated = _jackknifed(
                decoder, jackknife, batches, source, consensus, forest=forest, threads=threads, say=say.line
            )
        for decoded in translated:
            for writer in writers:
                writer.write(decoded)
            texts = [found.request.source for found in decoded]
            say.add(DecodeSummary.of(decoded, 0 if known is None else known.count_sources(texts)))
    say.end(prepare, jackknife is not None)
    return say.summary


class _Progress:
    """The totals so far, which are shown every few seconds."""

    def __init__(self, line: Callable[[str], None]) -> None:
        self.line = line
        self.is_raw = False
        self.summary = DecodeSummary()
        self._begin = self._reported = time.monotonic()

    def add(self, more: DecodeSummary) -> None:
        """Add totals of sentences whose outputs are written."""
        now = time.monotonic()
        self.summary = self.summary.plus(more, now - self._begin)
        if now - self._reported > REPORT_SECONDS:
            done = self.summary
            self.line(f"translated {done.sentences} sentences, {done.words_per_second:.0f} words/s")
            self._reported = now

    def end(self, prepared: bool, jackknifed: bool) -> None:
        """Warn of what consensus left out, and of unknown words unless raw text or a fold explains them."""
        say_pruned(self.summary.pruned, self.summary.sentences)
        if not (self.is_raw or jackknifed):
            self.summary.warn_of_unknown(prepared=prepared)


def _numbered(
    decoder: AnyDecoder, jackknife: JackknifeOptions | None, batches: Iterable[list[Request]]
) -> tuple[Iterator[tuple[int, Request]], FoldModels | None]:
    """Return the requests with their folds, which must be sorted, and the models that leave folds out."""
    requests = chain.from_iterable(batches)
    if jackknife is None:
        return ((OTHER, request) for request in requests), None
    listed = list(requests)
    models = FoldModels.of(decoder.model.directory, jackknife)
    folds = input_folds(models, jackknife, [request.source for request in listed], in_order=True)
    return zip(folds.fold_of.tolist(), listed, strict=True), models


def _looked_at(
    decoder: AnyDecoder, batches: Iterable[list[Request]], say: _Progress
) -> Iterator[list[Request]]:
    """Yield the batches, with a warning if the first is of raw text that the model does not know."""
    for number, batch in enumerate(batches):
        if number == 0:
            say.is_raw = warn_of_raw_source(decoder.model, plain_sources(batch))
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
    search = partial(decoded_batches, path=path, consensus=consensus, forest=forest, threads=threads)
    return FoldDecoders(models, decoder, say).run(
        requests, folds, lambda of_fold, own: search(of_fold, [own])
    )


def _inputs(
    model: PathLike | AnyDecoder, source: PathLike, weights: Mapping[str, float] | PathLike | None
) -> list[PathLike]:
    """Return the files that no output may replace; those of the model are mapped."""
    directory = model.model.directory if isinstance(model, Decoder) else Path(model)
    own: set[str] = set()
    if (directory / MANIFEST).is_file():
        own = {*Manifest.read(directory).files, MANIFEST, WEIGHTS_FILE}
    files: list[PathLike] = [source, *(directory / name for name in sorted(own))]
    return files if weights is None or isinstance(weights, Mapping) else [*files, weights]
