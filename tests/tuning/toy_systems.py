"""Decoders whose search space is a few candidates, and methods over forests of these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from tests.random_pools import random_pool

from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.forest.build import build_forest
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.pool import ForestPool
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.tuning.method import ForestMethod
from tunesmith.tuning.run import Run, Solution
from tunesmith.weights import Weights

DENSE = ("f0", "f1", "f2")


class ToySystem(System):
    """Ranks the candidates of a random pool; sentence `missing` has no translation."""

    def __init__(
        self, seed: int = 1, sentences: int = 30, sparse: int = 0, missing: int | None = None
    ) -> None:
        self.pool = random_pool(seed, lists=sentences, size=25, sparse=sparse)
        self.missing = missing
        self.asked: list[str] = []
        self._name = f"toy {seed} {sentences} {sparse} {missing}"

    def __len__(self) -> int:
        return len(self.pool)

    @property
    def start(self) -> Weights:
        return Weights({"f0": -0.2, "f1": 0.4, "f2": 0.3})

    @property
    def details(self) -> dict[str, object]:
        return {"decoder": self._name}

    @property
    def references(self) -> Texts:
        return self.pool.references[0]

    def write_references(self, path: Path) -> Path:
        path.write_text("".join(f"{line}\n" for line in self.references), encoding="utf-8")
        return path

    def nbest(self, size: int) -> Pool:
        self.asked.append("nbest")
        lists, rows = [], []
        for number, best in self._ranked():
            if number != self.missing:
                lists.append(number)
                rows += best[:size]
        taken = self.pool.features.take(rows)
        used = {taken.names[column] for column in np.unique(taken.columns)}
        narrow = with_columns(taken, [*DENSE, *(name for name in taken.names if name in used - set(DENSE))])
        sizes = [min(size, self.sizes[number]) for number in lists]
        texts = self.pool.texts
        assert texts is not None
        return Pool(tuple(map(str, lists)), np.cumsum([0, *sizes]).astype(np.int64), narrow, texts.take(rows))

    def translations(self) -> list[str | None]:
        self.asked.append("translations")
        texts = self.pool.texts
        assert texts is not None
        return [None if number == self.missing else texts[best[0]] for number, best in self._ranked()]

    def forests(self, context: int) -> Iterator[Forest]:
        """Yield forests of the six best candidates, an edge each."""
        self.asked.append(f"forests {context}")
        texts, dense = self.pool.texts, self.pool.features.to_dense()
        assert texts is not None
        names = self.pool.feature_names
        for number, best in self._ranked():
            edges = [
                Edge((), tuple(texts[row].split()), dict(zip(names, dense[row].tolist(), strict=True)))
                for row in best[:6]
            ]
            yield build_forest([] if number == self.missing else [edges], names)

    @property
    def sizes(self) -> list[int]:
        return np.diff(self.pool.offsets).tolist()

    def _ranked(self) -> Iterator[tuple[int, list[int]]]:
        features: Features = self.pool.features
        scores = features.dot(np.array([self.weights.get(name, 0.0) for name in features.names]))
        for number in range(len(self.pool)):
            begin, end = self.pool.offsets[number : number + 2]
            yield number, (begin + np.argsort(-scores[begin:end], kind="stable")).tolist()


@dataclass(frozen=True)
class ToyForestMert(ForestMethod):
    """MERT over the candidates of forests."""

    name: ClassVar[str] = "toy-forest-mert"
    summary: ClassVar[str] = "a toy"
    context: ClassVar[int] = 2

    restarts: int = 1
    size: int = 50

    def learn(self, run: Run[ForestPool]) -> Solution:
        weights = dict(zip(run.data.feature_names, run.space.start.tolist(), strict=True))
        lists = run.data.nbest(weights, self.size, threads=run.threads)
        features = with_columns(lists.features, run.data.feature_names)
        pool = Pool(lists.ids, lists.offsets, features, lists.texts, lists.references)
        objective = CorpusError.build(pool, run.metric, threads=run.threads)
        return run.minimize(objective, LineSearch(None, self.restarts, seed=run.seed, threads=run.threads))


@dataclass(frozen=True)
class ToyNewestMert(ToyForestMert):
    """The same over the newest forests only."""

    name: ClassVar[str] = "toy-newest-mert"
    merges: ClassVar[bool] = False
