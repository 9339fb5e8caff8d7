"""The optimizer of a method with a smooth objective, and the options that such methods share."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias

from tunesmith.errors import OptionError, suggest
from tunesmith.objectives.base import SmoothObjective, StochasticObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.method import Method

__all__ = ["SmoothOptimizer", "check_smooth_options", "smooth_optimizer", "smooth_optimizers"]

SmoothOptimizer: TypeAlias = str
"""The name of an optimizer that takes any smooth objective."""


def smooth_optimizers() -> list[str]:
    """Return the names of all registered optimizers that need no more than a gradient."""
    enough = (SmoothObjective, StochasticObjective)
    return [name for name, optimizer in OPTIMIZERS.items() if optimizer.takes() in enough]


def check_smooth_options(method: Method) -> None:
    """Check the options of optimizers and annealing that the method has."""
    options = vars(method)
    counts = {
        name: options[name] for name in ("optimizer_iterations", "temperatures", "batch") if name in options
    }
    require_at_least(1, method.name, **counts)
    require_positive(method.name, **{name: options[name] for name in ("rate", "gamma") if name in options})
    if not options.get("cooling", 2.0) > 1:
        wrong = {"owner": method.name, "value": options["cooling"]}
        raise OptionError("{owner}: {} must be above 1, not {value}", "cooling", **wrong)
    name, known = options.get("optimizer", "lbfgs"), smooth_optimizers()
    if name not in known:
        wrong = {"owner": method.name, "value": name, "hint": suggest(name, known)}
        raise OptionError("{owner}: {} cannot be {value!r}{hint}", "optimizer", **wrong)


def smooth_optimizer(method: Method, seed: int) -> Optimizer[Any]:
    """Build the optimizer of a method's options, L-BFGS by default.

    `optimizer_iterations` are epochs of the stochastic ones; only these have a `batch`.
    """
    options = {"optimizer": "lbfgs", **vars(method), "seed": seed}
    options["iterations"] = options["epochs"] = options["optimizer_iterations"]
    if "average_steps" in options:
        options["average"] = options["average_steps"]
    kind: Any = OPTIMIZERS[options["optimizer"]]
    own = {"iterations", "epochs", "rate", "batch", "average", "seed"}
    own &= options.keys() & {option.name for option in dataclasses.fields(kind)}
    optimizer: Optimizer[Any] = kind(**{name: options[name] for name in own})
    return optimizer
