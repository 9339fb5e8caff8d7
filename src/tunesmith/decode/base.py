"""The base class of decoders: a model and weights, text in, translations out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import numpy as np

from tunesmith import _native
from tunesmith.decode.arcs import INPUT_FEATURE, check_arcs
from tunesmith.decode.batches import in_batches
from tunesmith.decode.fitted_weights import FittedNames
from tunesmith.decode.kbest import KBest
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request
from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.decode.weight_names import check_names, check_sizes, foreign_names
from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.features.bridge import add_templates, check_templates
from tunesmith.files import PathLike
from tunesmith.model.model import DecoderKind, Model
from tunesmith.threads import thread_count
from tunesmith.weights import Weights, WeightStore, open_weights

__all__ = ["AnyDecoder", "Decoder"]

Options = TypeVar("Options", SearchOptions, ChartOptions)
NativeOptions = TypeVar("NativeOptions", _native.PhraseDecoderOptions, _native.ChartDecoderOptions)

Found = TypeVar("Found")


class Decoder(ABC, Generic[Options, NativeOptions]):
    """Translates with a model. Weights may be changed at any time without loading the model again.

    Subclasses define the `kind` of decoder that their models need, what such `models` are called, and the
    options by which features of the input are declared (`declarable`).
    """

    kind: ClassVar[DecoderKind]
    models: ClassVar[str]
    declarable: ClassVar[tuple[str, ...]]
    options_type: ClassVar[type[Any]]

    def __init__(
        self,
        model: Model,
        weights: Mapping[str, float] | None = None,
        options: Options | None = None,
        templates: Sequence[Template] = (),
    ) -> None:
        if model.decoder_kind != self.kind:
            raise InputError(
                f"is not a {self.models} model; `open_decoder` opens models of every kind",
                path=model.directory,
            )
        self.model = model
        self.options: Options = options or self.options_type()
        own: list[Template] = model.own_templates()
        given: list[Template] = [
            each.with_lists(model.directory) if isinstance(each, Template) else each for each in templates
        ]
        self.templates: tuple[Template, ...] = (*own, *(each for each in given if each not in own))
        check_templates(self.templates)
        self._models: dict[tuple[bool, bool], _native.DecoderModel] = {}
        self._bridges: list[object] = []
        self._constrained: _native.WeightedModel | None = None
        first = model.weights if weights is None else weights
        self._use(self.fitted(first))

    @classmethod
    def open(
        cls,
        directory: PathLike,
        weights: Mapping[str, float] | PathLike | None = None,
        options: Options | None = None,
        templates: Sequence[Template] = (),
    ) -> Self:
        """Open the model of a directory; its files are mapped, so opening is fast.

        `weights` is a mapping, a store or a file [default: the model's own].
        """
        given = weights if weights is None or isinstance(weights, Mapping) else open_weights(weights)
        return cls(Model.open(directory), given, options, templates)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.model.directory}, {len(self._names)} features>"

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the dense features, each of which needs a weight.

        Features of templates and sparse scores of phrase tables need none.

        Includes InputFeature0 if the model lists it or it has a weight, and declared features of arcs.
        """
        return self._names

    @property
    def weights(self) -> Weights | WeightStore:
        """The weights in use."""
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        """Set the weights: any mapping, which is copied, or a store, which is not.

        Weights of a store may be changed in place later; the decoder sees it after `refresh`. Names of Moses
        in a mapping become those of the model's templates; a store must have these.
        """
        self._use(weights if isinstance(weights, WeightStore) else self.fitted(weights))

    def fitted(self, weights: Mapping[str, float]) -> Weights | WeightStore:
        """Return weights as this model names its features, and warn of those that no feature can have.

        Names of Moses become those of the model's templates. A store without such names is returned itself.
        """
        given = weights if isinstance(weights, WeightStore) else Weights(weights)
        return self._fitted_names.fit(given, self.model.weights)

    def _use(self, given: Weights | WeightStore) -> None:
        check_sizes(given)
        native = self._model(given)
        foreign = foreign_names(given, native, self.templates, self._sparse_names)
        check_names(given, native.names, foreign, self.declarable)
        weighted = _weighted(native, given)
        # Assign all at once, so that refused weights change nothing.
        self._weights, self._weighted, self._constrained = given, weighted, None
        self._names = tuple(native.names)

    @property
    def native_model(self) -> _native.WeightedModel:
        """The native model with the weights in use, for searches that are native as a whole."""
        return self._weighted

    def refresh(self) -> None:
        """Use weights that were changed in their store; O(dense features), whatever the number of others.

        Lists of scored options are dropped. With `table_breadth`, what is known about options without weights
        stays: then only options of the sentences to come are scored, and quickly. No search may be at work in
        another thread. New weights are not checked: a learner has them from features of this decoder.
        """
        self._weighted.refresh()
        if self._constrained is not None:
            self._constrained.refresh()

    def drop_lists(self) -> None:
        """Drop lists of scored options to save memory; sentences to come score their options again."""
        self._weighted.drop_lists()
        if self._constrained is not None:
            self._constrained.drop_lists()

    def translate(self, text: str | Lattice | Request, *, forest: bool = False) -> Translation:
        """Translate a sentence or a lattice."""
        return next(self.translate_all([text], forest=forest, threads=1))

    def translate_all(
        self, texts: Iterable[str | Lattice | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[Translation]:
        """Translate sentences, in order, on all cores.

        Reads ahead by a few hundred sentences, or with `forest`, to limit memory, a few hundred words.
        """
        if isinstance(texts, str):
            raise InputError(f"expected sentences, found one text, {texts[:60]!r}; put it in a list")
        return chain.from_iterable(self.translate_batches(texts, forest=forest, threads=threads))

    def translate_batches(
        self, texts: Iterable[str | Lattice | Request], *, forest: bool = False, threads: int | None = None
    ) -> Iterator[list[Translation]]:
        """Like `translate_all`, but yield batches of translations."""
        options = self.native_options(forest=forest)
        workers = thread_count(threads)
        for batch in in_batches(map(Request.of, texts), forest=forest):
            yield self.search(batch, options, workers)

    def kbest(self, text: str | Lattice | Request, k: int, *, unique: bool = True) -> KBest:
        """Return the k best translations of a sentence or a lattice, or with `unique=False` derivations.

        They are those of the k best list of its forest, without building it: see `KBest`.
        """
        return next(self.kbest_all([text], k, unique=unique, threads=1))

    def kbest_all(
        self,
        texts: Iterable[str | Lattice | Request],
        k: int,
        *,
        unique: bool = True,
        threads: int | None = None,
    ) -> Iterator[KBest]:
        """Return the k best translations of sentences, in order, on all cores.

        Reads ahead by a few hundred words.
        """
        if isinstance(texts, str):
            raise InputError(f"expected sentences, found one text, {texts[:60]!r}; put it in a list")
        if k < 1:
            raise InputError(f"cannot return the {k} best translations; expected at least 1")
        options = self.native_options(forest=False)
        workers = thread_count(threads)

        def search(model: _native.WeightedModel, requests: Sequence[Request]) -> list[_native.Kbest]:
            return self._kbest(model, options, requests, k, unique, workers)

        for batch in in_batches(map(Request.of, texts), forest=True):
            for part in self._parts(batch, workers):
                yield from (KBest(*found) for found in self.run_native(search, part))

    def scored_forest(self, text: str | Lattice | Request) -> ScoredForest:
        """Return the forest of a sentence or a lattice with scores of edges, but without their features.

        It has the nodes and edges of the forest of `translate`.
        """
        options = self.native_options(forest=False)

        def search(model: _native.WeightedModel, part: Sequence[Request]) -> list[_native.ScoredForest]:
            return self._scored_forests(model, options, part)

        ((native, model),) = self.run_native(search, [Request.of(text)])
        return ScoredForest(native, model)

    def search(self, requests: Sequence[Request], options: NativeOptions, threads: int) -> list[Translation]:
        """Translate requests in parallel with the given options."""

        def search(model: _native.WeightedModel, part: Sequence[Request]) -> list[_native.Translation]:
            return self._translate(model, options, part, threads)

        parts = self._parts(requests, threads)
        return [Translation.of(*found) for part in parts for found in self.run_native(search, part)]

    def run_native(
        self,
        search: Callable[[_native.WeightedModel, Sequence[Request]], list[Found]],
        part: Sequence[Request],
    ) -> list[tuple[Found, _native.WeightedModel]]:
        """Search for some requests by a native call; return what was found, and the model that found it.

        It is one call, whatever the number of requests. Errors of a request have its line.
        """
        for request in part:
            self._check(request)
        model = self._weighted
        if any(request.target is not None for request in part):
            model = self._constrained = self._constrained or self._with_constraint()
        try:
            return [(found, model) for found in search(model, part)]
        except InputError as error:
            if error.line is None or error.path is not None:
                raise
            raise InputError(error.message, line=part[error.line - 1].line) from None

    def _parts(self, requests: Sequence[Request], threads: int) -> Iterator[Sequence[Request]]:
        """Yield the requests in parts that are searched at once."""
        yield requests

    def _with_constraint(self) -> _native.WeightedModel:
        return _weighted(self._model(self._weights, constrained=True), self._weights)

    def _model(self, weights: Mapping[str, float], *, constrained: bool = False) -> _native.DecoderModel:
        """Return a native model with the features that the weights need; cached.

        Features of lattices and of required targets are in separate models, so that other searches do not
        pay for them. `_bridges` keeps alive the objects that native code refers to.
        """
        key = INPUT_FEATURE in weights and self._listed_input_feature is None, constrained
        if key not in self._models:
            native = self._build(input_feature=key[0])
            self._bridges += add_templates(native, self.templates)
            if constrained:
                native.add_target_constraint()
            self._models[key] = native
        return self._models[key]

    def _check(self, request: Request) -> None:
        """Refuse arcs with values or features without a weight."""
        if request.lattice is not None:
            weighted = INPUT_FEATURE if INPUT_FEATURE in self._names else None
            name = self._listed_input_feature or weighted
            check_arcs(request.lattice, name, self.options.arc_features, request.line)

    @cached_property
    def _fitted_names(self) -> FittedNames:
        return FittedNames(self.templates, self._sparse_names)

    @cached_property
    def _sparse_names(self) -> frozenset[str]:
        return self.model.sparse_names()

    @property
    def _listed_input_feature(self) -> str | None:
        kinds = self.model.penalties.items()
        return next((name for name, kind in kinds if kind == "InputFeature"), None)

    @abstractmethod
    def native_options(self, *, forest: bool) -> NativeOptions:
        """Return the options as those of the native decoder."""

    @abstractmethod
    def _build(self, *, input_feature: bool) -> _native.DecoderModel:
        """Return a native model with all features except those of templates."""

    @abstractmethod
    def _translate(
        self, model: _native.WeightedModel, options: NativeOptions, requests: Sequence[Request], threads: int
    ) -> list[_native.Translation]:
        """Search for all requests."""

    @abstractmethod
    def _kbest(
        self,
        model: _native.WeightedModel,
        options: NativeOptions,
        requests: Sequence[Request],
        k: int,
        unique: bool,
        threads: int,
    ) -> list[_native.Kbest]:
        """Search for the k best translations of all requests."""

    @abstractmethod
    def _scored_forests(
        self, model: _native.WeightedModel, options: NativeOptions, requests: Sequence[Request]
    ) -> list[_native.ScoredForest]:
        """Search for all requests, one after another, and return what the searches kept."""


def _weighted(native: _native.DecoderModel, weights: Weights | WeightStore) -> _native.WeightedModel:
    """Return a native model with weights."""
    if isinstance(weights, WeightStore):
        return _native.WeightedModel(native, weights.native)
    names = native.names
    known = frozenset(names)
    sparse = [(name, value) for name, value in weights.items() if name not in known]
    return _native.WeightedModel(
        native, np.array([weights[name] for name in names], dtype=np.float64), sparse
    )


AnyDecoder: TypeAlias = Decoder[Any, Any]
