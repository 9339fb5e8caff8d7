"""Our own decoders over sentences of the training text, each with the model without its fold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders, input_folds, with_fold_grammars
from tunesmith.decode.request import Request
from tunesmith.decode.translation import Translation
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.texts import Texts
from tunesmith.tuning.translators.model import ModelTranslator

__all__ = ["JackknifedTranslator"]


class JackknifedTranslator(ModelTranslator):
    """A `ModelTranslator` that leaves the fold of each sentence out of the model.

    The sentences of a fold must follow each other. In each round every fold is opened once, one at a time.
    With `references`, sentences are looked up as pairs in the training text.
    """

    def __init__(
        self,
        model: PathLike,
        source: PathLike | Sequence[Any],
        jackknife: JackknifeOptions,
        *,
        references: Texts | None = None,
        **options: Any,
    ) -> None:
        super().__init__(model, source, **options)
        self._models = FoldModels.of(model, jackknife, threads=self._threads)
        sources = [request.source for request in self._requests]
        known = references if references is not None and len(references) == len(sources) else None
        self._folds = input_folds(self._models, jackknife, sources, known, in_order=True)

    def overlap(self, references: Sequence[Texts], name: str) -> list[str]:
        """Return no messages: what the model has seen is left out."""
        return []

    @property
    def details(self) -> Mapping[str, object]:
        folds = hashlib.blake2b(self._folds.fold_of.tobytes(), digest_size=16).hexdigest()
        return {**super().details, "jackknife": folds, "jackknife_lm": self._models.lm}

    def _with_grammars(self, path: PathLike) -> list[Request]:
        return with_fold_grammars(
            self._models,
            self._requests,
            self._folds,
            path,
            span_limit=self._span_limit,
            progress=self._progress,
        )

    def _search(self, decoder: AnyDecoder, *, forest: bool) -> Iterator[Sequence[Translation]]:
        decoders = FoldDecoders(self._models, decoder, self._progress)

        def search(of_fold: AnyDecoder, requests: list[Request]) -> Iterator[list[Translation]]:
            return of_fold.translate_batches(requests, forest=forest, threads=self._threads)

        return decoders.run(self._searched, self._folds, search)
