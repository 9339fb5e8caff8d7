"""Tuning: recipes, the journal of a run, and the calls that do it all."""

from typing import TYPE_CHECKING

from tunesmith.lazy import load_on_use

if TYPE_CHECKING:
    from tunesmith.tuning.forest_recipe import FOREST_RECIPES
    from tunesmith.tuning.forest_tuning import tune_forests
    from tunesmith.tuning.loop.result import LoopResult
    from tunesmith.tuning.model_tuning import tune_model
    from tunesmith.tuning.recipe import RECIPES
    from tunesmith.tuning.reranker import Reranker
    from tunesmith.tuning.result import TuneResult
    from tunesmith.tuning.translators import (
        CommandTranslator,
        MiraProtocolTranslator,
        ModelTranslator,
        Translator,
    )
    from tunesmith.tuning.tuning import tune

__getattr__, __dir__ = load_on_use(
    __name__,
    {
        "tunesmith.tuning.forest_recipe": "FOREST_RECIPES",
        "tunesmith.tuning.forest_tuning": "tune_forests",
        "tunesmith.tuning.loop.result": "LoopResult",
        "tunesmith.tuning.model_tuning": "tune_model",
        "tunesmith.tuning.recipe": "RECIPES",
        "tunesmith.tuning.reranker": "Reranker",
        "tunesmith.tuning.result": "TuneResult",
        "tunesmith.tuning.translators": "CommandTranslator MiraProtocolTranslator ModelTranslator Translator",
        "tunesmith.tuning.tuning": "tune",
    },
)

__all__ = [
    "FOREST_RECIPES",
    "RECIPES",
    "CommandTranslator",
    "LoopResult",
    "MiraProtocolTranslator",
    "ModelTranslator",
    "Reranker",
    "Translator",
    "TuneResult",
    "tune",
    "tune_forests",
    "tune_model",
]
