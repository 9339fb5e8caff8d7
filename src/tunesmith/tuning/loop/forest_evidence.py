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
from tunesmith.texts import Texts
from tunesmith.tuning.forest_recipe import ForestRecipe
from tunesmith.tuning.ground import ForestGround
from tunesmith.tuning.loop.evidence import Evidence, Round
from tunesmith.tuning.translators.base import Translator
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["ForestEvidence"]

PORTION = 64
"""How many forests are in memory at once."""


class ForestEvidence(Evidence):
    """Forests as they are decoded or, where the recipe merges, pruned and united with those before.

    Both are written sentence by sentence: memory holds a portion. Round N learns from the file `N.forests`.
    Both parts of a union, the new forest and what is there from earlier rounds, keep `density` edges for each
    word of the reference: those whose best derivations under the weights of now have the highest scores (see
    `prune`; Macherey et al. 2008). So unions do not grow, and what bad weights have brought up is let go.
    Unlike a limit of posteriors, this does not hang on the size of weights, which MERT does not see.
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
        self._words = [max(1, len(text.split())) for text in references[0]]
        self._folder = folder
        self._density = density
        self._threads = threads
        self._forests: ForestFile | None = None
        self._pool: ForestPool | None = None

    def gather(self, number: int, weights: Weights) -> Round:
        best = [""] * len(self._references[0])
        with ForestWriter(self._file(number)) as writer:
            for sentence, (forest, text) in enumerate(self._gathered(weights)):
                if sentence == len(best):
                    raise InputError(f"the decoder translates more sentences than the {len(best)} references")
                best[sentence] = text
                if forest is not None:
                    writer.add(forest, str(sentence))
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

    def _gathered(self, weights: Weights) -> Iterator[tuple[Forest | None, str]]:
        """Yield of each sentence the forest to learn from, if there is any, and the best translation."""
        before = self._forests if self._recipe.merges else None
        known = set() if before is None else set(before.ids)

        def parts(sentence: int, newest: Forest) -> list[Forest]:
            name = str(sentence)
            earlier = [before.by_id(name)] if before is not None and name in known else []
            return [*earlier, newest]

        def prepared(both: tuple[int, list[Forest]]) -> tuple[Forest | None, str]:
            sentence, forests = both
            scored = [
                (forest, forest.scores(forest.weights(weights, missing=0.0)))
                for forest in forests
                if forest.node_count
            ]
            text = viterbi(*scored[-1]).text if forests[-1].node_count else ""
            kept = [self._pruned(forest, scores, sentence) for forest, scores in scored]
            return (union(kept) if len(kept) > 1 else kept[0] if kept else None), text

        decoded = enumerate(self._translator.forests(weights, self._recipe.context))
        while portion := list(islice(decoded, PORTION)):
            pairs = [(sentence, parts(sentence, newest)) for sentence, newest in portion]
            yield from map_forests(prepared, pairs, threads=self._threads)

    def _pruned(self, forest: Forest, scores: FloatArray, sentence: int) -> Forest:
        """Return what a union keeps of a forest; all of it where there are no unions."""
        if not (self._recipe.merges and self._density):
            return forest
        words = self._words[sentence] if sentence < len(self._words) else None
        return prune(forest, scores, density=self._density, words=words)
