"""The options of `tune_model`: all but decoder, data, metric, and the method with its own options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads
from tunesmith.files import PathLike
from tunesmith.optimizers.space import Range
from tunesmith.options import check_seed, option, require_at_least, same_option
from tunesmith.tuning.standardize import Standardized
from tunesmith.tuning.tune_options import LIMITS, PANEL, Selected, TuneOptions, check_select

__all__ = ["LoopOptions"]


@dataclass(frozen=True, kw_only=True)
class LoopOptions:
    """Size and end of a tuning loop, start weights, constraints on the weights, and which to select."""

    panels: ClassVar[Mapping[str, str | None]] = dict.fromkeys(LIMITS, PANEL)

    iterations: int = option(20, help="Maximum number of iterations: rounds of decoding and learning.")
    nbest: int | None = option(
        None, help="Number of candidates per list [default: 100]; not for methods that learn from forests."
    )
    seed: int = same_option(TuneOptions, "seed")
    start: Annotated[Mapping[str, float] | PathLike | None, Reads()] = option(
        None, help="Start weights [default: the model's].", metavar="<path>"
    )
    start_zero: bool = option(False, help="Start with all weights 0.", flag="--start-zero")
    frozen: tuple[str, ...] = same_option(TuneOptions, "frozen")
    bounds: Mapping[str, Range] | None = same_option(TuneOptions, "bounds")
    l1: float = same_option(TuneOptions, "l1")
    l2: float | None = same_option(TuneOptions, "l2")
    standardize: Standardized | None = option(
        None,
        help="Features that are divided by their standard deviation within all lists so far while learning:"
        " {choices} (dense: those that all candidates have; mean, with mira and no penalty: the mean of the"
        " weights that are learned by dense and by none); weights are of the original features [default: mira"
        " dense, other methods none].",
        choices=("all", "dense", "none", "mean"),
        off="none",
    )
    interpolate: float = option(
        1.0, help="Share of the new weights in the interpolation with those of the previous iteration."
    )
    select: Selected | None = option(
        None,
        help="`objective`: the last weights; `metric`: those whose translations score best"
        " [default: mert and forest-mert metric, other methods objective].",
    )
    patience: int | None = option(
        None, help="Stop after this many iterations without a better score [default: never]."
    )
    tolerance: float = option(
        1e-5, help="Stop when no weight changes by more than this (weights L1-normalized)."
    )
    least_improvement: float | None = option(
        None,
        help="Stop when an iteration improves the method's objective by no more than this share of it"
        " [default: the method's, 0 for most].",
    )
    forest_density: float | None = option(
        None,
        help="Methods that merge the forests of all iterations: edges per word that each forest is pruned to;"
        " 0 keeps all [default: the method's: forest-mert 200, others 50].",
    )
    restart: bool = option(False, help="Delete the run in the folder and start anew.", flag="--restart")
    threads: int | None = same_option(TuneOptions, "threads")

    def __post_init__(self) -> None:
        """Check what can be checked without data and method."""
        check_seed(self.seed)
        if self.select is not None:
            check_select(self.select)
        if self.nbest is not None:
            require_at_least(2, "loop", nbest=self.nbest)
        if not 0 < self.interpolate <= 1:
            share = self.interpolate
            raise OptionError("{} must be above 0 and at most 1, not {share}", "interpolate", share=share)
        if self.forest_density is not None and not 0 <= self.forest_density < float("inf"):
            found = self.forest_density
            raise OptionError("{} must be a number of at least 0, not {found}", "forest_density", found=found)
        if self.start_zero and self.start is not None:
            raise OptionError("{} and {} exclude each other: give one of them", "start", "start_zero")
