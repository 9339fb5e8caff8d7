"""The names of words and features, converted once for all forests that share them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, suggest
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["Names"]


SHOWN = 5
"""Maximum number of features that an error names."""


class _Known(NamedTuple):
    """Cache of the last weights."""

    weights: Mapping[str, float]
    missing: float | None
    array: FloatArray

    def serves(self, weights: Mapping[str, float], missing: float | None) -> bool:
        if missing != self.missing:
            return False
        # Weights cannot change, and are kept; of what can, a copy is. Only dictionaries compare fast.
        both = isinstance(weights, dict) and isinstance(self.weights, dict)
        return weights is self.weights or (both and weights == self.weights)


class Names:
    """Names that the forests of a file, or forests derived from one another, share.

    Use `Names.of`: forests with the same native names get the same object.
    """

    _alive: ClassVar[WeakValueDictionary[_native.ForestNames, Names]] = WeakValueDictionary()

    def __init__(self, native: _native.ForestNames) -> None:
        self._native = native
        self._known: _Known | None = None

    @classmethod
    def of(cls, native: _native.ForestNames) -> Names:
        """Return the one object for these names."""
        # While its object lives, names have one Python object too, which compares by identity.
        known = cls._alive.get(native)
        return cls._alive.setdefault(native, cls(native)) if known is None else known

    @cached_property
    def words(self) -> Texts:
        """The words by number, on the memory of the native names."""
        return Texts(*self._native.words)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features by column."""
        return tuple(Texts(*self._native.features))

    def weights(self, weights: Mapping[str, float], missing: float | None) -> FloatArray:
        """Return the weight of each column, read-only. O(columns); the last result is cached.

        Asking again costs nothing for the same `Weights`, and a comparison for dictionaries.
        """
        known = self._known
        if known is None or not known.serves(weights, missing):
            kept = weights if isinstance(weights, Weights) else dict(weights)
            known = self._known = _Known(kept, missing, seal(self._looked_up(kept, missing)))
        return known.array

    def _looked_up(self, weights: Mapping[str, float], missing: float | None) -> FloatArray:
        count = len(self.features)
        if missing is not None:
            return np.fromiter((weights.get(name, missing) for name in self.features), np.float64, count)
        try:
            return np.fromiter(map(weights.__getitem__, self.features), np.float64, count)
        except KeyError:
            pass
        unweighted = [name for name in self.features if name not in weights]
        raise InputError(
            "{which}{hint}; add weights, or give {} (0 leaves features without a weight out of scores)",
            "missing",
            which=_without_weight(unweighted, count),
            hint=suggest(unweighted[0], weights),
        )


def _without_weight(unweighted: list[str], count: int) -> str:
    if len(unweighted) == 1:
        return f"the feature {unweighted[0]!r} has no weight"
    more = f" and {len(unweighted) - SHOWN} more" if len(unweighted) > SHOWN else ""
    named = ", ".join(map(repr, unweighted[:SHOWN]))
    return f"{len(unweighted)} of {count} features of the forest have no weight: {named}{more}"
