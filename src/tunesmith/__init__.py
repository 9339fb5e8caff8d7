"""Tunesmith trains, tunes and runs feature-rich log-linear translation models."""

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import consensus_rule
from tunesmith.errors import DegenerateError, InputError, OptionError, TunesmithError
from tunesmith.metrics import get_metric
from tunesmith.tuning import LoopResult, Reranker, TuneResult, tune, tune_forests, tune_model
from tunesmith.weights import Weights

__all__ = [
    "DegenerateError",
    "InputError",
    "LoopResult",
    "OptionError",
    "Pool",
    "Reranker",
    "TuneResult",
    "TunesmithError",
    "Weights",
    "consensus_rule",
    "get_metric",
    "rerank",
    "tune",
    "tune_forests",
    "tune_model",
]
