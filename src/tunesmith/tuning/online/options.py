"""The options of an online run: all but decoder, data, metric, the update with its own, and the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tunesmith.file_roles import Reads
from tunesmith.files import PathLike
from tunesmith.options import check_options, check_seed, option, require_positive

__all__ = ["ScheduleOptions"]


@dataclass(frozen=True, kw_only=True)
class ScheduleOptions:
    """Shards and epochs, and which weights are the result."""

    shards: int = option(20, help="Number of shards learned in parallel. The result depends on it.", least=1)
    epochs: int = option(10, help="Number of passes over the tuning set.", least=1)
    seed: int = option(1, help="Random seed; the same seed gives the same result.")
    average: Literal["none", "epochs", "steps"] = option(
        "none",
        help="Weights to write after an epoch: its own (`none`), or the mean of the weights after all"
        " `epochs` so far, or after all their `steps`.",
    )
    patience: int | None = option(
        None, help="Stop after this many epochs without a better score of the select set.", least=1
    )
    score_tuning: bool | None = option(
        None,
        help="Translate the tuning set once more after each epoch, to score its weights"
        " [default: unless there is a select set].",
        matters=False,
    )
    start: Annotated[PathLike | None, Reads()] = option(
        None,
        help="Start weights [default: the model's]; the file of an online run continues its learning.",
        metavar="<path>",
    )
    start_scale: float | None = option(
        None,
        help="Factor of the start weights [default: such that model scores of the --nbest candidates vary as"
        " much as their gains; 1 for the file of an online run, and for external decoders].",
        metavar="<factor>",
    )
    restart: bool = option(
        False, help="Delete the run in the folder and start anew.", flag="--restart", matters=False
    )
    threads: int | None = option(
        None, help="Number of worker processes [default: all cores]; no result depends on it.", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "online")
        check_seed(self.seed)
        if self.start_scale is not None:
            require_positive("online", start_scale=self.start_scale)
