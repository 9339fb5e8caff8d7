"""The optimizer of a recipe that leaves the choice to the user."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from tunesmith.errors import OptionError, suggest
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer

__all__ = ["SmoothOptimizer", "smooth_optimizer"]

SmoothOptimizer = Literal["lbfgs", "sgd", "adagrad"]
NAMES: tuple[SmoothOptimizer, ...] = ("lbfgs", "sgd", "adagrad")


def smooth_optimizer(name: str, *, iterations: int, rate: float, batch: int, seed: int) -> Optimizer[Any]:
    """Build an optimizer for smooth objectives.

    `iterations` are epochs for the stochastic ones; `rate` and `batch` concern only these.
    """
    if name not in NAMES:
        raise OptionError(f"unknown optimizer {name!r} for a smooth objective{suggest(name, NAMES)}")
    settings = {"iterations": iterations, "epochs": iterations, "rate": rate, "batch": batch, "seed": seed}
    kind: Any = OPTIMIZERS[name]
    known = {option.name for option in dataclasses.fields(kind)}
    optimizer: Optimizer[Any] = kind(**{key: value for key, value in settings.items() if key in known})
    return optimizer
