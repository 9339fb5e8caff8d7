"""What a method learns from: the data and space of the user, or ones that are easier to learn from."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.optimizers.space import Space
from tunesmith.tuning.frozen_block import FrozenBlock
from tunesmith.tuning.method import Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.score_spread import compared_lists, mean_deviation, some_lists
from tunesmith.tuning.standardize import Scaling, Standardized
from tunesmith.types import FloatArray

__all__ = ["Problem"]

ROUNDING = 1e-9
"""Share of a bound by which weights may be outside of it before they are put on it."""

CLOSE = 1e-3
"""Share of their least size by which frozen weights may be above it and count as having it."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Data and space to learn from, and the way back to weights of the user's features.

    Frozen features that rank candidates become one feature whose weight is free (`FrozenBlock`), features are
    divided by their deviation (`Scaling`), and a run gives the start weights the size that suits its
    objective (`Run.size_start`). Beside frozen features that rank too few lists, free weights get the size of
    their start back: nothing in the data shows another, and a loop would let them grow from round to round.
    """

    data: Any
    space: Space
    original: Space
    block: FrozenBlock | None
    scaling: Scaling | None
    unsized: Pool | None = None
    """Lists that show the size of weights, if no block or bound does and frozen weights are there."""

    @classmethod
    def of(
        cls, data: Any, space: Space, method: Method, standardized: Standardized, threads: int = 1
    ) -> Problem:
        """Return what the method learns from. O(nonzeros)."""
        seen, within = data, space
        block = FrozenBlock.of(data, space, threads) if method.sizes_frozen else None
        if block is not None:
            seen, within = block.data, block.space
        scaling = None if standardized == "none" else Scaling.of(seen, within, standardized)
        if scaling is not None:
            seen, within = scaling.pool, scaling.space
        unsized = None
        if method.sizes_frozen and block is None and space.holds_weights and not space.bounded:
            unsized = some_lists(compared_lists(data, space.start, threads))
        return cls(seen, within, space, block, scaling, unsized)

    def learn(self, method: Method, run: Run[Any]) -> Solution:
        """Learn; twice if bounds depend on the size of frozen weights.

        Bounds other than zero are relative to the frozen weights, whose size is learned first, without these
        bounds; if the result violates them, learning continues from there with the bounds, at this size.
        """
        solution = method.learn(run)
        if self.block is None or not self.original.bounded or self._allowed(solution.weights, run.factor):
            return solution
        run.space, run.lowest = self._at_size(solution.weights), None
        if run.best is not None and not self._allowed(run.best.weights, run.factor):
            run.best = None
        again = method.learn(run)
        return dataclasses.replace(again, start_loss=solution.start_loss)

    def restored(self, weights: FloatArray, factor: float = 1.0) -> FloatArray:
        """Return weights of the user's features; `factor` is that of the run.

        Frozen weights are exactly as given. The size of all is the learned one if nothing fixes it.
        """
        return self.original.project(self._restored(weights, factor))

    def at_floor(self, weights: FloatArray, factor: float) -> bool:
        """Whether frozen weights are as small beside the others as they may be."""
        if self.block is None:
            return False
        place = self.block.place
        return bool(weights[place] <= (1.0 + CLOSE) * factor * self.space.lower[place])

    def _restored(self, weights: FloatArray, factor: float) -> FloatArray:
        found = weights if self.scaling is None else weights / self.scaling.scales
        if self.block is not None:
            return self.block.restored(found, self.original.width)
        if self.unsized is not None and (size := self._deviation(found)) and self._start_deviation:
            return found * (self._start_deviation / size)
        return found / factor if self.original.anchored else found

    @cached_property
    def _start_deviation(self) -> float:
        return self._deviation(self.original.start)

    def _deviation(self, weights: FloatArray) -> float:
        """Return by how much the free weights make scores vary within lists."""
        assert self.unsized is not None
        free = np.where(self.original.free, weights, 0.0)
        return mean_deviation(self.unsized, self.unsized.features.dot(free))

    def _allowed(self, weights: FloatArray, factor: float) -> bool:
        found = self._restored(weights, factor)
        lower, upper = self.original.lower, self.original.upper
        inside = (found >= lower - ROUNDING * np.abs(lower)) & (found <= upper + ROUNDING * np.abs(upper))
        return bool(inside[self.original.free].all())

    def _at_size(self, weights: FloatArray) -> Space:
        """Return the space with the user's bounds, at the size that the frozen weights have in `weights`."""
        assert self.block is not None
        place, scales = self.block.place, np.ones(len(weights))
        if self.scaling is not None:
            scales = self.scaling.scales
        size = weights[place] / scales[place] / self.block.norm
        lower, upper = (
            self.block.in_order(size * bounds, weights[place] / scales[place]) * scales
            for bounds in (
                np.where(self.original.free, self.original.lower, 0.0),
                np.where(self.original.free, self.original.upper, 0.0),
            )
        )
        free = self.space.free & (np.arange(len(weights)) != place)
        return dataclasses.replace(
            self.space, start=np.clip(weights, lower, upper), lower=lower, upper=upper, free=free
        )
