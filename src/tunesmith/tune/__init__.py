"""Tuning: recipes, the journal of a run, and the calls that do it all."""

from tunesmith.tune.forest_recipe import FOREST_RECIPES
from tunesmith.tune.forest_tuning import tune_forests
from tunesmith.tune.loop.result import LoopResult
from tunesmith.tune.model_tuning import tune_model
from tunesmith.tune.recipe import RECIPES
from tunesmith.tune.reranker import Reranker
from tunesmith.tune.result import TuneResult
from tunesmith.tune.translators import (
    CommandTranslator,
    MiraProtocolTranslator,
    ModelTranslator,
    Translator,
)
from tunesmith.tune.tuning import tune

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
