"""Tuning: the methods, a run of a method, tuning loops with a decoder, and the calls that do it all."""

from typing import TYPE_CHECKING

from tunesmith.lazy import load_on_use

if TYPE_CHECKING:
    from tunesmith.tuning.held_out import HeldOut
    from tunesmith.tuning.loop.result import LoopResult
    from tunesmith.tuning.method import METHODS
    from tunesmith.tuning.model_tuning import tune_model
    from tunesmith.tuning.reranker import Reranker
    from tunesmith.tuning.result import TuneResult
    from tunesmith.tuning.tune_options import TuneOptions
    from tunesmith.tuning.tuning import tune

__getattr__, __dir__ = load_on_use(
    __name__,
    {
        "tunesmith.tuning.held_out": "HeldOut",
        "tunesmith.tuning.loop.result": "LoopResult",
        "tunesmith.tuning.method": "METHODS",
        "tunesmith.tuning.model_tuning": "tune_model",
        "tunesmith.tuning.reranker": "Reranker",
        "tunesmith.tuning.result": "TuneResult",
        "tunesmith.tuning.tune_options": "TuneOptions",
        "tunesmith.tuning.tuning": "tune",
    },
)

__all__ = [
    "METHODS",
    "HeldOut",
    "LoopResult",
    "Reranker",
    "TuneOptions",
    "TuneResult",
    "tune",
    "tune_model",
]
