"""Tunesmith trains, tunes and runs feature-rich log-linear translation models."""

from tunesmith.candidates import Pool, rerank
from tunesmith.tune import Reranker, tune
from tunesmith.weights import Weights

__all__ = ["Pool", "Reranker", "Weights", "rerank", "tune"]
