"""Options of writing lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tunesmith.errors import OptionError
from tunesmith.options import check_options, check_seed, determinants, option

__all__ = ["ListOptions"]

MOST_CANDIDATES = 10_000


@dataclass(frozen=True)
class ListOptions:
    """Which sentences are translated, by which systems, and how long their lists are."""

    nbest: int = option(100, help="Different translations per list.", least=2, most=MOST_CANDIDATES)
    pairs: int | None = option(
        None, help="Number of sentence pairs, drawn at random [default: all].", least=1
    )
    max_length: int | None = option(
        None, help="Longest sentence to translate, in words of either side [default: no limit].", least=1
    )
    jackknife: bool = option(
        True,
        help="Translate each sentence of the model's training text without the fold that it is in.",
        flag="--jackknife/--no-jackknife",
    )
    dense: bool = option(
        False,
        help="Store the values of the decoder's dense features, too, for `xbleu train --joint`: some 35 bytes"
        " more per candidate.",
        flag="--dense",
        matters=False,
    )
    seed: int = option(1, help="Random seed; the same seed gives the same result.")
    restart: bool = option(
        False, help="Delete the lists in the folder and start anew.", flag="--restart", matters=False
    )
    retrain: tuple[str, ...] = option(
        (),
        help="Attached reordering model that is to be trained further, by its name, such as SparseHRMLocal:"
        " it takes part in the search, but its scores are left out of those of the candidates.",
        matters=False,  # a store records it where it is used
    )

    def __post_init__(self) -> None:
        check_options(self, "lists")
        check_seed(self.seed)
        if self.dense and self.retrain:
            raise OptionError(
                "{owner}: {} is for a training of the decoder's weights, on the lists of one round; leave out"
                " {}",
                "dense",
                "retrain",
                owner="lists",
            )

    def settings(self) -> dict[str, Any]:
        """Return the options that the lists depend on; `dense` only if they have such values."""
        return determinants(self) | ({"dense": True} if self.dense else {})
