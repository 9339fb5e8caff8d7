"""Optimizers: how a learner steps."""

from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space

__all__ = ["OPTIMIZERS", "Optimizer", "Space", "State", "Trace"]
