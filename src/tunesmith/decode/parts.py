"""The features of a model, as native decoders take them."""

from __future__ import annotations

from collections.abc import Collection

from tunesmith import _native
from tunesmith.decode.arcs import INPUT_FEATURE
from tunesmith.errors import InputError
from tunesmith.extract.bilingual import JOINER
from tunesmith.model.model import Model

__all__ = ["add_arc_features", "add_language_models", "add_penalties", "add_tables"]

_PENALTIES = {
    "WordPenalty": _native.Penalty.WORD,
    "PhrasePenalty": _native.Penalty.PHRASE,
    "UnknownWordPenalty": _native.Penalty.UNKNOWN_WORD,
    "Distortion": _native.Penalty.DISTORTION,
    "InputFeature": _native.Penalty.INPUT,
    "SourceWords": _native.Penalty.SOURCE_WORD,
    "PassThrough": _native.Penalty.PASS_THROUGH,
    "Arity0": _native.Penalty.ARITY_0,
    "Arity1": _native.Penalty.ARITY_1,
    "Arity2": _native.Penalty.ARITY_2,
}


def add_tables(native: _native.DecoderModel, model: Model, table_limit: int | None) -> None:
    """Add the phrase tables, each with its own limit unless another is given."""
    for number, part in enumerate(model.phrase_tables):
        limit = part.table_limit if table_limit is None else table_limit
        native.add_table(model.phrase_table(number).native, part.name, limit)


def add_penalties(native: _native.DecoderModel, model: Model, known: Collection[str]) -> None:
    """Add the features without files; one of a kind that is not `known` to the decoder is an InputError."""
    for name, kind in model.penalties.items():
        if kind not in known:
            raise InputError(
                f"is not a model that this decoder knows: it has the feature {name!r} of kind {kind!r}",
                path=model.directory,
            )
        if kind in _PENALTIES:
            native.add_penalty(_PENALTIES[kind], name)


def add_arc_features(native: _native.DecoderModel, names: Collection[str], *, input_feature: bool) -> None:
    """Add the features of the arcs of lattices."""
    if input_feature:
        native.add_penalty(_native.Penalty.INPUT, INPUT_FEATURE)
    for name in names:
        native.add_arc_feature(name)


def add_language_models(native: _native.DecoderModel, model: Model) -> None:
    """Add the language models; tables and grammars must be there already."""
    unknown = [name for name, kind in model.penalties.items() if kind == "LmUnknown"]
    for number, language in enumerate(model.language_models):
        lm = model.language_model(number).native
        if language.tokens == "bilingual":
            native.add_bilingual_lm(lm, language.name, JOINER)
        else:
            native.add_lm(lm, language.name)
        if f"{language.name}_OOV" in unknown:
            native.add_lm_unknown(lm, f"{language.name}_OOV")
