"""Searching lists of the best translations of forests, to find where a search of the forests should begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tunesmith.candidates.merge import merge
from tunesmith.candidates.pool import Pool
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.forests.forest_error import LIST_SIZE, ForestError
from tunesmith.objectives.forests.lists import best_lists
from tunesmith.optimizers.climb import Climber
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.space import Space
from tunesmith.seeds import stream_seed
from tunesmith.types import FloatArray

__all__ = ["Scouts"]

MISSES = 2
"""Stop after this many turns in a row without improvement."""


@dataclass(frozen=True)
class Scouts:
    """MERT over n-best lists (Och 2003), with forests in place of a decoder.

    A turn searches the lists from the best weights, scores the resulting weights on the forests, and adds the
    best translations of the forests under the best new weights to the lists. It stops after `MISSES` turns in
    a row without improvement, or after `turns`. Nothing is saved: a resumed run repeats the turns.
    """

    search: LineSearch
    turns: int
    guide: Callable[[Pool], SmoothObjective | None]
    """Makes the guide for grown lists; `search` has the guide of the first lists."""

    def ends(
        self, objective: ForestError, space: Space, count: int, hints: Sequence[FloatArray] = ()
    ) -> tuple[FloatArray, ...]:
        """Return the `count` best weights on the forests, among `hints` and all results of searches.

        Hints are weights to search from, besides the space's start.
        """
        judge = Climber(objective, space, objective.geometry(space.free))
        lists, search, misses = objective.lists, self.search, 0
        # By loss: results with the same loss are mostly the same weights.
        found: dict[float, FloatArray] = {-judge.at(hint).value: hint for hint in hints}
        if hints:
            lists = merge([lists, *(self._newest(objective, hint) for hint in hints)], objective.threads)
            given = [space.start] if space.start[space.free].any() else []
            search = replace(search, guide=self.guide(lists), starts=(*given, *hints))
        for turn in range(self.turns):
            search = replace(search, seed=stream_seed(self.search.seed, "turn", turn))
            corpus = CorpusError.build(lists, objective.metric, threads=objective.threads)
            ends = {-judge.at(end).value: end for end in self._search(search, corpus, space)}
            new = {loss: end for loss, end in ends.items() if loss not in found}
            misses = 0 if min(new, default=np.inf) < min(found, default=np.inf) else misses + 1
            found.update(new)
            if not new or misses == MISSES or turn + 1 == self.turns:
                break
            lists = merge([lists, self._newest(objective, new[min(new)])], objective.threads)
            space = replace(space, start=found[min(found)])
            search = replace(search, guide=self.guide(lists), explore=1, starts=())
        return tuple(found[loss] for loss in sorted(found)[:count])

    @staticmethod
    def _newest(objective: ForestError, weights: FloatArray) -> Pool:
        return best_lists(objective.forests, weights, LIST_SIZE, threads=objective.threads)

    @staticmethod
    def _search(search: LineSearch, lists: CorpusError, space: Space) -> list[FloatArray]:
        ends: list[FloatArray] = []
        state = search.start(lists, space)
        while not state.done:
            state = search.step(lists, space, state, lambda _, weights: ends.append(weights))
        return ends
