"""Features that online steps leave alone: those of patterns, and all dense ones if asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from tunesmith import _native
from tunesmith.errors import OptionError, suggest

if TYPE_CHECKING:
    from tunesmith.tuning.online.learner import LearnerOptions

__all__ = ["Frozen", "check_frozen"]


class Frozen:
    """Which features are frozen; true if there may be any. Patterns also match features that first occur
    later."""

    def __init__(self, patterns: Sequence[str], dense: Collection[str] = ()) -> None:
        self._patterns = tuple(patterns)
        self._dense = frozenset(dense)
        self._known: dict[str, bool] = {}

    @classmethod
    def of(cls, options: LearnerOptions, dense: Sequence[str]) -> Frozen:
        """Return those of the options, beside a decoder with these dense features."""
        return cls(options.frozen, dense if options.freeze_dense else ())

    def __bool__(self) -> bool:
        return bool(self._patterns or self._dense)

    def __contains__(self, name: str) -> bool:
        found = self._known.get(name)
        if found is None:
            found = name in self._dense or any(_matches(pattern, name) for pattern in self._patterns)
            self._known[name] = found
        return found

    def among(self, names: Iterable[str]) -> list[str]:
        """Return the frozen ones of some features, in their order."""
        return [name for name in names if name in self] if self else []

    def without(self, vector: _native.FeatureVector) -> _native.FeatureVector:
        """Return a vector without the frozen features."""
        names = vector.names()
        free = np.fromiter((name not in self for name in names), dtype=bool, count=len(names))
        if free.all():
            return vector
        kept = [name for name, stays in zip(names, free.tolist(), strict=True) if stays]
        return _native.FeatureVector.of(kept, vector.values[free])


def check_frozen(
    options: LearnerOptions, names: Collection[str], dense: Sequence[str], *, complete: bool
) -> None:
    """Raise OptionError if a pattern matches none of the features that are known before learning: those of
    the start weights, `names`, and dense ones. If these are all that there can be, as `complete` says, some
    must be free."""
    known = dict.fromkeys((*names, *dense))
    for pattern in options.frozen:
        if not any(_matches(pattern, name) for name in known):
            raise OptionError(
                "{}: no feature with a start weight and no dense one matches {pattern!r}{hint}",
                "frozen",
                pattern=pattern,
                hint=suggest(pattern, dense or known),
            )
    frozen = Frozen.of(options, dense)
    if complete and frozen and all(name in frozen for name in known):
        raise OptionError("all features are frozen: nothing is left to learn; add a template, or freeze less")


def _matches(pattern: str, name: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)
