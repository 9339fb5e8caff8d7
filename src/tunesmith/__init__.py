"""Tunesmith trains, tunes and runs feature-rich log-linear translation models.

Here `tune` is the call. What lies in the package of that name is imported from there, as in
`from tunesmith.tune.loop import stopping`; `import tunesmith.tune.loop.stopping as x` finds the call.
"""

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import consensus_rule
from tunesmith.errors import DegenerateError, InputError, OptionError, TunesmithError
from tunesmith.metrics import get_metric
from tunesmith.tune import LoopResult, Reranker, TuneResult, tune, tune_forests, tune_model
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
