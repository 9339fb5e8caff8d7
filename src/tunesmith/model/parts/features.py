"""The step that lists the model's parts, and gives their features weights to start tuning from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.model.model import (
    FEATURES_FILE,
    START_FILE,
    LanguageModelPart,
    Model,
    PhrasePart,
    ReorderingPart,
    RulePart,
)
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import BILINGUAL_LM, LM, PHRASES, RULES, SUFFIX, class_lm, target_classes
from tunesmith.model.steps import Step, Workshop
from tunesmith.weights import Weights

__all__ = ["list_chart_features", "list_phrase_features"]

TABLE_LIMIT = 20
DISTORTION_LIMIT = 6

_WORDS = {"UnknownWordPenalty0": 1.0, "WordPenalty0": -1.0, "PhrasePenalty0": 0.2}
_SCORES = {f"TranslationModel0_{number}": 0.2 for number in range(4)}
_RULES = {
    "EgivenFCoherent": -0.1,
    "FgivenE": -0.1,
    "MaxLexEgivenF": -0.1,
    "MaxLexFgivenE": -0.1,
    "SampleCountF": -0.1,
    "CountEF": 0.1,
    "IsSingletonF": -0.01,
    "IsSingletonFE": -0.01,
    "LanguageModel": 0.1,
    "LanguageModel_OOV": -1.0,
    "WordPenalty": -0.1,
    "SourceWordPenalty": 0.0,
    "Glue": 0.01,
    "PassThrough": -0.1,
    "Arity_0": 0.0,
    "Arity_1": 0.0,
    "Arity_2": 0.0,
    "RuleCount": 0.0,
}


def list_phrase_features(
    options: TrainingOptions, reordering: Sequence[str], moves: dict[str, float]
) -> Step:
    """Return the step for models of phrase pairs; names and values are those of Moses before tuning.

    `moves` are the features of reordering without a table, such as distortion, and their weights.
    """
    weights = {**_WORDS, **_SCORES, **moves, **_lm_weights(options)}
    parts, column = [], 0
    for number, name in enumerate(reordering):
        width = len(ReorderingSpec.parse(name).columns)
        parts.append(ReorderingPart(f"LexicalReordering{number}", name, (column, column + width)))
        weights |= {f"LexicalReordering{number}_{index}": 0.3 for index in range(width)}
        column += width
    penalties = (*_WORDS, *moves)

    def run(shop: Workshop) -> None:
        Model(
            shop.directory,
            (PhrasePart("TranslationModel0", PHRASES, len(_SCORES), TABLE_LIMIT),),
            tuple(parts),
            _language_models(options),
            {name: name.rstrip("0") for name in penalties},
            {"distortion_limit": DISTORTION_LIMIT} if "Distortion0" in moves else {},
            Weights(weights),
            text=_text(options),
        ).write()

    return _step(run, options, {"reordering": list(reordering), "weights": weights})


def list_chart_features(options: TrainingOptions) -> Step:
    """Return the step for models of rules; names are those of cdec's grammars and decoder."""
    on_demand = options.grammar == "on-demand"

    def run(shop: Workshop) -> None:
        Model(
            shop.directory,
            (),
            (),
            (LanguageModelPart("LanguageModel", options.lm_order, None, LM),),
            {},
            {},
            Weights(_RULES),
            (RulePart("Rules", SUFFIX if on_demand else RULES, on_demand),),
            _text(options),
        ).write()

    return _step(run, options, {"grammar": options.grammar, "weights": _RULES})


def _step(run: Callable[[Workshop], None], options: TrainingOptions, wanted: dict[str, object]) -> Step:
    orders = [options.lm_order, options.bilingual_lm_order]
    if options.class_lm_order:
        orders += [options.class_lm_order, *options.classes]
    wanted |= {"text": _text(options), "orders": orders}
    return Step("features", (FEATURES_FILE, START_FILE), run, options=wanted)


def _language_models(options: TrainingOptions) -> tuple[LanguageModelPart, ...]:
    models = [LanguageModelPart("LM0", options.lm_order, None, LM)]
    if options.bilingual_lm_order:
        order = options.bilingual_lm_order
        models.append(LanguageModelPart("BilingualLM0", order, None, BILINGUAL_LM, "bilingual"))
    order = options.class_lm_order
    for number, count in enumerate(options.classes if order else ()):
        name, classes = f"ClassLM{number}", target_classes(count)
        models.append(LanguageModelPart(name, order, None, class_lm(count), classes=classes))
    return tuple(models)


def _lm_weights(options: TrainingOptions) -> dict[str, float]:
    weights = {"LM0": 0.5} | ({"BilingualLM0": 0.1} if options.bilingual_lm_order else {})
    classes = len(options.classes) if options.class_lm_order else 0
    return weights | {f"ClassLM{number}": 0.1 for number in range(classes)}


def _text(options: TrainingOptions) -> dict[str, str | None]:
    return {
        "source_language": options.source_language,
        "target_language": options.target_language,
        "tokenize": options.tokenize,
        "case": options.case,
    }
