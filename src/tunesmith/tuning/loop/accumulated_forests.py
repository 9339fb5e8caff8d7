"""Forests of the newest round of a loop, or the union of all rounds' forests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.forest.file import ForestFile, ForestWriter
from tunesmith.forest.forest import Forest
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.prune import prune
from tunesmith.forest.threads import map_forests
from tunesmith.forest.union import union
from tunesmith.forest.viterbi import viterbi
from tunesmith.runs.kind import remove_own
from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.tuning.loop.accumulated import Accumulated, Round
from tunesmith.tuning.method import ForestMethod
from tunesmith.weights import Weights

__all__ = ["AccumulatedForests"]

PORTION = 64
"""The number of forests in memory at once."""


class AccumulatedForests(Accumulated):
    """Forests as decoded or, if the method merges, pruned and united with the forests of earlier rounds.

    They are written sentence by sentence: only a portion is in memory. Round N learns from `N.forests`. Both
    parts of a union, the new forest and the earlier union, keep `density` edges per word of the reference:
    the edges whose best derivations under the current weights have the highest scores (see `prune`; Macherey
    et al. 2008). So unions do not grow, and derivations of bad weights are dropped. Unlike a threshold on
    posteriors, this does not depend on the size of the weights, which MERT leaves undetermined.
    """

    def __init__(
        self,
        system: System,
        method: ForestMethod,
        references: Sequence[Texts],
        folder: Path,
        *,
        density: float,
        threads: int,
    ) -> None:
        self._system = system
        self._method = method
        self._references = references
        self._words = [max(1, len(text.split())) for text in references[0]]
        self._folder = folder
        self._density = density
        self._threads = threads
        self._forests: ForestFile | None = None
        self._pool: ForestPool | None = None

    def gather(self, number: int, weights: Weights) -> Round:
        # A search with more context finds other translations than the search that users will run.
        own_texts = not self._method.context
        best = [""] * len(self._references[0])
        with ForestWriter(self._file(number)) as writer:
            for sentence, (forest, text) in enumerate(self._gathered(weights, own_texts)):
                if sentence == len(best):
                    raise InputError(f"the decoder translates more sentences than the {len(best)} references")
                best[sentence] = text
                if forest is not None:
                    writer.add(forest, str(sentence))
            if not len(writer):
                raise InputError("no sentence has a translation")
        self.recall(number)
        texts = Texts.of(best) if own_texts else self._system.use(weights).best()
        return Round(texts, {"edges": self.data.edge_count})

    def recall(self, number: int) -> None:
        file = self._forests = ForestFile.open(self._file(number))
        lines = [int(name) for name in file.ids]
        self._pool = ForestPool(
            file.ids, file, tuple(reference.take(lines) for reference in self._references)
        )

    def forget(self, number: int) -> None:
        newest = self._file(number).name
        remove_own(self._folder, r"\d+\.forests", keep=lambda name: name == newest)

    @property
    def data(self) -> ForestPool:
        assert self._pool is not None, "nothing was gathered"
        return self._pool

    def _file(self, number: int) -> Path:
        return self._folder / f"{number}.forests"

    def _gathered(self, weights: Weights, texts: bool) -> Iterator[tuple[Forest | None, str]]:
        """Yield the forest to learn from per sentence, None if there is none, with the best text if asked."""
        before = self._forests if self._method.merges else None
        prunes = self._method.merges and self._density > 0
        known = set() if before is None else set(before.ids)

        def parts(sentence: int, newest: Forest) -> list[Forest]:
            name = str(sentence)
            earlier = [before.by_id(name)] if before is not None and name in known else []
            return [*earlier, newest]

        def prepared(both: tuple[int, list[Forest]]) -> tuple[Forest | None, str]:
            sentence, forests = both
            found = bool(forests[-1].node_count)
            kept = [forest for forest in forests if forest.node_count]
            text = ""
            if texts or prunes:
                scores = [forest.scores(forest.weights(weights, missing=0.0)) for forest in kept]
                text = viterbi(kept[-1], scores[-1]).text if texts and found else ""
                words = self._words[sentence] if sentence < len(self._words) else None
                if prunes:
                    pairs = zip(kept, scores, strict=True)
                    kept = [prune(*pair, density=self._density, words=words) for pair in pairs]
            return (union(kept) if len(kept) > 1 else kept[0] if kept else None), text

        decoded = enumerate(self._system.use(weights).forests(self._method.context))
        while portion := list(islice(decoded, PORTION)):
            pairs = [(sentence, parts(sentence, newest)) for sentence, newest in portion]
            yield from map_forests(prepared, pairs, threads=self._threads)
