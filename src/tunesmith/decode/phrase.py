"""The phrase decoder: stacks (Koehn 2004) filled by cube pruning (Huang and Chiang 2007)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from tunesmith import _native
from tunesmith.decode.base import Decoder
from tunesmith.decode.parts import add_arc_features, add_language_models, add_penalties, add_tables
from tunesmith.decode.reordering import OpenReordering, add_reordering, open_reordering
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import ReplayedPhrase, sum_by_name
from tunesmith.errors import InputError

__all__ = ["PhraseDecoder"]


class PhraseDecoder(Decoder[SearchOptions, _native.PhraseDecoderOptions]):
    """Translates with a phrase model. Weights may be changed at any time without loading the model again."""

    kind = "phrase"
    models = "phrase-based"
    declarable = ("arc_features",)
    options_type = SearchOptions

    def replay(self, text: str | Request, phrases: Iterable[ReplayedPhrase]) -> list[dict[str, float]]:
        """Recompute the features of a derivation, such as `Translation.derivation`.

        Phrases are (begin, end, target[, rule]) in target order. A phrase without a rule is the pair of the
        first table that has it, or an unknown word that is passed through or dropped. A phrase with the rule
        `GIVEN` has the probability given by the request, or 1; others have the scores of their table.
        Returns the features that each phrase adds, and last those of the sentence end.
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

    def native_options(self, *, forest: bool) -> _native.PhraseDecoderOptions:
        """Return the options as those of the native decoder, with the model's distortion limit."""
        return self.options.native(self.model.distortion_limit, forest=forest)

    def _check(self, request: Request) -> None:
        super()._check(request)
        if request.brings_rules:
            raise InputError(
                "rules come with the sentence, but a phrase-based model cannot use them; expected a"
                " hierarchical or ITG model",
                line=request.line,
            )
        if request.exclude:
            raise InputError(
                "cannot exclude training pairs: a phrase-based model extracts nothing on demand; use {}",
                "leave_one_out",
                line=request.line,
            )

    def _translate(
        self,
        model: _native.WeightedModel,
        options: _native.PhraseDecoderOptions,
        requests: Sequence[Request],
        threads: int,
    ) -> list[_native.Translation]:
        return _native.translate(model, options, [request.native() for request in requests], threads)

    def _kbest(
        self,
        model: _native.WeightedModel,
        options: _native.PhraseDecoderOptions,
        requests: Sequence[Request],
        k: int,
        unique: bool,
        threads: int,
    ) -> list[_native.Kbest]:
        natives = [request.native() for request in requests]
        return _native.search_kbest(model, options, natives, k, unique, threads)

    def _scored_forests(
        self,
        model: _native.WeightedModel,
        options: _native.PhraseDecoderOptions,
        requests: Sequence[Request],
    ) -> list[_native.ScoredForest]:
        return _native.search_scored_forests(model, options, [request.native() for request in requests], 1)

    @cached_property
    def _trained_reordering(self) -> list[OpenReordering]:
        return open_reordering(self.model)

    def _build(self, *, input_feature: bool) -> _native.DecoderModel:
        model, options = self.model, self.options
        if not model.phrase_tables:
            raise InputError("is not a phrase model: it has no phrase table", path=model.directory)
        native = _native.DecoderModel()
        add_tables(native, model, options.table_limit, options.table_breadth)
        add_penalties(native, model)
        add_arc_features(native, options.arc_features, input_feature=input_feature)
        add_language_models(native, model)
        add_reordering(native, model, self._trained_reordering)
        if options.context > 0:
            native.add_context(options.context)
        return native
