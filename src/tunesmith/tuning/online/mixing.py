"""After an iteration: the mean of the shards' weights, and the features that stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tunesmith import _native
from tunesmith.options import check_options, option
from tunesmith.weights import WeightStore

__all__ = ["Mixed", "MixingOptions", "mix"]


@dataclass(frozen=True, kw_only=True)
class MixingOptions:
    """How an iteration mixes the weights of its shards, and which sparse features it keeps."""

    mix: Literal["all", "changed"] = option(
        "all",
        help="How weights of shards become one: {choices}. all: their mean; changed: the mean over the shards"
        " that changed the feature in this iteration, so that the others do not dilute it.",
    )
    top_k: int = option(
        100_000,
        help="Sparse features kept after each iteration, by the l2 norm of their weights over shards"
        " (Simianer et al. 2012); 0: all.",
        least=0,
    )
    least_shards: int = option(
        1, help="Drop new sparse features that fewer shards than this have changed.", least=1
    )

    def __post_init__(self) -> None:
        check_options(self, "online")


@dataclass(frozen=True, eq=False)
class Mixed:
    """Mean weights after the last step, and over all steps; numbers of features that were left out."""

    last: WeightStore
    average: WeightStore
    dropped_by_top_k: int
    dropped_by_shards: int


def mix(
    start: WeightStore,
    shards: Iterable[tuple[WeightStore, int, int]],
    sentences: int,
    dense: Sequence[str],
    options: MixingOptions,
) -> Mixed:
    """Return the mean of the weights of shards, (weights, sentences, steps), weighted by sentences.

    `start` are the weights that all began with, `sentences` the sum over shards. Features named in `dense`
    always stay. One shard is in memory at a time. See `WeightMixture`.
    """
    mixture = _native.WeightMixture(start.native)
    for store, size, steps in shards:
        mixture.add(store.native, size / sentences, steps)
    last, average, by_top, by_shards = mixture.mixed(
        list(dense), options.top_k, options.least_shards, options.mix == "changed"
    )
    return Mixed(WeightStore(last), WeightStore(average), by_top, by_shards)
