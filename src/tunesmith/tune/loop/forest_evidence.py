"""Forests of the newest round of a loop, or the union of all rounds' forests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from tunesmith.texts import Texts
from tunesmith.tune.forest_recipe import ForestRecipe
from tunesmith.tune.ground import ForestGround
from tunesmith.tune.loop.evidence import Evidence, Round
from tunesmith.tune.translators.base import Translator
from tunesmith.weights import Weights

__all__ = ["ForestEvidence"]

PORTION = 64
"""How many forests are in memory at once."""


class ForestEvidence(Evidence):
    """Forests as they are decoded or, where the recipe merges, pruned and united with those before.

    Both are written sentence by sentence: memory holds a portion. Round N learns from the file `N.forests`.
    A forest that is united keeps `density` edges for each word of its best translation: those whose best
    derivations have the highest scores (see `prune`; Macherey et al. 2008). Unlike a limit of posteriors that
    does not hang on the size of weights, which means nothing to MERT.
    """

    def __init__(
        self,
        translator: Translator,
        recipe: ForestRecipe,
        references: Sequence[Texts],
        folder: Path,
        *,
        density: float,
        threads: int,
    ) -> None:
        self._translator = translator
        self._recipe = recipe
        self._references = references
        self._folder = folder
        self._density = density
        self._threads = threads
        self._forests: ForestFile | None = None
        self._pool: ForestPool | None = None

    def gather(self, number: int, weights: Weights) -> Round:
        best = [""] * len(self._references[0])
        before = self._forests if self._recipe.merges else None
        known = set() if before is None else set(before.ids)
        with ForestWriter(self._file(number)) as writer:
            for sentence, (forest, text) in enumerate(self._decoded(weights)):
                if sentence == len(best):
                    raise InputError(f"the decoder translates more sentences than the {len(best)} references")
                name = str(sentence)
                best[sentence] = text
                united = [before.by_id(name)] if before is not None and name in known else []
                if forest.node_count:
                    united.append(forest)
                if united:
                    writer.add(united[0] if len(united) == 1 else union(united), name)
            if not len(writer):
                raise InputError("no sentence has a translation")
        self.recall(number)
        # Searches that tell more words apart find other translations than those that users will see.
        texts = self._translator.translate(weights) if self._recipe.context else Texts.of(best)
        return Round(texts, {"edges": self.pool.edge_count})

    def recall(self, number: int) -> None:
        file = self._forests = ForestFile.open(self._file(number))
        lines = [int(name) for name in file.ids]
        self._pool = ForestPool(
            file.ids, file, tuple(reference.take(lines) for reference in self._references)
        )

    def forget(self, number: int) -> None:
        for file in self._folder.glob("*.forests"):
            if file != self._file(number):
                file.unlink()

    @property
    def pool(self) -> ForestPool:
        """The forests to learn from."""
        assert self._pool is not None, "nothing was gathered"
        return self._pool

    @property
    def ground(self) -> ForestGround:
        return ForestGround(self.pool, self._recipe, self._threads)

    def _file(self, number: int) -> Path:
        return self._folder / f"{number}.forests"

    def _decoded(self, weights: Weights) -> Iterator[tuple[Forest, str]]:
        """Yield each sentence's forest, pruned if it is to be united, and its best translation."""

        def prepared(forest: Forest) -> tuple[Forest, str]:
            if not forest.node_count:
                return forest, ""
            scores = forest.scores(forest.weights(weights, missing=0.0))
            text = viterbi(forest, scores).text
            if not (self._recipe.merges and self._density):
                return forest, text
            return prune(forest, scores, density=self._density), text

        forests: Iterable[Forest] = self._translator.forests(weights, self._recipe.context)
        rest = iter(forests)
        while portion := list(islice(rest, PORTION)):
            yield from map_forests(prepared, portion, threads=self._threads)
