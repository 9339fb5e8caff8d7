"""Base of all external decoders: checks their lists, and caches the newest."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError, nearest
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.tuning.translators.base import Translator, fingerprint_of
from tunesmith.weights import Weights

__all__ = ["ExternalTranslator", "check_source"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


class ExternalTranslator(Translator):
    """An external decoder. The newest lists are cached: best translations need no other run."""

    def __init__(self, start: Weights, source: PathLike, sentences: int) -> None:
        if not sentences:
            raise InputError("there are no sentences to translate", path=source)
        self._start = Weights(start)
        self._sentences = sentences
        self._newest: tuple[Weights, int, Pool] | None = None

    def __len__(self) -> int:
        """Return the number of sentences."""
        return self._sentences

    @property
    def start(self) -> Weights:
        return self._start

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.details)

    @abstractmethod
    def _run(self, weights: Weights, size: int) -> Pool:
        """Run the decoder, and return its lists unchanged."""

    def nbest(self, weights: Weights, size: int) -> Pool:
        """Return the `size` first distinct texts of each list, in the order of sentences."""
        if size < 1:
            raise OptionError("{} must be at least 1, not {found}", "size", found=size)
        if self._newest is None or self._newest[:2] != (weights, size):
            self._newest = None  # so that two pools are never in memory at once
            pool = self._checked(self._run(weights, size), weights)
            self._newest = weights, size, _distinct(pool).head(size)
        return self._newest[2]

    def translate(self, weights: Weights) -> Texts:
        """Return the first text of each list; an empty text if a sentence has no list."""
        if self._newest is not None and self._newest[0] == weights:
            pool = self._newest[2]
        else:
            pool = self.nbest(weights, 1)
        assert pool.texts is not None
        texts = [""] * self._sentences
        for name, text in zip(pool.ids, pool.texts.take(pool.offsets[:-1]), strict=True):
            texts[int(name)] = text
        return Texts.of(texts)

    def _checked(self, pool: Pool, weights: Weights) -> Pool:
        if pool.texts is None:
            raise InputError("the decoder's lists have no texts; expected a translation per candidate")
        for name in pool.ids:
            if not _NUMBER.fullmatch(name) or int(name) >= self._sentences:
                raise InputError(
                    f"the decoder wrote a list for sentence {name!r};"
                    f" expected ids from 0 to {self._sentences - 1}, the sentences of the source"
                )
        self._check_names(pool, weights)
        rows = pool.features
        there = set(rows.names)
        missing = [name for name in self._start if name not in there]
        features = Features((*rows.names, *missing), rows.offsets, rows.columns, rows.values)
        plain = replace(pool, features=features, references=(), sources=None, _stats={})
        return plain.take_lists(np.argsort([int(name) for name in pool.ids], kind="stable"))

    def _check_names(self, pool: Pool, weights: Weights) -> None:
        """Refuse lists with other dense features than the tuned ones; sparse features may be new."""
        known = {*self._start, *weights}
        for name, everywhere in zip(pool.feature_names, pool.features.dense.tolist(), strict=True):
            if everywhere and name not in known:
                raise InputError(
                    f"all candidates of the decoder have the feature {name!r}, but no start weight is given"
                    f" for it{nearest(name, known)}; give one, such as 0"
                )
        if known.isdisjoint(pool.feature_names):
            raise InputError("the decoder's lists have none of the features that have weights")


def _distinct(pool: Pool) -> Pool:
    """Return the pool with the first candidate of each text per list."""
    assert pool.texts is not None
    kept: list[int] = []
    texts, offsets = list(pool.texts), pool.offsets.tolist()
    for begin, end in pairwise(offsets):
        first: dict[str, int] = {}
        for row in range(begin, end):
            first.setdefault(texts[row], row)
        kept += first.values()
    return pool if len(kept) == len(texts) else pool.take_rows(kept)


def check_source(source: PathLike) -> None:
    """Refuse standard input, which can be read only once."""
    if str(source) == "-":
        raise OptionError("the source is read in each round; expected a file, not standard input")
