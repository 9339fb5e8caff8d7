"""After an epoch: the mean of the shards' weights, and the features that stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tunesmith import _native
from tunesmith.container import is_container
from tunesmith.files import PathLike
from tunesmith.options import check_options, option
from tunesmith.threads import thread_count
from tunesmith.tuning.online.frozen import hold
from tunesmith.types import FloatArray
from tunesmith.weights import WeightStore

__all__ = ["Mixed", "MixingOptions", "mix", "with_largest"]


@dataclass(frozen=True, kw_only=True)
class MixingOptions:
    """How an epoch mixes the weights of its shards, and which sparse features it keeps."""

    mix: Literal["all", "changed"] = option(
        "all",
        help="How the weights of shards are combined: {choices}. all: their mean; changed: the mean over the"
        " shards that changed the feature in this epoch, so that the others do not dilute it.",
    )
    top_k: int = option(
        100_000,
        help="Sparse features kept after each epoch, by the l2 norm of their weights over shards"
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
    averages: FloatArray
    """Means over all steps, of the features of `last` in their order."""
    dropped_by_top_k: int
    dropped_by_shards: int

    @property
    def average(self) -> WeightStore:
        """The means over all steps, in a store of their own."""
        made = WeightStore()
        made.set(self.last.texts, self.averages)
        return made


def mix(
    start: WeightStore | PathLike,
    shards: Iterable[tuple[WeightStore | PathLike, int, int]],
    sentences: int,
    dense: Sequence[str],
    options: MixingOptions,
    threads: int | None = None,
    frozen: Mapping[str, float] | None = None,
) -> Mixed:
    """Return the mean of the weights of shards, (weights, sentences, steps), weighted by sentences.

    Weights are stores, or files, which are read once and never whole in memory. `start` are those that all
    began with, `sentences` the sum over shards. Features named in `dense` always stay, and those in `frozen`,
    which have these weights to the bit, not means that are rounded. Results do not depend on `threads`
    [default: all cores], but on the order of shards. Some 80 bytes of memory per feature of any shard, 110
    with a top k, beside the result; see `optimizers/weight_mixture.h`.
    """
    held = frozen or {}
    parts = [(_source(weights), size / sentences, steps) for weights, size, steps in shards]
    last, averages, by_top, by_shards = _native.mix_weights(
        _source(start),
        parts,
        [*dense, *held],
        options.top_k,
        options.least_shards,
        options.mix == "changed",
        thread_count(threads),
    )
    mixed = Mixed(WeightStore(last), averages, by_top, by_shards)
    hold(mixed.last, held)
    numbers = mixed.last.find(held)
    there = numbers[numbers >= 0]
    mixed.averages[there] = mixed.last.native.weights_of(there.astype(np.uint32))
    return mixed


def with_largest(store: WeightStore, dense: Sequence[str], top_k: int) -> WeightStore:
    """Return the dense features and the `top_k` others with the largest absolute weights, in their order.

    0 keeps all. O(features).
    """
    own = {number for number in store.find(dense).tolist() if number >= 0}
    if not top_k or len(store) <= top_k + len(own):
        return store
    others = [number for number in store.native.top(top_k + len(own)) if number not in own]
    kept = np.array(sorted([*own, *others[:top_k]]), dtype=np.uint32)
    made = WeightStore()
    made.set(store.native.names_of(kept), store.native.weights_of(kept))
    return made


def _source(weights: WeightStore | PathLike) -> _native.WeightStore | str:
    """Return what native code reads: a store, or the path of a mapped file."""
    if not isinstance(weights, WeightStore):
        if is_container(weights):
            return str(weights)
        weights = WeightStore.open(weights)
    return weights.native
