"""Features that online steps leave alone: those of patterns, and all dense ones if asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from tunesmith import _native
from tunesmith.errors import OptionError, suggest
from tunesmith.weights import WeightStore
from tunesmith.weights.name_patterns import name_matcher

if TYPE_CHECKING:
    from tunesmith.systems.setup import Setup
    from tunesmith.tuning.online.learner import LearnerOptions

__all__ = ["Frozen", "check_frozen", "hold"]


class Frozen:
    """Which features are frozen; true if there may be any. Patterns also match features that first occur
    later."""

    def __init__(self, patterns: Sequence[str], dense: Sequence[str] = ()) -> None:
        self._patterns = tuple(patterns)
        self._dense = dict.fromkeys(dense)
        self._matches = name_matcher(patterns)

    @classmethod
    def of(cls, options: LearnerOptions, dense: Sequence[str]) -> Frozen:
        """Return those of the options, in a run with these dense features."""
        return cls(options.frozen, dense if options.freeze_dense else ())

    def __bool__(self) -> bool:
        return bool(self._patterns or self._dense)

    def __contains__(self, name: str) -> bool:
        return name in self._dense or self._matches(name)

    def weights_of(self, store: WeightStore) -> dict[str, float]:
        """Return the weights that the frozen features have in a store, by name. O(features) with patterns."""
        if not self._patterns:
            return {name: store[name] for name in self._dense if name in store}
        return {name: weight for name, weight in store.items() if name in self}

    def without(self, vector: _native.FeatureVector) -> _native.FeatureVector:
        """Return a vector without the frozen features."""
        names = vector.names()
        free = np.fromiter((name not in self for name in names), dtype=bool, count=len(names))
        if free.all():
            return vector
        kept = [name for name, stays in zip(names, free.tolist(), strict=True) if stays]
        return _native.FeatureVector.of(kept, vector.values[free])


def hold(store: WeightStore, weights: Mapping[str, float]) -> None:
    """Set weights of frozen features of a store, of those that it has, as if no step had touched them."""
    if weights:
        _native.restore_weights(store.native, WeightStore.of(weights).native, list(weights))


def check_frozen(options: LearnerOptions, setup: Setup, start: Collection[str]) -> None:
    """Raise OptionError if a pattern matches none of the features that are known before learning: those with
    `start` weights, and those of the system. If these are all that there can be, some must be free."""
    if not (options.frozen or options.freeze_dense):
        return
    system = setup.system
    own = system.known
    for pattern in options.frozen:
        if not any(map(name_matcher([pattern]), chain(own, start))):
            raise OptionError(
                "{}: no feature with a start weight and no other of the decoder matches {pattern!r}{hint}",
                "frozen",
                pattern=pattern,
                hint=suggest(pattern, own or start),
            )
    frozen = Frozen.of(options, system.dense if options.freeze_dense else ())
    complete = system.knows_features and not system.templates
    if complete and all(name in frozen for name in chain(own, start)):
        raise OptionError("all features are frozen: nothing is left to learn; add a template, or freeze less")
