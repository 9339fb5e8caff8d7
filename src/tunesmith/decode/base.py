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
from tunesmith.decode.kbest import KBest
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError, nearest, suggest
from tunesmith.features.base import Template
from tunesmith.features.bridge import add_templates
from tunesmith.files import PathLike
from tunesmith.model.model import DecoderKind, Model
from tunesmith.threads import thread_count
from tunesmith.weights import Weights

__all__ = ["AnyDecoder", "Decoder"]

Options = TypeVar("Options", SearchOptions, ChartOptions)
NativeOptions = TypeVar("NativeOptions", _native.PhraseDecoderOptions, _native.ChartDecoderOptions)

Found = TypeVar("Found", _native.Translation, _native.Kbest)

LARGEST_WEIGHT = 1e6
"""Scores are sums of 32-bit floats: larger weights would overflow or swamp all other features."""

SHOWN = 3
"""Number of foreign weights named in an error."""


class Decoder(ABC, Generic[Options, NativeOptions]):
    """Translates with a model. Weights may be changed at any time without loading the model again.

    Subclasses define the `kind` of model they are for, what it consists of (`parts`), and the options by
    which features of the input are declared (`declarable`).
    """

    kind: ClassVar[DecoderKind]
    parts: ClassVar[str]
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
                f"is not a model of {self.parts}: open_decoder opens any with its decoder",
                path=model.directory,
            )
        self.model = model
        self.options: Options = options or self.options_type()
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
        options: Options | None = None,
        templates: Sequence[Template] = (),
    ) -> Self:
        """Open the model of a directory; its files are mapped, so opening is fast.

        `weights` is a mapping or a file [default: the model's own].
        """
        given = weights if weights is None or isinstance(weights, Mapping) else Weights.read(weights)
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
    def weights(self) -> Weights:
        """The weights in use."""
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        given = Weights(weights)
        for name, value in given.items():
            if abs(value) > LARGEST_WEIGHT:
                raise InputError(
                    f"the weight {name!r} is {value}; expected at most {LARGEST_WEIGHT:,.0f} in size",
                    path=given.path,
                )
        native = self._model(given)
        names = native.names
        self._check_names(given, names)
        known = frozenset(names)
        sparse = [(name, value) for name, value in given.items() if name not in known]
        vectors = np.array([given[name] for name in names], dtype=np.float64), sparse
        weighted = _native.WeightedModel(native, *vectors)
        # Assign all at once, so that refused weights change nothing.
        self._weights, self._vectors, self._weighted, self._constrained = given, vectors, weighted, None
        self._names = tuple(names)

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
                yield from (KBest(*found) for found in self._run(search, part))

    def search(self, requests: Sequence[Request], options: NativeOptions, threads: int) -> list[Translation]:
        """Translate requests in parallel with the given options."""

        def search(model: _native.WeightedModel, part: Sequence[Request]) -> list[_native.Translation]:
            return self._translate(model, options, part, threads)

        parts = self._parts(requests, threads)
        return [Translation.of(*found) for part in parts for found in self._run(search, part)]

    def _run(
        self,
        search: Callable[[_native.WeightedModel, Sequence[Request]], list[Found]],
        part: Sequence[Request],
    ) -> list[tuple[Found, _native.WeightedModel]]:
        """Search for some requests at once; return what was found, and the model that found it."""
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
        return _native.WeightedModel(self._model(self._weights, constrained=True), *self._vectors)

    def _model(self, weights: Weights, *, constrained: bool = False) -> _native.DecoderModel:
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

    def _check_names(self, given: Weights, names: Sequence[str]) -> None:
        """Refuse weights that lack a feature of the model, or have one that it does not know."""
        foreign = [name for name in given if name not in names and not self._is_sparse(name)]
        for name in names:
            if name in given:
                continue
            hint = nearest(name, foreign)
            if foreign and not hint:
                have = ", ".join(foreign[:SHOWN]) + (", ..." if len(foreign) > SHOWN else "")
                raise InputError(
                    f"these weights are of another model: they have {have}, which this one does not have,"
                    f" and none for {name!r}",
                    path=given.path,
                )
            raise InputError(
                f"no weight for the feature {name!r}; every feature of the model needs one, and 0 switches it"
                f" off{hint}",
                path=given.path,
            )
        for name in foreign:
            raise InputError(
                "the weight {name!r} is of no feature of this model{hint} (if the input has it, declare: "
                + " or ".join("{}" for _ in self.declarable)
                + ")",
                *self.declarable,
                name=name,
                hint=suggest(name, names),
                path=given.path,
            )

    def _is_sparse(self, name: str) -> bool:
        return any(template.owns(name) for template in self.templates) or name in self._sparse_names

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


AnyDecoder: TypeAlias = Decoder[Any, Any]
