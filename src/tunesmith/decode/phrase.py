"""The phrase decoder: a model and weights, text in, translations out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from tunesmith import _native
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError, suggest
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.threads import thread_count
from tunesmith.weights import Weights

__all__ = ["PhraseDecoder"]

BATCH = 256
"""Sentences that are translated side by side, and then handed out in order."""

_PENALTIES = {
    "WordPenalty": _native.Penalty.WORD,
    "PhrasePenalty": _native.Penalty.PHRASE,
    "UnknownWordPenalty": _native.Penalty.UNKNOWN_WORD,
    "Distortion": _native.Penalty.DISTORTION,
    "InputFeature": _native.Penalty.INPUT,
}
DISTORTION_LIMIT = 6
"""Where the model does not say."""


class PhraseDecoder:
    """Translates with a phrase model. Weights may be changed at any time; nothing is loaded again."""

    def __init__(
        self, model: Model, weights: Mapping[str, float] | None = None, options: SearchOptions | None = None
    ) -> None:
        self.model = model
        self.options = options or SearchOptions()
        self._native = _phrase_model(model, self.options)
        self._constrainable: _native.PhraseModel | None = None
        self.weights = Weights(model.weights if weights is None else weights)

    @classmethod
    def open(
        cls,
        directory: PathLike,
        weights: Mapping[str, float] | PathLike | None = None,
        options: SearchOptions | None = None,
    ) -> PhraseDecoder:
        """Open the model of a directory; its files are mapped, so that opening takes no time.

        `weights` are the model's own unless others, or a file of others, are given.
        """
        given = weights if weights is None or isinstance(weights, Mapping) else Weights.read(weights)
        return cls(Model.open(directory), given, options)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the dense features, each of which needs a weight."""
        return tuple(self._native.names)

    @property
    def weights(self) -> Weights:
        """The weights in use."""
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        self._weights = Weights(weights)
        names = self.feature_names
        for name in names:
            if name not in self._weights:
                raise InputError(f"the feature {name!r} has no weight{suggest(name, self._weights)}")
        known = frozenset(names)
        sparse = [(name, value) for name, value in self._weights.items() if name not in known]
        for name, _ in sparse:
            raise InputError(f"the weight {name!r} is of no feature of this model{suggest(name, names)}")
        self._vectors = np.array([self._weights[name] for name in names], dtype=np.float64), sparse
        self._weighted = _native.WeightedModel(self._native, *self._vectors)
        self._constrained: _native.WeightedModel | None = None

    def translate(self, text: str | Request, *, forest: bool = False) -> Translation:
        """Translate a sentence."""
        return next(self.translate_all([text], forest=forest, threads=1))

    def translate_all(
        self, texts: Iterable[str | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[Translation]:
        """Translate sentences, in their order, on all cores; reads ahead by a few hundred of them."""
        limit = self.model.settings.get("distortion_limit", DISTORTION_LIMIT)
        settings = self.options.native(limit, forest=forest)
        workers, stream = thread_count(threads), iter(texts)
        while batch := list(islice(stream, BATCH)):
            yield from self.search([Request.of(text) for text in batch], settings, workers)

    def search(
        self, requests: Sequence[Request], settings: _native.DecoderSettings, threads: int
    ) -> list[Translation]:
        """Translate requests side by side, with other settings than the decoder's own."""
        model = self._weighted
        if any(request.target is not None for request in requests):
            model = self._constrained = self._constrained or self._with_constraint()
        native = [request.native() for request in requests]
        return [Translation.of(found, model) for found in _native.translate(model, settings, native, threads)]

    def _with_constraint(self) -> _native.WeightedModel:
        # A model of its own, so that others do not pay for it.
        if self._constrainable is None:
            self._constrainable = _phrase_model(self.model, self.options)
            self._constrainable.add_target_constraint()
        return _native.WeightedModel(self._constrainable, *self._vectors)

    def replay(self, text: str, phrases: Sequence[tuple[int, int, str]]) -> list[dict[str, float]]:
        """Recompute the features of a derivation: phrases (begin, end, target) in the order of the target.

        Returns what each phrase adds, and last what the end of the sentence adds.
        """
        rows = _native.replay(self._weighted, _native.WordLattice.sentence(text), list(phrases))
        return [_summed(row) for row in rows]


def _summed(row: list[tuple[str, float]]) -> dict[str, float]:
    values: dict[str, float] = {}
    for name, value in row:
        values[name] = values.get(name, 0.0) + value
    return values


def _phrase_model(model: Model, options: SearchOptions) -> _native.PhraseModel:
    if not model.phrase_tables:
        raise InputError("is not a phrase model: it has no phrase table", path=model.directory)
    native = _native.PhraseModel()
    for number, part in enumerate(model.phrase_tables):
        limit = part.table_limit if options.table_limit is None else options.table_limit
        native.add_table(model.phrase_table(number).native, part.name, limit)
    for name, kind in model.penalties.items():
        native.add_penalty(_PENALTIES[kind], name)
    for number, language in enumerate(model.language_models):
        native.add_lm(model.language_model(number).native, language.name)
    for moves in model.reordering:
        native.add_reordering(ReorderingSpec.parse(moves.type).native, moves.name, moves.columns[0])
    return native
