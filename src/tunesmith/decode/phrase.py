"""The phrase decoder: a model and weights, text in, translations out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from tunesmith import _native
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import Step, Translation
from tunesmith.errors import InputError, suggest
from tunesmith.extract.bilingual import JOINER
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.features.base import Template
from tunesmith.features.bridge import add_templates
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
INPUT_FEATURE = "InputFeature0"
"""The feature of the arcs of lattices; a model has it if it lists it, or if it has a weight."""


class PhraseDecoder:
    """Translates with a phrase model. Weights may be changed at any time; nothing is loaded again."""

    def __init__(
        self,
        model: Model,
        weights: Mapping[str, float] | None = None,
        options: SearchOptions | None = None,
        templates: Sequence[Template] = (),
    ) -> None:
        self.model = model
        self.options = options or SearchOptions()
        self.templates = tuple(templates)
        given = Weights(model.weights if weights is None else weights)
        self._native = _phrase_model(model, self.options, given)
        self._bridges = add_templates(self._native, self.templates)
        self._constrainable: _native.PhraseModel | None = None
        self.weights = given

    @classmethod
    def open(
        cls,
        directory: PathLike,
        weights: Mapping[str, float] | PathLike | None = None,
        options: SearchOptions | None = None,
        templates: Sequence[Template] = (),
    ) -> PhraseDecoder:
        """Open the model of a directory; its files are mapped, so that opening takes no time.

        `weights` are the model's own unless others, or a file of others, are given.
        """
        given = weights if weights is None or isinstance(weights, Mapping) else Weights.read(weights)
        return cls(Model.open(directory), given, options, templates)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the dense features, each of which needs a weight; those of templates need none."""
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
            if not any(template.owns(name) for template in self.templates):
                raise InputError(f"the weight {name!r} is of no feature of this model{suggest(name, names)}")
        self._vectors = np.array([self._weights[name] for name in names], dtype=np.float64), sparse
        self._weighted = _native.WeightedModel(self._native, *self._vectors)
        self._constrained: _native.WeightedModel | None = None

    def translate(self, text: str | Lattice | Request, *, forest: bool = False) -> Translation:
        """Translate a sentence or a lattice."""
        return next(self.translate_all([text], forest=forest, threads=1))

    def translate_all(
        self, texts: Iterable[str | Lattice | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[Translation]:
        """Translate sentences, in their order, on all cores; reads ahead by a few hundred of them."""
        limit = self.model.settings.get("distortion_limit", DISTORTION_LIMIT)
        settings = self.options.native(limit, forest=forest)
        workers, stream = thread_count(threads), iter(texts)
        while batch := [Request.of(text) for text in islice(stream, BATCH)]:
            yield from self.search(batch, settings, workers)

    def search(
        self, requests: Sequence[Request], settings: _native.DecoderSettings, threads: int
    ) -> list[Translation]:
        """Translate requests side by side, with other settings than the decoder's own."""
        for request in requests:
            self._check(request)
        model = self._weighted
        if any(request.target is not None for request in requests):
            model = self._constrained = self._constrained or self._with_constraint()
        try:
            found = _native.translate(model, settings, [request.native() for request in requests], threads)
        except InputError as error:
            if error.line is None:
                raise
            raise InputError(error.message, line=requests[error.line - 1].line) from None
        return [Translation.of(each, model) for each in found]

    def _with_constraint(self) -> _native.WeightedModel:
        # A model of its own, so that others do not pay for it.
        if self._constrainable is None:
            self._constrainable = _phrase_model(self.model, self.options, self._weights)
            self._bridges += add_templates(self._constrainable, self.templates)
            self._constrainable.add_target_constraint()
        return _native.WeightedModel(self._constrainable, *self._vectors)

    def _check(self, request: Request) -> None:
        """Refuse scores of arcs that would count nothing."""
        lattice = request.lattice
        if lattice is not None and lattice.has_scores and not self._has_input_feature:
            raise InputError(
                "the arcs of the lattice have values, but no weight tells what they count; add a weight"
                f" {INPUT_FEATURE!r} (1.0 takes their logs as they are), or make all values 1",
                line=request.line,
            )

    @property
    def _has_input_feature(self) -> bool:
        return INPUT_FEATURE in self.feature_names or "InputFeature" in self.model.penalties.values()

    def replay(self, text: str | Request, phrases: Iterable[Step]) -> list[dict[str, float]]:
        """Recompute the features of a derivation, such as `Translation.derivation`.

        It has phrases (begin, end, target[, rule]) in the order of the target. A phrase without a rule is the
        pair of the first table that has it, or an unknown word that is passed through or dropped. One with
        the rule `GIVEN` has the probability that a request gives it, else 1; all else has the scores of its
        table. Returns what each phrase adds, and last what the end of the sentence adds.
        """
        request = Request.of(text)
        given = {(each.begin, each.end, each.target): each.probability for each in request.phrases}
        steps = [
            (begin, end, target, rule[0] if rule else None, given.get((begin, end, target), 1.0))
            for begin, end, target, *rule in phrases
        ]
        lattice = request.lattice
        source = _native.WordLattice.sentence(request.source) if lattice is None else lattice.native
        rows = _native.replay(self._weighted, source, steps)
        return [_summed(row) for row in rows]


def _summed(row: list[tuple[str, float]]) -> dict[str, float]:
    values: dict[str, float] = {}
    for name, value in row:
        values[name] = values.get(name, 0.0) + value
    return values


def _phrase_model(model: Model, options: SearchOptions, weights: Weights) -> _native.PhraseModel:
    if not model.phrase_tables:
        raise InputError("is not a phrase model: it has no phrase table", path=model.directory)
    native = _native.PhraseModel()
    for number, part in enumerate(model.phrase_tables):
        limit = part.table_limit if options.table_limit is None else options.table_limit
        native.add_table(model.phrase_table(number).native, part.name, limit)
    for name, kind in model.penalties.items():
        if kind not in _PENALTIES:
            raise InputError(
                "is not a phrase model that this decoder knows:"
                f" it has the feature {name!r} of kind {kind!r}",
                path=model.directory,
            )
        native.add_penalty(_PENALTIES[kind], name)
    if INPUT_FEATURE in weights and "InputFeature" not in model.penalties.values():
        native.add_penalty(_native.Penalty.INPUT, INPUT_FEATURE)
    for number, language in enumerate(model.language_models):
        lm = model.language_model(number).native
        if language.tokens == "bilingual":
            native.add_bilingual_lm(lm, language.name, JOINER)
        else:
            native.add_lm(lm, language.name)
    for moves in model.reordering:
        native.add_reordering(ReorderingSpec.parse(moves.type).native, moves.name, moves.columns[0])
    if options.context > 0:
        native.add_context(options.context)
    return native
