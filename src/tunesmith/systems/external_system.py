"""Base of all external decoders: checks their lists, and caches the newest."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError, nearest
from tunesmith.files import PathLike
from tunesmith.systems.base import System
from tunesmith.systems.lists import dense_names, distinct
from tunesmith.weights import Weights

__all__ = ["ExternalSystem", "check_source"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


class ExternalSystem(System):
    """An external decoder. The newest lists are cached: best translations need no other run."""

    knows_features: ClassVar[bool] = False

    def __init__(self, start: Weights, source: PathLike, sentences: int) -> None:
        if not sentences:
            raise InputError("there are no sentences to translate", path=source)
        self._start = Weights(start)
        self._length = sentences
        self._newest: tuple[Mapping[str, float], Sequence[int], int, Pool] | None = None

    def __len__(self) -> int:
        return self._length

    @property
    def start(self) -> Weights:
        return self._start

    @abstractmethod
    def _run(self, size: int) -> Pool:
        """Run the decoder on the sentences in use, and return its lists unchanged."""

    def nbest(self, size: int) -> Pool:
        """Return the `size` first distinct texts of each list, in the order of sentences."""
        if size < 1:
            raise OptionError("{} must be at least 1, not {found}", "size", found=size)
        pool = self._cached(size)
        if pool is None:
            self._newest = None  # so that two pools are never in memory at once
            pool = distinct(self._checked(self._run(size))).head(size)
            if isinstance(self.weights, Weights):  # those of a store change
                self._newest = self.weights, self.sentences, size, pool
        return pool

    def translations(self) -> Iterator[str | None]:
        """Yield the first text of each list."""
        pool = self._cached()
        if pool is None:
            pool = self.nbest(1)
        assert pool.texts is not None
        first = dict(zip(map(int, pool.ids), pool.texts.take(pool.offsets[:-1]), strict=True))
        for place in range(len(self.sentences)):
            yield first.get(place) or None

    def _cached(self, size: int | None = None) -> Pool | None:
        """Return the newest lists if they are those of the weights and sentences in use, and of this size."""
        if self._newest is None or self._newest[:2] != (self.weights, self.sentences):
            return None
        return self._newest[3] if size in (None, self._newest[2]) else None

    def _checked(self, pool: Pool) -> Pool:
        if pool.texts is None:
            raise InputError("the decoder's lists have no texts; expected a translation per candidate")
        for name in pool.ids:
            if not _NUMBER.fullmatch(name) or int(name) >= len(self.sentences):
                raise InputError(
                    f"the decoder wrote a list for sentence {name!r};"
                    f" expected ids from 0 to {len(self.sentences) - 1}, the sentences of the source"
                )
        self._check_names(pool)
        rows = pool.features
        there = set(rows.names)
        missing = [name for name in self._start if name not in there]
        features = Features((*rows.names, *missing), rows.offsets, rows.columns, rows.values)
        plain = replace(pool, features=features, references=(), sources=None, _stats={})
        return plain.take_lists(np.argsort([int(name) for name in pool.ids], kind="stable"))

    def _check_names(self, pool: Pool) -> None:
        """Refuse lists with other dense features than the tuned ones; sparse features may be new."""
        known = {*self._start, *self.weights}
        for name in dense_names(pool):
            if name not in known:
                raise InputError(
                    f"all candidates of the decoder have the feature {name!r}, but no start weight is given"
                    f" for it{nearest(name, known)}; give one, such as 0"
                )
        if known.isdisjoint(pool.feature_names):
            raise InputError("the decoder's lists have none of the features that have weights")


def check_source(source: PathLike) -> None:
    """Refuse standard input, which can be read only once."""
    if str(source) == "-":
        raise OptionError("the source is read in each round; expected a file, not standard input")
