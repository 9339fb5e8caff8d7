"""Searching lists of the best translations of forests, to find where a search of the forests should begin."""

from __future__ import annotations

from collections.abc import Callable
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
from tunesmith.types import FloatArray

__all__ = ["Scouts"]

APART = 1000
"""From the seed of a turn to that of the next: far enough for rounds of a loop, whose seeds are neighbors."""


@dataclass(frozen=True)
class Scouts:
    """MERT as over the lists of a decoder (Och 2003), with forests in the decoder's place.

    A turn searches the lists from steps off the best weights, asks the forests what the ends are worth, and
    adds the best translations of the forests under the best end to the lists. Turns end when that end is no
    better than the last, or after `turns`. Nothing is kept of them: a run that goes on makes them anew.
    """

    search: LineSearch
    turns: int
    guide: Callable[[Pool], SmoothObjective | None]
    """Makes the guide of lists that have grown; `search` has that of the first."""

    def ends(self, objective: ForestError, space: Space, count: int) -> tuple[FloatArray, ...]:
        """Return the weights, so many of all that lists were searched to, that are best on the forests."""
        judge = Climber(objective, space, objective.geometry(space.free))
        lists, search, best = objective.lists, self.search, np.inf
        found: dict[float, FloatArray] = {}  # by loss: ends of the same loss have mostly met in one place
        for turn in range(self.turns):
            search = replace(search, seed=self.search.seed + APART * turn)
            corpus = CorpusError.build(lists, objective.metric, threads=objective.threads)
            for end in self._search(search, corpus, space):
                found.setdefault(-judge.at(end).value, end)
            if not min(found) < best or turn + 1 == self.turns:
                break
            best = min(found)
            newest = best_lists(objective.forests, found[best], LIST_SIZE, threads=objective.threads)
            lists = merge([lists, newest], objective.threads)
            space = replace(space, start=found[best])
            search = replace(search, guide=self.guide(lists), explore=1)
        return tuple(found[loss] for loss in sorted(found)[:count])

    @staticmethod
    def _search(search: LineSearch, lists: CorpusError, space: Space) -> list[FloatArray]:
        ends: list[FloatArray] = []
        state = search.start(lists, space)
        while not state.done:
            state = search.step(lists, space, state, lambda _, weights: ends.append(weights))
        return ends
