"""What a round of a loop learns: from features as they are, standardized, or the mean of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tunesmith.metrics.base import Metric
from tunesmith.objectives.corpus_error import corpus_loss
from tunesmith.optimizers.space import Space
from tunesmith.tuning.degenerate import refuse_infinite
from tunesmith.tuning.history import History, Record, Watcher
from tunesmith.tuning.loop.stopping import goes_on
from tunesmith.tuning.method import Method
from tunesmith.tuning.problem import Problem
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.score_spread import mean_deviation
from tunesmith.tuning.standardize import Standardized, unlike_scales

__all__ = ["Lesson", "Lessons"]

_NOTES = ("unfinished", "at_floor")
"""Notes of a lesson that are also true of what is made of it."""


@dataclass(frozen=True)
class Lesson:
    """The weights that a method has learned, as those of the user's features, and what to note of it."""

    solution: Solution
    factor: float
    """What the start weights were multiplied by."""
    steps: int
    record: Record
    """The record of the round, with notes for remarks."""


@dataclass(frozen=True)
class Lessons:
    """The method of a loop, and what it learns by in every round."""

    method: Method
    metric: Metric
    standardize: Standardized
    threads: int
    watch: Watcher | None = None

    def learn(self, data: Any, space: Space, seed: int, record: Record) -> Lesson:
        """Learn from the data of a round; what may be told at the end is noted in a copy of its record.

        No mean is taken if features are of so unlike scale that plain ones would hardly be learned: then the
        record has what was done instead, as `standardized`.
        """

        def learned(which: Standardized) -> Lesson:
            return self._learn(which, data, space, seed, record)

        if self.standardize != "mean":
            return learned(self.standardize)
        if unlike_scales(data, space) is not None:
            lesson = learned("dense")
            return replace(lesson, record={**lesson.record, "standardized": "dense"})
        return self._mean(learned("dense"), learned("none"), data, space, record)

    def _learn(self, which: Standardized, data: Any, space: Space, seed: int, record: Record) -> Lesson:
        method, noted = self.method, dict(record)
        problem = Problem.of(data, space, method, which, self.threads)
        history = History(watch=self.watch)
        run = Run(problem.data, self.metric, problem.space, seed, self.threads, history, start_given=True)
        solution = problem.learn(method, run)
        if solution.unfinished is not None:
            noted["unfinished"] = solution.unfinished
        worse = not solution.loss < solution.start_loss
        if worse and run.lowest is not None and goes_on(method, record):
            solution = replace(run.lowest, start_loss=solution.start_loss)
            noted["went_on"] = True
        refuse_infinite(method.name, solution)
        if problem.at_floor(solution.weights, run.factor):
            noted["at_floor"] = True
        solution = replace(solution, weights=problem.restored(solution.weights, run.factor))
        return Lesson(solution, run.factor, len(history.records), noted)

    def _mean(self, first: Lesson, second: Lesson, data: Any, space: Space, record: Record) -> Lesson:
        """Return the mean of the weights of two lessons, whose scores deviate equally within lists.

        Beside frozen weights, or with bounds, both have the same size already. If the mean is no better than
        the start, and the better lesson is, return that one.
        """
        both, start = [first.solution, second.solution], first.solution.start_loss
        sizes = [mean_deviation(data, data.features.dot(each.weights, self.threads)) for each in both]
        if not space.anchored and min(sizes) > 0:
            both[1] = replace(both[1], weights=both[1].weights * (sizes[0] / sizes[1]))
        weights = 0.5 * (both[0].weights + both[1].weights)
        solution = Solution(weights, corpus_loss(data, self.metric, weights, self.threads), start)
        used, better = [first, second], int(both[1].loss < both[0].loss)
        if not solution.loss < start and both[better].loss < start:
            solution, used = replace(both[better], start_loss=start), [used[better]]
        notes = {key: each.record[key] for each in used for key in _NOTES if key in each.record}
        noted = {**record, **notes}
        if not solution.loss < start and goes_on(self.method, record):
            noted["went_on"] = True
        return Lesson(solution, first.factor, first.steps + second.steps, noted)
