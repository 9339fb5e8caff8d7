"""Our own decoders, over the model of a directory."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

from tunesmith import _native
from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union
from tunesmith.checksums import checksum
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders, input_folds, with_fold_grammars
from tunesmith.decode.kept_grammars import with_kept_grammars
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.opening import DECODERS, open_decoder
from tunesmith.decode.preparation import warn_of_raw_source
from tunesmith.decode.recorded import decoding_record
from tunesmith.decode.request import Request, plain_sources
from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool
from tunesmith.forest.nbest import portion
from tunesmith.metrics.base import Metric
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import SentenceFolds
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.seen import Seen, overlap_messages
from tunesmith.model.steps import Progress
from tunesmith.options import defaults, determinants
from tunesmith.systems.base import System, fingerprint_of
from tunesmith.systems.candidates import Ranked
from tunesmith.systems.sentences import preparation, read_sentences
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.weights import Weights, WeightStore

__all__ = ["ModelSystem", "decoder_details", "fold_details"]


class ModelSystem(System):
    """The decoder of a model, phrase-based or chart, with sentences, which stay in memory.

    With `folds`, each sentence is translated by the one of the `models` that leaves its fold out: every fold
    is opened once per call, one at a time. `grammars` is a file for the rules of all sentences, if the model
    extracts them: then they are extracted once, before the first search. `progress` is called with the state
    of such work. `path` is the file of the sentences, for errors. `close` is called in the end.
    Before the first call of `use` it has the weights of the decoder. `records_all`: weights are
    recorded with all options of the search.
    """

    balances_start: ClassVar[bool] = True

    def __init__(
        self,
        decoder: AnyDecoder,
        requests: Sequence[Request],
        *,
        path: PathLike | None = None,
        models: FoldModels | None = None,
        folds: SentenceFolds | None = None,
        threads: int | None = 1,
        grammars: PathLike | None = None,
        progress: Progress | None = None,
        records_all: bool = False,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        if not requests:
            raise InputError("there are no sentences to translate", path=path)
        self.decoder = decoder
        self._first = decoder.weights
        self._by_context: dict[int, AnyDecoder] = {decoder.options.context: decoder}
        self._fresh = {decoder.options.context}
        self._requests = requests
        self.weights, self.sentences = decoder.weights, range(len(requests))
        self._path = path
        self._models, self._folds = models, folds
        self._threads = threads
        self._grammars = grammars
        self._progress: Progress = progress or (lambda line: None)
        self._records_all = records_all
        self._close = close

    @classmethod
    def open(
        cls,
        model: PathLike,
        source: PathLike | Sequence[str | Lattice | Request],
        *,
        weights: Mapping[str, float] | PathLike | None = None,
        options: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
        templates: Sequence[Template] = (),
        input_format: str | None = None,
        prepare: bool = False,
        jackknife: JackknifeOptions | None = None,
        references: Texts | None = None,
        threads: int | None = None,
        announce: Callable[[str], None] | None = None,
        **more: Any,
    ) -> Self:
        """Open a model of a directory, over what `tunesmith decode` reads: text, `<seg>` lines, lattices; or
        over a list of them.

        `weights` (the start weights), `options`, `templates` and `announce` are as in `open_decoder`, `more`
        are `grammars` and `progress`. With `jackknife` the sentences are of the training text, where they are
        looked up, with `references` as pairs; those of a fold must follow each other.
        """
        decoder = open_decoder(model, weights, options, templates, announce=announce)
        path: PathLike | None = None
        if isinstance(source, Sequence) and not isinstance(source, str):
            requests = [Request.of(text) for text in source]
        else:
            path = source
            prepared = preparation(decoder.model, "source", threads) if prepare else None
            requests = read_sentences(source, input_format, prepared)
            if not prepare:
                warn_of_raw_source(decoder.model, plain_sources(requests))
        if jackknife is not None:
            models = FoldModels.of(model, jackknife, threads=threads)
            sources = [request.source for request in requests]
            known = references if references is not None and len(references) == len(sources) else None
            folds = input_folds(models, jackknife, sources, known, in_order=True)
            more |= {"models": models, "folds": folds}
        return cls(decoder, requests, path=path, threads=threads, **more)

    def __len__(self) -> int:
        return len(self._requests)

    def __repr__(self) -> str:
        return f"<ModelSystem: {self.decoder.model.directory}, {len(self)} sentences>"

    def overlap(self, references: Sequence[Texts], name: str) -> list[str]:
        """Return messages about sentences that the model was trained on, unless their folds are left out."""
        if self._models is not None:
            return []
        known = Seen.of_model(self.decoder.model.directory)
        return overlap_messages(known, plain_sources(self._requests), references, name)

    def use(self, weights: Mapping[str, float], sentences: Iterable[int] | None = None) -> Self:
        self._fresh.clear()
        return super().use(weights, sentences)

    def changed(self, features: _native.FeatureVector) -> None:
        self._fresh.clear()

    def close(self) -> None:
        """Let go of the model, which may be removed."""
        self._close()

    @property
    def start(self) -> Weights:
        """The weights that the model was opened with."""
        return Weights(self._first)

    def fitted(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        """Return weights as the model names its features, and warn of those that no feature can have."""
        return self.decoder.fitted(weights)

    @property
    def about(self) -> Mapping[str, object]:
        """The templates, and the options of the search: those given that are part of the model, or all."""
        return decoding_record(self.decoder, only_given=not self._records_all)

    @property
    def fingerprint(self) -> str:
        """A digest of the model's files by its manifest, the sentences, the search and the templates."""
        return fingerprint_of({**self.details, "version": this_version()})

    @property
    def details(self) -> Mapping[str, object]:
        jackknife: dict[str, object] = {}
        if self._models is not None and self._folds is not None:
            jackknife = fold_details(self._folds.fold_of, self._models.lm)
        return {
            **decoder_details(self.decoder),
            "source": self._digest_of_sentences(),
            "templates": [repr(template) for template in self.decoder.templates],
            **jackknife,
        }

    @property
    def defaults(self) -> Mapping[str, object]:
        return {name: repr(value) for name, value in defaults(self.decoder.options).items()}

    def _digest_of_sentences(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for request in self._requests:
            asked = dataclasses.replace(request, grammar=None, line=None, id=None)
            digest.update(repr(asked).encode("utf-8", "surrogatepass"))
            if request.grammar is not None:
                digest.update(checksum(request.grammar).encode())
        return digest.hexdigest()

    def nbest(self, size: int) -> Pool:
        """Return the lists of distinct translations; every candidate has all dense features, zeros too."""
        union = Union(self._threads)
        for part in self.nbest_parts(size):
            union.add(part)
        return union.pool

    def nbest_parts(self, size: int) -> Iterator[Pool]:
        is_empty, names = True, self.dense
        for begin, batch in self._translated(forest=True):
            found = [(begin + i, each.forest) for i, each in enumerate(batch) if each.found]
            kept = [(number, forest) for number, forest in found if forest is not None]
            step = portion(size)
            for first in range(0, len(kept), step):
                part = kept[first : first + step]
                pool = kbest_pool(
                    [forest for _, forest in part],
                    self.weights,
                    size,
                    unique=True,
                    ids=[str(number) for number, _ in part],
                    missing=0.0,  # features of templates need no weight
                    threads=self._threads,
                )
                is_empty = False
                yield dataclasses.replace(pool, features=with_columns(pool.features, names))
        if is_empty:
            raise InputError("no sentence has a translation", path=self._path)

    def translations(self) -> Iterator[str | None]:
        for _, batch in self._translated(forest=False):
            for each in batch:
                yield each.text if each.found else None

    def forests(self, context: int) -> Iterator[Forest]:
        """Yield the forest of each sentence; one without nodes if there is no translation."""
        for _, batch in self._translated(context, forest=True):
            for each in batch:
                assert each.forest is not None
                yield each.forest

    @property
    def dense(self) -> Sequence[str]:
        return self._weighted().feature_names  # features of the input are dense if the weights have them

    @property
    def known(self) -> Sequence[str]:
        return [*self.dense, *sorted(self.decoder.model.sparse_names())]

    @property
    def templates(self) -> Sequence[str]:
        return [template.name for template in self.decoder.templates]

    def candidates(
        self, sentence: int, size: int, metric: Metric, references: Sequence[Texts]
    ) -> Ranked | None:
        found = self._weighted().kbest(self._requests[sentence], size)
        if not len(found):
            return None
        return Ranked(Texts(*found.native.texts()), found.scores, found.features, metric, references)

    def forest(self, sentence: int) -> ScoredForest | None:
        found = self._weighted().scored_forest(self._requests[sentence])
        return found if found.forest.node_count else None

    def source_words(self, sentence: int) -> int:
        return self._requests[sentence].columns

    def _weighted(self, context: int = 0) -> AnyDecoder:
        """Return a decoder with the weights whose nodes distinguish at least `context` boundary words.

        Decoders share the mapped files of the model. Changed weights of a store re-score options only.
        """
        own = self.decoder
        words = max(context, own.options.context)
        decoder = self._by_context.get(words)
        if decoder is None:
            options = dataclasses.replace(own.options, context=words)
            kind = DECODERS[own.model.decoder_kind]
            decoder = self._by_context[words] = kind(own.model, self.weights, options, own.templates)
        elif words not in self._fresh:
            if isinstance(self.weights, WeightStore) and decoder.weights is self.weights:
                decoder.refresh()
            else:
                decoder.weights = self.weights
        self._fresh.add(words)
        return decoder

    def _translated(self, context: int = 0, *, forest: bool) -> Iterator[tuple[int, Sequence[Translation]]]:
        """Yield batches, each with the place of its first sentence; errors name the file.

        Lists of scored options are dropped at the end: the next call has other weights.
        """
        done, decoder = 0, self._weighted(context)
        try:
            for batch in self._search(decoder, forest=forest):
                yield done, batch
                done += len(batch)
            decoder.drop_lists()
        except InputError as error:
            if error.path is not None or error.line is None:
                raise
            raise InputError(error.message, path=self._path, line=error.line) from None

    def _search(self, decoder: AnyDecoder, *, forest: bool) -> Iterator[Sequence[Translation]]:
        """Yield the translations of the sentences in use, in batches."""

        def search(of_fold: AnyDecoder, requests: list[Request]) -> Iterator[list[Translation]]:
            return of_fold.translate_batches(requests, forest=forest, threads=self._threads)

        requests = [self._searched[sentence] for sentence in self.sentences]
        if self._folds is None:
            return search(decoder, requests)
        own = SentenceFolds(self._folds.fold_of[[*self.sentences]])
        return FoldDecoders(self._models, decoder, self._progress).run(requests, own, search)

    @cached_property
    def _searched(self) -> Sequence[Request]:
        """The sentences, which name their rules if there is a file for these."""
        path, options = self._grammars, self.decoder.options
        if path is None:
            return self._requests
        limit = options.span_limit if isinstance(options, ChartOptions) else None
        try:
            if self._models is not None and self._folds is not None:
                return with_fold_grammars(
                    self._models,
                    self._requests,
                    self._folds,
                    path,
                    span_limit=limit,
                    progress=self._progress,
                )
            return with_kept_grammars(
                self.decoder.model,
                self._requests,
                path,
                span_limit=limit,
                threads=self._threads,
                progress=self._progress,
            )
        except InputError as error:
            if str(error.path) != str(path):
                raise
            raise InputError(
                f"{error.message}; it is for the rules of {len(self)} sentences, 10 to 20 bytes per rule",
                path=error.path,
            ) from None


def decoder_details(decoder: AnyDecoder) -> dict[str, object]:
    """Return what translations depend on: the files of the model by its manifest, and the search."""
    model = decoder.model
    files = {name: record.sha256 for name, record in Manifest.read(model.directory).files.items()}
    options = {name: repr(value) for name, value in determinants(decoder.options).items()}
    return {"model": fingerprint_of({"files": files, "record": model.record}), **options}


def fold_details(folds: IntArray, lm: bool) -> dict[str, object]:
    """Return what translations depend on if folds of sentences are left out, of the language model or not."""
    return {"jackknife": hashlib.blake2b(folds.tobytes(), digest_size=16).hexdigest(), "jackknife_lm": lm}
