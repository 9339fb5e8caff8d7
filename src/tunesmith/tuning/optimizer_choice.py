"""The optimizer of a recipe that leaves the choice to the user."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias

from tunesmith.errors import OptionError, suggest
from tunesmith.objectives.base import SmoothObjective, StochasticObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer

__all__ = ["SmoothOptimizer", "check_smooth_optimizer", "smooth_optimizer", "smooth_optimizers"]

SmoothOptimizer: TypeAlias = str
"""The name of an optimizer that any smooth objective will do for."""


def smooth_optimizers() -> list[str]:
    """Return the names of all registered optimizers that need no more than a gradient."""
    enough = (SmoothObjective, StochasticObjective)
    return [name for name, optimizer in OPTIMIZERS.items() if optimizer.takes() in enough]


def check_smooth_optimizer(method: str, name: str) -> None:
    """Raise OptionError unless there is such an optimizer for smooth objectives."""
    known = smooth_optimizers()
    if name not in known:
        raise OptionError(f"{method}: optimizer cannot be {name!r}{suggest(name, known)}")


def smooth_optimizer(name: str, *, iterations: int, rate: float, batch: int, seed: int) -> Optimizer[Any]:
    """Build an optimizer for smooth objectives.

    `iterations` are epochs for the stochastic ones; `rate` and `batch` concern only these.
    """
    check_smooth_optimizer("a smooth objective", name)
    settings = {"iterations": iterations, "epochs": iterations, "rate": rate, "batch": batch, "seed": seed}
    kind: Any = OPTIMIZERS[name]
    own = {option.name for option in dataclasses.fields(kind)}
    optimizer: Optimizer[Any] = kind(**{key: value for key, value in settings.items() if key in own})
    return optimizer
