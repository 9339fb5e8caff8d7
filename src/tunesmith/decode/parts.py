"""Adding the features of a model to a native decoder model."""

from __future__ import annotations

from collections.abc import Collection

from tunesmith import _native
from tunesmith.decode.arcs import INPUT_FEATURE
from tunesmith.errors import InputError
from tunesmith.extract.bilingual import JOINER
from tunesmith.model.model import DecoderKind, Model

__all__ = ["add_arc_features", "add_language_models", "add_penalties", "add_tables"]

_ALL: tuple[DecoderKind, ...] = ("phrase", "chart")
_CHART: tuple[DecoderKind, ...] = ("chart",)
_PENALTIES: dict[str, tuple[_native.Penalty | None, tuple[DecoderKind, ...]]] = {
    "WordPenalty": (_native.Penalty.WORD, _ALL),
    "PhrasePenalty": (_native.Penalty.PHRASE, _ALL),
    "UnknownWordPenalty": (_native.Penalty.UNKNOWN_WORD, _ALL),
    "InputFeature": (_native.Penalty.INPUT, _ALL),
    "Distortion": (_native.Penalty.DISTORTION, ("phrase",)),
    "SourceWords": (_native.Penalty.SOURCE_WORD, _CHART),
    "PassThrough": (_native.Penalty.PASS_THROUGH, _CHART),
    "Arity0": (_native.Penalty.ARITY_0, _CHART),
    "Arity1": (_native.Penalty.ARITY_1, _CHART),
    "Arity2": (_native.Penalty.ARITY_2, _CHART),
    "LmUnknown": (None, _CHART),
}
"""Kinds of features without files: the native penalty, and the decoders that have it. LmUnknown is a feature
of a language model, added by `add_language_models`."""


def add_tables(
    native: _native.DecoderModel, model: Model, table_limit: int | None, table_breadth: int
) -> None:
    """Add the phrase tables, each with its own limit unless `table_limit` is given."""
    for number, part in enumerate(model.phrase_tables):
        limit = part.table_limit if table_limit is None else table_limit
        native.add_table(model.phrase_table(number).native, part.name, limit, table_breadth)


def add_penalties(native: _native.DecoderModel, model: Model) -> None:
    """Add the features without files, as the settings define them.

    A kind unknown to the model's decoder is an InputError.
    """
    for name, kind in model.penalties.items():
        penalty, decoders = _PENALTIES.get(kind, (None, ()))
        if model.decoder_kind not in decoders:
            raise InputError(
                f"is not a model that this decoder knows: it has the feature {name!r} of kind {kind!r}",
                path=model.directory,
            )
        if penalty is not None:
            native.add_penalty(penalty, name)
    if model.early_distortion_cost:
        native.set_early_distortion()


def add_arc_features(native: _native.DecoderModel, names: Collection[str], *, input_feature: bool) -> None:
    """Add the features of the arcs of lattices."""
    if input_feature:
        native.add_penalty(_native.Penalty.INPUT, INPUT_FEATURE)
    for name in names:
        native.add_arc_feature(name)


def add_language_models(native: _native.DecoderModel, model: Model) -> None:
    """Add the language models; call it after adding tables and grammars."""
    unknown = [name for name, kind in model.penalties.items() if kind == "LmUnknown"]
    for number, language in enumerate(model.language_models):
        lm = model.language_model(number).native
        if language.tokens == "bilingual":
            native.add_bilingual_lm(lm, language.name, JOINER)
        else:
            native.add_lm(lm, language.name)
        if f"{language.name}_OOV" in unknown:
            native.add_lm_unknown(lm, f"{language.name}_OOV")
