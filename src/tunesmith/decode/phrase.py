"""The phrase decoder: a model and weights, text in, translations out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from tunesmith import _native
from tunesmith.decode.arcs import INPUT_FEATURE, check_arcs
from tunesmith.decode.batches import in_batches
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import Step, Translation, sum_by_name
from tunesmith.errors import InputError, nearest, suggest
from tunesmith.extract.bilingual import JOINER
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.features.base import Template
from tunesmith.features.bridge import add_templates
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.threads import thread_count
from tunesmith.weights import Weights

__all__ = ["PhraseDecoder"]

_PENALTIES = {
    "WordPenalty": _native.Penalty.WORD,
    "PhrasePenalty": _native.Penalty.PHRASE,
    "UnknownWordPenalty": _native.Penalty.UNKNOWN_WORD,
    "Distortion": _native.Penalty.DISTORTION,
    "InputFeature": _native.Penalty.INPUT,
}
DISTORTION_LIMIT = 6
"""Where the model does not say."""
LARGEST_WEIGHT = 1e6
"""Scores are sums of 32-bit floats, which larger weights would make infinite, or blind to all else."""


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
        self._models: dict[tuple[bool, bool], _native.DecoderModel] = {}
        self._bridges: list[object] = []
        self._constrained: _native.WeightedModel | None = None
        self.weights = Weights(model.weights if weights is None else weights)

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
        """The names of the dense features, each of which needs a weight; those of templates need none.

        InputFeature0, where the model does not list it, is one of them if it has a weight; features of arcs
        are if the options declare them.
        """
        return self._names

    @property
    def weights(self) -> Weights:
        """The weights in use."""
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        given = Weights(weights)
        for name, value in given.items():
            if abs(value) > LARGEST_WEIGHT:
                raise InputError(
                    f"the weight {name!r} is {value}; expected at most {LARGEST_WEIGHT:,.0f} in size"
                )
        native = self._model(given)
        names = native.names
        for name in names:
            if name not in given:
                hint = nearest(name, set(given).difference(names))
                raise InputError(
                    f"no weight for the feature {name!r}; every feature of the model needs one"
                    f" (0 switches it off){hint}"
                )
        known = frozenset(names)
        sparse = [(name, value) for name, value in given.items() if name not in known]
        for name, _ in sparse:
            if not any(template.owns(name) for template in self.templates):
                raise InputError(f"the weight {name!r} is of no feature of this model{suggest(name, names)}")
        vectors = np.array([given[name] for name in names], dtype=np.float64), sparse
        weighted = _native.WeightedModel(native, *vectors)
        # All at once, so that weights that are refused change nothing.
        self._weights, self._vectors, self._weighted, self._constrained = given, vectors, weighted, None
        self._names = tuple(names)

    def translate(self, text: str | Lattice | Request, *, forest: bool = False) -> Translation:
        """Translate a sentence or a lattice."""
        return next(self.translate_all([text], forest=forest, threads=1))

    def translate_all(
        self, texts: Iterable[str | Lattice | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[Translation]:
        """Translate sentences, in their order, on all cores.

        Reads ahead by a few hundred of them or, so that few forests are held at once, of their words.
        """
        if isinstance(texts, str):
            raise InputError(f"expected sentences, found one text, {texts[:60]!r}; put it in a list")
        return chain.from_iterable(self.translate_batches(texts, forest=forest, threads=threads))

    def translate_batches(
        self, texts: Iterable[str | Lattice | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[list[Translation]]:
        """Translate likewise, and yield what was translated side by side."""
        limit = self.model.settings.get("distortion_limit", DISTORTION_LIMIT)
        settings = self.options.native(limit, forest=forest)
        workers = thread_count(threads)
        for batch in in_batches(map(Request.of, texts), forest=forest):
            yield self.search(batch, settings, workers)

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
        return _native.WeightedModel(self._model(self._weights, constrained=True), *self._vectors)

    def _model(self, weights: Weights, *, constrained: bool = False) -> _native.DecoderModel:
        """Return a native model with the features that weights ask for.

        Those that few need, of lattices and of required targets, make a model of their own, so that others
        do not pay for them. Models are kept, and so are the bridges that native code refers to.
        """
        key = INPUT_FEATURE in weights and self._listed_input_feature is None, constrained
        if key not in self._models:
            native = _phrase_model(self.model, self.options, input_feature=key[0])
            self._bridges += add_templates(native, self.templates)
            if constrained:
                native.add_target_constraint()
            self._models[key] = native
        return self._models[key]

    def _check(self, request: Request) -> None:
        """Refuse arcs that say what would count nothing."""
        if request.lattice is not None:
            weighted = INPUT_FEATURE if INPUT_FEATURE in self._names else None
            name = self._listed_input_feature or weighted
            check_arcs(request.lattice, name, self.options.arc_features, request.line)

    @property
    def _listed_input_feature(self) -> str | None:
        kinds = self.model.penalties.items()
        return next((name for name, kind in kinds if kind == "InputFeature"), None)

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
        return [sum_by_name(row) for row in rows]


def _phrase_model(model: Model, options: SearchOptions, *, input_feature: bool) -> _native.DecoderModel:
    if not model.phrase_tables:
        raise InputError("is not a phrase model: it has no phrase table", path=model.directory)
    native = _native.DecoderModel()
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
    if input_feature:
        native.add_penalty(_native.Penalty.INPUT, INPUT_FEATURE)
    for name in options.arc_features:
        native.add_arc_feature(name)
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
