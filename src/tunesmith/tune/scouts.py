"""Searching lists of the best translations of forests, to find where a search of the forests should begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tunesmith.candidates.merge import merge
from tunesmith.candidates.pool import Pool
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.objectives.forests.lists import best_lists
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["Scouts"]

SIZE = 100
"""Translations of each forest that a turn adds to the lists."""

APART = 1000
"""From the seed of a turn to that of the next: far enough for rounds of a loop, whose seeds are neighbors."""


@dataclass(frozen=True)
class Scouts:
    """MERT as over the lists of a decoder (Och 2003), with forests in the decoder's place.

    A turn searches the lists from steps off the best weights, asks the forests what the ends are worth, and
    adds the best translations of the forests under the best end to the lists. Turns end when that end is no
    better than the last, or after `turns`.
    """

    search: LineSearch
    turns: int
    guide: Callable[[Pool], SmoothObjective | None]

    def ends(self, objective: ForestError, space: Space, count: int) -> tuple[FloatArray, ...]:
        """Return the weights, so many of all that lists were searched to, that are best on the forests."""
        lists, found = objective.lists, list[tuple[float, FloatArray]]()
        for turn in range(self.turns):
            search = replace(self.search, guide=self.guide(lists), seed=self.search.seed + APART * turn)
            ends = self._search(
                search, CorpusError.build(lists, objective.metric, threads=objective.threads), space
            )
            valued = [(objective.loss(end) + space.penalty(end), end) for end in ends]
            best, weights = min(valued, key=_loss)
            done = bool(found) and not best < min(found, key=_loss)[0]
            found += valued
            if done or turn + 1 == self.turns:
                break
            space = replace(space, start=weights)
            newest = best_lists(objective.forests, weights, SIZE, threads=objective.threads)
            lists = merge([lists, newest], objective.threads)
        return tuple(end for _, end in sorted(found, key=_loss)[:count])

    @staticmethod
    def _search(search: LineSearch, lists: CorpusError, space: Space) -> list[FloatArray]:
        ends: list[FloatArray] = []
        state = search.start(lists, space)
        while not state.done:
            state = search.step(lists, space, state, lambda _, weights: ends.append(weights))
        return ends


def _loss(valued: tuple[float, FloatArray]) -> float:
    return valued[0]
