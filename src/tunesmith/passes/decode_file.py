"""Decoding a file: the work of `tunesmith decode`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TypeAlias

from tunesmith.consensus import ConsensusRule
from tunesmith.consensus.lists import say_pruned
from tunesmith.decode.base import AnyDecoder, Decoder
from tunesmith.decode.consensus import with_context
from tunesmith.decode.decoding import decoded_batches
from tunesmith.decode.given_grammars import check_grammars_kept
from tunesmith.decode.input.read import read_requests
from tunesmith.decode.jackknife import FoldDecoders, input_folds
from tunesmith.decode.output import Decoded, DecodeOutputs
from tunesmith.decode.preparation import model_side, warn_of_raw_source
from tunesmith.decode.request import Request, plain_sources
from tunesmith.decode.summary import DecodeSummary
from tunesmith.errors import OptionError
from tunesmith.files import PathLike, check_outputs
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.manifest import MANIFEST, Manifest
from tunesmith.model.model import WEIGHTS_FILE
from tunesmith.model.seen import Seen
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.translations import translate_by

__all__ = ["decode_file"]

REPORT_SECONDS = 5.0

Search: TypeAlias = Callable[[AnyDecoder, Iterable[Sequence[Request]]], Iterator[list[Decoded]]]


def decode_file(
    model: PathLike | AnyDecoder,
    source: PathLike = "-",
    outputs: DecodeOutputs | None = None,
    decoding: Decoding | None = None,
    *,
    changes: Mapping[str, float] | None = None,
    input_format: str | None = None,
    grammar_root: PathLike | None = None,
    prepare: bool = False,
    consensus: ConsensusRule | None = None,
    verify: bool = False,
) -> DecodeSummary:
    """Translate a file line by line, in order, one batch in memory. `-` is standard input.

    `model` is a decoder, or a directory opened by `open_decoder` with `changes`, `verify` and what `decoding`
    has. Input is text, `<seg>` lines or lattices in PLF, detected per line unless `input_format` names one;
    `prepare` tokenizes and cases it like the training text. Grammars that lines name must be in the folder
    `grammar_root`, if given. With `consensus` all outputs of best translations are of those that the rule
    chooses from forests. If the decoding has `jackknife`, each sentence of the training text is translated
    without its fold; if it has an `executor`, pieces of the file are translated by its workers, and their
    outputs joined in order: the same files. All names are checked before work begins; files appear complete
    or not at all.
    """
    how, asked = decoding or Decoding(), outputs or DecodeOutputs()
    _check(model, source, how, changed=bool(changes) or verify)
    check_outputs(asked.paths, _inputs(model, source, how.weights))
    if isinstance(model, Decoder):
        decoder = model
    else:
        search = with_context(how.search, consensus)
        decoder = replace(how, search=search).open(model, changes=changes, verify=verify)
    side = model_side(decoder.model, "source") if prepare else None
    batches = read_requests(
        source,
        input_format,
        prepare=None if side is None else partial(side.split, threads=how.threads),
        casing=None if side is None else side.cased,
        grammar_root=grammar_root,
    )
    say = _Progress(how.progress)
    batches = check_grammars_kept(batches, asked.paths, source)
    if not prepare:
        batches = _looked_at(decoder, batches, say)
    translate = _translate_here if how.executor is None else _translate_by
    translate(_File(decoder, source, asked, how, consensus, say), batches)
    say.end(prepare, how.jackknife is not None)
    return say.summary


@dataclass(frozen=True, eq=False)
class _File:
    """A file that is translated, and to what."""

    decoder: AnyDecoder
    source: PathLike
    outputs: DecodeOutputs
    decoding: Decoding
    consensus: ConsensusRule | None
    say: _Progress

    @property
    def known(self) -> Seen | None:
        """What counts sentences of the training text, if they are not translated without their folds."""
        folds = self.decoding.jackknife is not None
        return None if folds else Seen.of_model(self.decoder.model.directory)

    def fold_models(self, jackknife: JackknifeOptions) -> FoldModels:
        """Return the models without a fold."""
        return FoldModels.of(self.decoder.model.directory, jackknife, threads=self.decoding.threads)


def _translate_here(file: _File, batches: Iterable[list[Request]]) -> None:
    """Translate the batches in this process, and write each."""
    threads, known = file.decoding.threads, file.known
    with file.outputs.open(file.decoder, threads) as writers:
        forest = file.consensus is not None or any(writer.needs_forests for writer in writers)
        search = partial(
            decoded_batches, path=file.source, consensus=file.consensus, forest=forest, threads=threads
        )
        for decoded in _jackknifed(file, batches, search, in_order=forest):
            for writer in writers:
                writer.write(decoded)
            texts = [found.request.source for found in decoded]
            file.say.add(DecodeSummary.of(decoded, 0 if known is None else known.count_sources(texts)))


def _jackknifed(
    file: _File, batches: Iterable[list[Request]], search: Search, *, in_order: bool
) -> Iterator[list[Decoded]]:
    """Yield translated batches; if folds are left out, fold by fold, with all sentences in memory."""
    if file.decoding.jackknife is None:
        return search(file.decoder, batches)
    requests, models = [*chain.from_iterable(batches)], file.fold_models(file.decoding.jackknife)
    sources = [request.source for request in requests]
    folds = input_folds(models, file.decoding.jackknife, sources, in_order=in_order)
    decoders = FoldDecoders(models, file.decoder, file.say.line)
    return decoders.run(requests, folds, lambda of_fold, own: search(of_fold, [own]))


def _translate_by(file: _File, batches: Iterable[list[Request]]) -> None:
    """Have the requests translated by workers, with their folds, which must be sorted."""
    file.outputs.check(file.decoder)
    requests: Iterable[Request] = chain.from_iterable(batches)
    models, folds = None, repeat(OTHER)
    if file.decoding.jackknife is not None:
        requests = list(requests)
        models = file.fold_models(file.decoding.jackknife)
        sources = [request.source for request in requests]
        folds = iter(input_folds(models, file.decoding.jackknife, sources, in_order=True).fold_of.tolist())
    assert file.decoding.executor is not None
    translate_by(
        file.decoding.executor,
        FoldDecoders(models, file.decoder),
        zip(folds, requests, strict=False),
        file.outputs,
        file.say.add,
        consensus=file.consensus,
        text=str(file.source),
        known=file.known,
    )


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


def _looked_at(
    decoder: AnyDecoder, batches: Iterable[list[Request]], say: _Progress
) -> Iterator[list[Request]]:
    """Yield the batches, with a warning if the first is of raw text that the model does not know."""
    for number, batch in enumerate(batches):
        if number == 0:
            say.is_raw = warn_of_raw_source(decoder.model, plain_sources(batch))
        yield batch


def _check(model: PathLike | AnyDecoder, source: PathLike, how: Decoding, *, changed: bool) -> None:
    """Refuse what a decoder that is already open cannot do, and two uses of standard input."""
    if isinstance(model, Decoder):
        if how.weights is not None or how.search is not None or how.templates or changed:
            raise OptionError(
                "a decoder already has weights, options and templates; give a directory to open it with"
                " others, or to verify it"
            )
        for name, given in (("jackknife", how.jackknife), ("executor", how.executor)):
            if given is not None:
                raise OptionError("{} needs the directory of a model, not a decoder", name)
    if not isinstance(how.weights, Mapping) and str(how.weights) == str(source) == "-":
        raise OptionError("standard input cannot be both the weights and the text; name a file for one")


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
