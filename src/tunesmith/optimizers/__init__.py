"""Optimizers: algorithms that minimize an objective over a space of weights."""

from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space

__all__ = ["OPTIMIZERS", "Optimizer", "Space", "State", "Trace"]
