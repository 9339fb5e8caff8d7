"""The interface of objectives: a loss of the weights over a pool of candidate lists or forests.

A loss is a mean over the pool's lists, or one value of the corpus: its size does not depend on the number of
lists. Penalties are not part of it: they belong to the space of weights (`tunesmith.optimizers.space`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from tunesmith.candidates.pool import Pool
from tunesmith.forest.pool import ForestPool
from tunesmith.registry import Registry
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["OBJECTIVES", "Box", "Objective", "SmoothObjective", "StochasticObjective", "Visits"]

OBJECTIVES: Registry[type[Objective]] = Registry("objective", "tunesmith.objectives")


class Objective(ABC):
    """A loss of the weights; registered under a name and built from a pool and a metric."""

    learns_from: ClassVar[type[Pool] | type[ForestPool]] = Pool
    """The type of pool that it is built from."""

    @classmethod
    @abstractmethod
    def build(cls, *data: Any, **options: Any) -> Self:
        """Build the objective: `build(pool, metric, *, seed=1, threads=1, <options of its own>)`.

        All random choices follow `seed`; no result depends on `threads`.
        """

    @abstractmethod
    def loss(self, weights: FloatArray) -> float:
        """Return the loss; the same for any number of threads."""


class SmoothObjective(Objective):
    """An objective with a gradient. Contract tests check every registered one by finite differences."""

    @abstractmethod
    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the loss and d loss / d weights."""

    def loss(self, weights: FloatArray) -> float:
        """Return the loss alone."""
        return self.loss_and_gradient(weights)[0]


class Box(Protocol):
    """Bounds, frozen weights and penalties: the part of `tunesmith.optimizers.space.Space` used here."""

    @property
    def lower(self) -> FloatArray: ...
    @property
    def upper(self) -> FloatArray: ...
    @property
    def free(self) -> BoolArray: ...
    @property
    def l1(self) -> float: ...
    @property
    def l2(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Visits:
    """One epoch: the lists in visiting order, `batch` at a time, and one learning rate per batch."""

    order: IntArray
    batch: int
    rates: FloatArray


class StochasticObjective(SmoothObjective):
    """A mean over lists, for stochastic descent by batches of lists."""

    @property
    @abstractmethod
    def lists(self) -> int:
        """The number of lists."""

    @abstractmethod
    def descend(
        self, weights: FloatArray, squares: FloatArray, visits: Visits, box: Box
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Take one proximal step per batch; return the weights, the squared gradients, the average weights.

        Rates are divided by the root of the squared gradients, unless `squares` is empty.
        """
