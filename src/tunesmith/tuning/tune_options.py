"""The options of `tune`: all but the data, the method with its own options, and the metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.files import PathLike
from tunesmith.optimizers.space import Range
from tunesmith.options import check_seed, option, require_at_least, require_at_most
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.history import Watcher
from tunesmith.tuning.standardize import Standardized
from tunesmith.types import FloatArray

__all__ = ["LIMITS", "MOST_REPLICAS", "PANEL", "Selected", "TuneOptions", "check_select"]

Selected = Literal["objective", "metric"]
MOST_REPLICAS = 10_000
LIMITS = ("start", "start_zero", "frozen", "bounds", "l1", "l2", "standardize", "interpolate")
PANEL = "Start weights and limits of weights"
"""Title of the part of the help that shows these options."""


@dataclass(frozen=True, kw_only=True)
class TuneOptions:
    """Start weights, constraints on the weights, which weights to select, and where to write."""

    panels: ClassVar[Mapping[str, str | None]] = dict.fromkeys(LIMITS, PANEL)

    seed: int = option(1, help="Random seed; the same seed gives the same result.")
    start: Annotated[Mapping[str, float] | FloatArray | None, Reads()] = option(
        None, help="Start weights [default: all 0].", metavar="<path>"
    )
    frozen: tuple[str, ...] = option(
        (), help="Feature (or pattern) that keeps its start weight; may be repeated.", flag="--freeze"
    )
    bounds: Mapping[str, Range] | None = option(
        None,
        help="Bounds of a feature's (or pattern's) weight; may be repeated.",
        flag="--bound",
        metavar="NAME=LOW:HIGH",
    )
    l1: float = option(0.0, help="Strength of the L1 penalty.")
    l2: float | None = option(None, help="Strength of the L2 penalty [default: the method's].")
    standardize: Standardized | None = option(
        None,
        help="Features that are divided by their standard deviation within lists while learning: {choices}"
        " (dense: those that all candidates have); weights are of the original features [default: mira dense,"
        " other methods none].",
        choices=("all", "dense", "none"),
        off="none",
    )
    replicas: int = option(
        1, help="Number of runs, each with a random stream of its own; reports mean and spread."
    )
    folds: int | None = option(
        None,
        help="Also cross-validate with this many folds: score each with weights tuned on the others.",
    )
    select: Selected = option(
        "objective",
        help="Select the iteration that is best by the method's own `objective` or by the `metric`.",
    )
    history: Annotated[PathLike | None, Writes()] = option(
        None, help="JSONL file, one line per iteration [default: OUTPUT.history.jsonl].", metavar="<path>"
    )
    threads: int | None = option(
        None, help="Number of threads [default: all cores]; results do not depend on it.", matters=False
    )
    held_out: TrainingData | None = None
    """Lists or forests to score the tuned weights on."""
    output: PathLike | None = None
    """File of the tuned weights."""
    watch: Watcher | None = None
    """Called with each history record."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        require_at_least(1, "tune", replicas=self.replicas)
        require_at_most(MOST_REPLICAS, "tune", replicas=self.replicas)
        if self.folds is not None:
            require_at_least(2, "tune", folds=self.folds)
        check_seed(self.seed)
        check_select(self.select)


def check_select(select: str) -> None:
    """Raise OptionError unless weights are selected by `objective` or `metric`."""
    if select not in ("objective", "metric"):
        raise OptionError("{} must be objective or metric, not {found!r}", "select", found=select)
