"""One run of a method: the data, the space of weights, and the loop that drives optimizers over it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

import numpy as np

from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Objective
from tunesmith.optimizers.base import Optimizer, State
from tunesmith.optimizers.space import Space
from tunesmith.options import check_seed
from tunesmith.tuning.checkpoint import Best, Checkpoint, Saved
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.history import History, Record
from tunesmith.tuning.score_spread import start_factor
from tunesmith.types import FloatArray

__all__ = ["Run", "Solution", "still_improves"]

DataT = TypeVar("DataT", bound=TrainingData)

IMPROVING = 0.02
"""A stage still improves if its last tenth brought more than this share of its improvement."""

CHECKPOINT_SECONDS = 1.0
"""Least time between checkpoints: all that a kill loses beside the step at work. No result depends on it."""


@dataclass(frozen=True)
class Solution:
    """The weights found, and the penalized objective at the start and at the end."""

    weights: FloatArray
    loss: float
    start_loss: float
    notes: Mapping[str, object] = field(default_factory=dict)
    """Facts about the run for the user: the richness ratio, the number of pairs, ..."""
    unfinished: str | None = None
    """The option whose limit ended the last stage, if this still improved."""

    def noting(self, **notes: object) -> Self:
        """Return the solution with more notes."""
        return dataclasses.replace(self, notes={**self.notes, **notes})


@dataclass
class Run(Generic[DataT]):
    """The inputs of a method, and the record of its progress.

    A method consists of stages; one call of `minimize` is one stage. Checkpoints are written when a stage
    ends, for whatever reason, and at most every `CHECKPOINT_SECONDS`: many steps take a millisecond. A record
    of the history is written before the checkpoint that includes it: a resumed run drops later records and
    repeats the steps that made them.
    Optimizers' states are values and all random draws are seeded, so it ends with the same weights.
    """

    data: DataT
    metric: Metric
    space: Space
    seed: int = 1
    threads: int = 1
    history: History = field(default_factory=History)
    checkpoint: Checkpoint | None = None
    scored: bool = False
    """Whether each record includes the metric, which costs one pass over the data; then `best` is kept."""
    start_given: bool = False
    """Whether the start weights are the user's, of any size; then they are resized (see `size_start`)."""

    def __post_init__(self) -> None:
        """Check the seed, which goes to native code, and continue an earlier run that was killed."""
        check_seed(self.seed)
        saved = Saved() if self.checkpoint is None else self.checkpoint.load(self.history.earlier)
        self.best: Best | None = saved.best
        self.lowest: Solution | None = None
        self.factor = 1.0
        """What start weights and bounds were multiplied by."""
        self.resumed_after = saved.records
        self.history.begin(saved.records)
        self._states: list[State] = list(saved.states)
        self._stage = 0
        self._saved_at = time.monotonic()
        self._unsaved: Saved | None = None

    def minimize(
        self,
        objective: Objective,
        optimizer: Optimizer[Any],
        start: FloatArray | None = None,
        **facts: object,
    ) -> Solution:
        """Step the optimizer until it is done, from `start` or else the start of the space.

        `facts` (a round, a temperature) are part of each history record of the stage. A stage that an
        earlier run finished is not repeated.
        """
        self.size_start(objective)
        space = self.space
        if start is not None:
            space = dataclasses.replace(space, start=space.project(start))
        stage, self._stage = self._stage, self._stage + 1
        first = optimizer.start(objective, space)
        if stage == len(self._states):
            self._states.append(first)
        state = self._states[stage]
        try:
            while not state.done:
                state = optimizer.step(
                    objective, space, state, lambda loss, w: self._note(stage, loss, w, facts)
                )
                self._states[stage] = state
                self._unsaved = Saved(tuple(self._states), len(self.history.records), self.best)
                if time.monotonic() - self._saved_at >= CHECKPOINT_SECONDS:
                    self._save()
        finally:
            self._save()
        losses = [record["loss"] for record in self.history.records if record["stage"] == stage]
        limit = optimizer.limit(state) if still_improves([first.loss, *losses]) else None
        return Solution(state.weights, state.loss, first.loss, unfinished=limit)

    def size_start(self, objective: Objective) -> None:
        """Give start weights and bounds the size that suits the objective of the first stage, once."""
        if self.start_given:
            self.start_given = False
            self.factor = start_factor(objective, self.data, self.metric, self.space, self.threads)
            self.space = self.space.scaled(self.factor)

    def score(self, weights: FloatArray) -> float:
        """Return the metric of the translations that the weights rank first."""
        stats = self.data.best_stats(self.metric, weights, self.threads)
        return float(self.metric.score(stats.sum(axis=0)))

    def _save(self) -> None:
        """Write a checkpoint of the last whole step, unless that is done."""
        unsaved, self._unsaved = self._unsaved, None
        if unsaved is not None and self.checkpoint is not None:
            self.checkpoint.save(unsaved)
            self._saved_at = time.monotonic()

    def _note(self, stage: int, loss: float, weights: FloatArray, facts: Mapping[str, object]) -> None:
        if self.lowest is None or loss < self.lowest.loss:
            self.lowest = Solution(weights, loss, loss)
        record: Record = {"iteration": len(self.history.records) + 1, "stage": stage, "loss": loss, **facts}
        if self.scored:
            score, sign = self.score(weights), self.metric.sign
            record["score"] = score
            if self.best is None or sign * score > sign * self.best.score:
                self.best = Best(score, loss, weights)
        record["norm"] = float(np.linalg.norm(weights))
        self.history.add(record)


def still_improves(losses: Sequence[float]) -> bool:
    """Return whether the last tenth of the iterations improved the best loss; the first one is of the start.

    The first iteration does not count, which from weights of zero brings almost everything.
    """
    iterations = len(losses) - 1
    if iterations < 2:
        return False
    before, best = min(losses[: -max(1, iterations // 10)]), min(losses)
    return before - best > IMPROVING * (losses[1] - best)
