"""The chart decoder of hierarchical and inversion transduction grammars (Chiang 2007; Wu 1997)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from tunesmith import _native
from tunesmith.decode.base import Decoder
from tunesmith.decode.grammars import GrammarSources
from tunesmith.decode.parts import add_arc_features, add_language_models, add_penalties, add_tables
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.errors import InputError

__all__ = ["ChartDecoder"]

SENTENCE_GRAMMARS = 16
"""Maximum number of sentence grammars in memory, per thread."""


class ChartDecoder(Decoder[ChartOptions, _native.ChartDecoderOptions]):
    """Translates with a hierarchical model or an ITG.

    Weights may be changed at any time without loading the model again.

    Rules come from the model and the sentence; see `GrammarSources`. Phrase pairs of the model, and words
    that no rule translates, have category X; a translation has category S.
    """

    kind = "chart"
    models = "hierarchical or ITG"
    declarable = ("arc_features", "rule_features")
    options_type = ChartOptions

    def native_options(self, *, forest: bool) -> _native.ChartDecoderOptions:
        """Return the options as those of the native decoder."""
        return self.options.native(forest=forest)

    def _parts(self, requests: Sequence[Request], threads: int) -> Iterator[Sequence[Request]]:
        """Yield small parts if each request has a grammar, to limit memory."""
        size = SENTENCE_GRAMMARS * threads if self.grammars.are_of_sentences(requests) else len(requests)
        for begin in range(0, len(requests), max(size, 1)):
            yield requests[begin : begin + size]

    def _translate(
        self,
        model: _native.WeightedModel,
        options: _native.ChartDecoderOptions,
        requests: Sequence[Request],
        threads: int,
    ) -> list[_native.Translation]:
        return _native.translate_by_chart(model, options, self._natives(requests, threads), threads)

    def _kbest(
        self,
        model: _native.WeightedModel,
        options: _native.ChartDecoderOptions,
        requests: Sequence[Request],
        k: int,
        unique: bool,
        threads: int,
    ) -> list[_native.Kbest]:
        natives = self._natives(requests, threads)
        return _native.chart_kbest(model, options, natives, k, unique, threads)

    def _scored_forests(
        self,
        model: _native.WeightedModel,
        options: _native.ChartDecoderOptions,
        requests: Sequence[Request],
    ) -> list[_native.ScoredForest]:
        return _native.chart_scored_forests(model, options, self._natives(requests, 1), 1)

    def _natives(self, requests: Sequence[Request], threads: int) -> list[_native.DecoderRequest]:
        """Return the native requests, with their grammars."""
        natives = [request.native() for request in requests]
        self.grammars.add_to(natives, requests, self.weights, threads)
        return natives

    @cached_property
    def grammars(self) -> GrammarSources:
        """Where its rules come from."""
        return GrammarSources(self.model, self.options)

    def _build(self, *, input_feature: bool) -> _native.DecoderModel:
        model, options = self.model, self.options
        if model.trained_reordering:
            raise InputError(
                f"has the reordering model {model.trained_reordering[0].name!r}, which needs a decoder that"
                " goes from left to right; a chart decoder cannot use it",
                path=model.directory,
            )
        native = _native.DecoderModel()
        add_tables(native, model, options.table_limit, options.table_breadth)
        self.grammars.add_to_model(native)
        add_penalties(native, model)
        add_arc_features(native, options.arc_features, input_feature=input_feature)
        add_language_models(native, model)
        native.add_rule_columns(options.rule_features)
        if options.context > 0:
            native.add_context(options.context)
        return native
