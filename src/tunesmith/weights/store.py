"""Weights at scale: millions of features by name, changed in place, in a mapped file."""

from __future__ import annotations

import json
import warnings
from collections.abc import ItemsView, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError, NameCollisionWarning
from tunesmith.files import PathLike, check_output
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray
from tunesmith.weights.mapping import Weights
from tunesmith.weights.reading import read_weights

__all__ = ["WeightStore"]

_BLOCK = 1 << 14


class WeightStore(Mapping[str, float]):
    """A mapping from feature names to finite weights, dense and sparse, with what learners keep per feature.

    A record has the weight, the rate (sum of squared updates), the drift (sum over steps t of t times the
    change in t: the average over T steps is weight - drift / T) and the step of the last change. Features are
    in order of insertion. `native` holds all of it: decoders and learners use it without a loop in Python;
    reading one weight or changing one is O(1). Some 100 bytes per feature with a name of 30 bytes.

    `about` is what the file records of how the weights were made (`tunesmith.weights.about`), `path` the file
    that they were read from, if any.
    """

    def __init__(
        self,
        native: _native.WeightStore | None = None,
        *,
        about: Mapping[str, Any] | None = None,
        path: PathLike | None = None,
    ) -> None:
        self.native = _native.WeightStore() if native is None else native
        self.about: dict[str, Any] = dict(about or {})
        self.path = path
        self._reported = 0

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> WeightStore:
        """Return a store with the given weights; the rest of each record is as a new feature's."""
        made = cls(path=getattr(weights, "path", None), about=getattr(weights, "about", None))
        made.set(list(weights), np.fromiter(weights.values(), dtype=np.float64, count=len(weights)))
        return made

    @classmethod
    def open(cls, path: PathLike, *, regular: bool = False) -> WeightStore:
        """Read what `save` wrote, or any other file of weights (see `Weights.read`)."""
        found = read_weights(path, regular=regular)
        if isinstance(found.weights, dict):
            return cls.of(Weights(found.weights, path=path, about=found.about))
        made = cls(found.weights, about=found.about, path=path)
        made.report_collisions()
        return made

    def save(self, path: PathLike, about: Mapping[str, Any] | None = None) -> None:
        """Write the mapped file, atomically; `about` replaces the record of how the weights were made."""
        check_output(path)
        if about is not None:
            self.about = dict(about)
        try:
            noted = json.dumps(self.about, ensure_ascii=False, allow_nan=False) if self.about else ""
        except (TypeError, ValueError) as error:
            raise InputError(f"the record cannot be written as JSON: {error}", path=path) from None
        _native.write_weights(self.native, noted, str(path))

    def set(self, names: Iterable[str], values: npt.ArrayLike) -> None:
        """Set the weights of features, which are added if they are new: one native call.

        A value that is not finite is an InputError; weights before it are set already. Two names that share
        a key, which is improbable, share one weight; a warning names both.
        """
        texts = Texts.of(names)
        self.native.set(texts.blob, texts.offsets, np.ascontiguousarray(values, dtype=np.float64))
        self.report_collisions()

    def add(self, vector: _native.FeatureVector, scale: float = 1.0) -> None:
        """Add `scale` times a vector to the weights."""
        self.native.add(vector, scale)
        self.report_collisions()

    def report_collisions(self) -> None:
        """Warn of pairs of names with equal keys that met since the last call."""
        met = self.native.collisions()
        for kept, other in met[self._reported :]:
            warnings.warn(
                f"the features {kept!r} and {other!r} have the same key and share one weight;"
                " rename one of them to separate them",
                NameCollisionWarning,
                stacklevel=3,
            )
        self._reported = len(met)

    def top(self, count: int) -> list[tuple[str, float]]:
        """Return names and weights of the features with the largest absolute weights, descending."""
        numbers = self.native.top(count)
        return list(zip(self.native.names_of(numbers), self.native.weights_of(numbers).tolist(), strict=True))

    def averages(self, steps: int) -> FloatArray:
        """Return the mean of each weight over the first `steps` steps: weight - drift / steps."""
        return self.native.weights() - self.native.drifts() / steps

    @property
    def texts(self) -> Texts:
        """All names, in order of insertion; a copy."""
        return Texts(*self.native.name_arrays())

    def find(self, names: Iterable[str]) -> IntArray:
        """Return the numbers of features, -1 for those that are absent."""
        texts = Texts.of(names)
        return self.native.find(texts.blob, texts.offsets)

    def __getitem__(self, name: str) -> float:
        value = self.native.weight(name)
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self), _BLOCK):
            yield from self.native.names(begin, begin + _BLOCK)

    def items(self) -> ItemsView[str, float]:
        """Return names and weights, in order of insertion."""
        return _Items(self)

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"WeightStore({len(self)} features, version {self.native.version})"


class _Items(ItemsView[str, float]):
    """Names and weights, fetched in blocks."""

    _mapping: WeightStore

    def __iter__(self) -> Iterator[tuple[str, float]]:
        native = self._mapping.native
        for begin in range(0, len(native), _BLOCK):
            numbers = np.arange(begin, min(begin + _BLOCK, len(native)), dtype=np.uint32)
            names = native.names(begin, begin + _BLOCK)
            yield from zip(names, native.weights_of(numbers).tolist(), strict=True)
