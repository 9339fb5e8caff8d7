"""Tuning: recipes, the journal of a run, and the one call that does it all."""

from tunesmith.tune.recipe import RECIPES
from tunesmith.tune.reranker import Reranker
from tunesmith.tune.result import TuneResult
from tunesmith.tune.tuning import tune

__all__ = ["RECIPES", "Reranker", "TuneResult", "tune"]
