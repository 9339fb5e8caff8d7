"""The options of `tune`: all but the data, the method with its own options, and the metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.optimizers.space import Range
from tunesmith.options import check_seed
from tunesmith.tuning.history import Watcher
from tunesmith.types import FloatArray

__all__ = ["TuneOptions"]


@dataclass(frozen=True, kw_only=True)
class TuneOptions:
    """Where to start, which weights may change and how far, what to choose and where to write."""

    seed: int = field(default=1, metadata={"help": "The same seed gives the same result."})
    start: Mapping[str, float] | FloatArray | None = field(
        default=None, metadata={"help": "Start weights [0]."}
    )
    bounds: Mapping[str, Range] | None = field(
        default=None, metadata={"help": "Range of a feature (or pattern): NAME=LOW:HIGH."}
    )
    frozen: tuple[str, ...] = field(
        default=(), metadata={"help": "Feature (or pattern) that keeps its start weight."}
    )
    l1: float = field(default=0.0, metadata={"help": "Strength of the L1 penalty."})
    l2: float | None = field(
        default=None, metadata={"help": "Strength of the L2 penalty [the method's default]."}
    )
    replicas: int = field(
        default=1, metadata={"help": "Number of runs, from consecutive seeds; reports mean and spread."}
    )
    select: Literal["objective", "metric"] = field(
        default="objective",
        metadata={"help": "Choose the weights that are best by the method's `objective` or by the `metric`."},
    )
    history: PathLike | None = field(
        default=None, metadata={"help": "JSONL file, one line per iteration [OUTPUT.history.jsonl]."}
    )
    output: PathLike | None = field(default=None, metadata={"help": "Where to write the weights."})
    threads: int | None = field(
        default=None, metadata={"help": "Threads [all cores]; results do not depend on them."}
    )
    watch: Watcher | None = None
    """Called with each history record; Python only, as it has no help text."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if self.replicas < 1:
            raise OptionError(f"replicas must be at least 1, not {self.replicas}")
        check_seed(self.seed)
        check_seed(self.seed + self.replicas - 1)
        if self.select not in ("objective", "metric"):
            raise OptionError(f"select must be objective or metric, not {self.select!r}")
