"""Our own decoders, over the model of a directory."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union
from tunesmith.checksums import checksum
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.input.read import read_requests
from tunesmith.decode.kept_grammars import with_kept_grammars
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.opening import DECODERS, open_decoder
from tunesmith.decode.preparation import model_side, warn_of_raw_source
from tunesmith.decode.recorded import decoding_record
from tunesmith.decode.request import Request, plain_sources
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool
from tunesmith.forest.nbest import portion
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.seen import Seen, overlap_messages
from tunesmith.model.steps import Progress
from tunesmith.options import defaults, determinants
from tunesmith.texts import Texts
from tunesmith.tuning.translators.base import Translator, fingerprint_of
from tunesmith.weights import Weights

__all__ = ["ModelTranslator"]


class ModelTranslator(Translator):
    """The decoder of a model, phrase-based or chart, with the sentences of a file.

    Sentences are what `tunesmith decode` reads: text, `<seg>` lines, lattices; or a list of them. `weights`
    (the start weights), `changes`, `options`, `templates` and `announce` are as in `open_decoder`. Sentences
    stay in memory; forests are made batch by batch. `grammars` is a file for the rules of all sentences, if
    the model extracts them: then they are extracted once, before the first search, and not in each round.
    `progress` is called with the state of such work before a search.
    """

    def __init__(
        self,
        model: PathLike,
        source: PathLike | Sequence[str | Lattice | Request],
        *,
        weights: Mapping[str, float] | PathLike | None = None,
        changes: Mapping[str, float] | None = None,
        options: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
        templates: Sequence[Template] = (),
        input_format: str | None = None,
        prepare: bool = False,
        threads: int | None = None,
        announce: Callable[[str], None] | None = None,
        grammars: PathLike | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._grammars = grammars
        self._progress: Progress = progress or (lambda line: None)
        self._decoder = open_decoder(model, weights, options, templates, changes=changes, announce=announce)
        self._start = Weights(self._decoder.weights)
        self._by_context: dict[int, AnyDecoder] = {self._decoder.options.context: self._decoder}
        self._threads = threads
        self._path: PathLike | None = None
        if isinstance(source, Sequence) and not isinstance(source, str):
            self._requests = [Request.of(text) for text in source]
        else:
            self._path = source
            side = model_side(self._decoder.model, "source") if prepare else None
            preparation = None if side is None else partial(side.prepare, threads=threads)
            batches = read_requests(source, input_format, prepare=preparation)
            self._requests = [request for batch in batches for request in batch]
            if not prepare:
                warn_of_raw_source(self._decoder.model, plain_sources(self._requests))
        if not self._requests:
            raise InputError("there are no sentences to translate", path=self._path)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._requests)

    def __repr__(self) -> str:
        return f"<ModelTranslator: {self._decoder.model.directory}, {len(self)} sentences>"

    def overlap(self, references: Sequence[Texts], name: str) -> list[str]:
        """Return messages about sentences that the model was trained on; see `overlap_messages`."""
        known = Seen.of_model(self._decoder.model.directory)
        return overlap_messages(known, plain_sources(self._requests), references, name)

    @property
    def start(self) -> Weights:
        """The weights that the model was opened with."""
        return self._start

    def fitted(self, weights: Weights) -> Weights:
        """Return weights as the model names its features, and warn of those that no feature can have."""
        return Weights(self._decoder.fitted(weights))

    @property
    def about(self) -> Mapping[str, object]:
        """The templates, and the given options of the search that are part of the model."""
        return decoding_record(self._decoder, only_given=True)

    @property
    def fingerprint(self) -> str:
        """A digest of the model's files by its manifest, the sentences, the search and the templates."""
        return fingerprint_of({**self.details, "version": this_version()})

    @property
    def details(self) -> Mapping[str, object]:
        model = self._decoder.model
        files = {name: record.sha256 for name, record in Manifest.read(model.directory).files.items()}
        options = determinants(self._decoder.options)
        return {
            "model": fingerprint_of({"files": files, "record": model.record}),
            "source": self._digest_of_sentences(),
            **{name: repr(value) for name, value in options.items()},
            "templates": [repr(template) for template in self._decoder.templates],
        }

    @property
    def defaults(self) -> Mapping[str, object]:
        return {name: repr(value) for name, value in defaults(self._decoder.options).items()}

    def _digest_of_sentences(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for request in self._requests:
            asked = dataclasses.replace(request, grammar=None, line=None, id=None)
            digest.update(repr(asked).encode("utf-8", "surrogatepass"))
            if request.grammar is not None:
                digest.update(checksum(request.grammar).encode())
        return digest.hexdigest()

    def nbest(self, weights: Weights, size: int) -> Pool:
        """Return the lists of distinct translations; every candidate has all dense features, zeros too."""
        union = Union(self._threads)
        for part in self.nbest_parts(weights, size):
            union.add(part)
        return union.pool

    def nbest_parts(self, weights: Weights, size: int) -> Iterator[Pool]:
        decoder, is_empty = self._weighted(weights), True
        for begin, batch in self._translated(decoder, forest=True):
            found = [(begin + i, each.forest) for i, each in enumerate(batch) if each.found]
            kept = [(number, forest) for number, forest in found if forest is not None]
            step = portion(size)
            for first in range(0, len(kept), step):
                part = kept[first : first + step]
                pool = kbest_pool(
                    [forest for _, forest in part],
                    weights,
                    size,
                    unique=True,
                    ids=[str(number) for number, _ in part],
                    missing=0.0,  # features of templates need no weight
                    threads=self._threads,
                )
                features = with_columns(pool.features, decoder.feature_names)
                is_empty = False
                yield dataclasses.replace(pool, features=features)
        if is_empty:
            raise InputError("no sentence has a translation", path=self._path)

    def translate(self, weights: Weights) -> Texts:
        """Return the best translations."""
        batches = self._translated(self._weighted(weights), forest=False)
        return Texts.of(each.text for _, batch in batches for each in batch)

    def forests(self, weights: Weights, context: int) -> Iterator[Forest]:
        """Yield the forest of each sentence; one without nodes if there is no translation."""
        for _, batch in self._translated(self._weighted(weights, context), forest=True):
            for each in batch:
                assert each.forest is not None
                yield each.forest

    def _weighted(self, weights: Weights, context: int = 0) -> AnyDecoder:
        """Return a decoder with these weights whose nodes distinguish at least `context` boundary words.

        Decoders share the mapped files of the model.
        """
        own = self._decoder
        words = max(context, own.options.context)
        decoder = self._by_context.get(words)
        if decoder is None:
            options = dataclasses.replace(own.options, context=words)
            kind = DECODERS[own.model.decoder_kind]
            decoder = self._by_context[words] = kind(own.model, weights, options, own.templates)
        else:
            decoder.weights = weights
        return decoder

    def _translated(
        self, decoder: AnyDecoder, *, forest: bool
    ) -> Iterator[tuple[int, Sequence[Translation]]]:
        """Yield batches, each with the number of its first sentence; errors name the file.

        Lists of scored options are dropped at the end: the next call has other weights.
        """
        done = 0
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
        """Yield the translations of all sentences in batches."""
        return decoder.translate_batches(self._searched, forest=forest, threads=self._threads)

    @cached_property
    def _searched(self) -> list[Request]:
        """The sentences, which name their rules if there is a file for these."""
        if self._grammars is None:
            return self._requests
        try:
            return self._with_grammars(self._grammars)
        except InputError as error:
            if str(error.path) != str(self._grammars):
                raise
            raise InputError(
                f"{error.message}; it is for the rules of {len(self)} sentences, 10 to 20 bytes per rule",
                path=error.path,
            ) from None

    def _with_grammars(self, path: PathLike) -> list[Request]:
        """Extract the rules of all sentences into a file, and return sentences that name them."""
        return with_kept_grammars(
            self._decoder.model,
            self._requests,
            path,
            span_limit=self._span_limit,
            threads=self._threads,
            progress=self._progress,
        )

    @property
    def _span_limit(self) -> int | None:
        options = self._decoder.options
        return options.span_limit if isinstance(options, ChartOptions) else None
