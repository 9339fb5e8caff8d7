"""The runs of one call of `tune`: one per replica, with its seed, history and checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.build import Build
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.options import determinants
from tunesmith.seeds import stream_seed
from tunesmith.threads import thread_count
from tunesmith.tuning.checkpoint import Checkpoint
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.degenerate import refuse_broken, refuse_degenerate, refuse_useless
from tunesmith.tuning.history import History
from tunesmith.tuning.method import Method
from tunesmith.tuning.output_files import history_path
from tunesmith.tuning.problem import Problem
from tunesmith.tuning.result import Replica
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.tune_options import TuneOptions
from tunesmith.tuning.warn import HARDLY_COUNT, KEPT_START, still_improving
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["Replicas", "best_of"]


@dataclass(frozen=True, eq=False)
class Replicas:
    """The runs of a method on the same data, from different seeds."""

    data: TrainingData
    metric: Metric
    space: Space
    threads: int
    runs: tuple[Run[Any], ...]
    problem: Problem
    """What the runs learn from; `data` and `space` are the user's."""
    start_given: bool = False
    """Whether the start weights are the user's; without any, they are 0, or at a bound."""

    @classmethod
    def of(cls, data: TrainingData, method: Method, metric: Metric, how: TuneOptions) -> Replicas:
        """Return the runs, each with a history of its own; refuse data that cannot lead to a result."""
        threads = thread_count(how.threads)
        space = Space.build(
            data.feature_names,
            method.penalty_divisor(len(data)),
            start=how.start,
            bounds=how.bounds,
            frozen=how.frozen,
            l1=how.l1,
            l2=method.l2 if how.l2 is None else how.l2,
        )
        method.check_metric(metric)
        data.refuse_hopeless(metric, space.free, threads)
        which = method.standardized(how.standardize)
        problem = Problem.of(data, space, method, which, threads)
        seen, within, given = problem.data, problem.space, how.start is not None
        digest = "" if how.history is None else _digest(seen, method, metric, within, how.select, threads)
        runs = []
        for number in range(how.replicas):
            seed = stream_seed(how.seed, "replica", number)
            path = how.history
            if path is not None and number > 0:
                path = history_path(path, f"replica{number + 1}")
            history = History(path, how.watch)
            checkpoint = None if path is None else Checkpoint.of(path, f"{digest} {seed}")
            parts = seen, metric, within, seed, threads, history, checkpoint
            runs.append(Run[Any](*parts, scored=True, start_given=given))
        return cls(data, metric, space, threads, tuple(runs), problem, given)

    def learn(self, method: Method, select: str) -> list[Replica]:
        """Learn, and return the solutions or, with select="metric", the iterations with the best metric.

        If nothing better than given start weights is found, by the method's objective or by the metric, these
        are returned.
        """
        return [self._learned(run, method, select) for run in self.runs]

    def _learned(self, run: Run[Any], method: Method, select: str) -> Replica:
        solution = self.problem.learn(method, run)
        refuse_broken(method.name, solution)
        weights, loss, notes = solution.weights, solution.loss, dict(solution.notes)
        score, best, sign = run.score(weights), run.best, self.metric.sign
        if select == "metric" and best is not None and sign * best.score > sign * score:
            score, weights, loss = best.score, best.weights, best.loss
        if not solution.loss < solution.start_loss:
            start = run.space.project(run.space.start)
            if not sign * score > sign * run.score(start):
                return self._unimproved(run, method, solution)
        refuse_useless(method.name, weights)
        weights = self.problem.restored(weights, run.factor)
        score = self._score(weights)
        if self.problem.scaling is not None:
            notes["standardized"] = self.problem.scaling.which
        if run.factor != 1.0:
            notes["start_factor"] = run.factor
        named = Weights.from_array(self.data.feature_names, weights)
        remarks = tuple(self._remarks(method, solution, run.factor))
        records = run.history.records
        return Replica(run.seed, named, score, loss, solution.start_loss, records, notes, remarks=remarks)

    def _remarks(self, method: Method, solution: Solution, factor: float) -> Iterator[str]:
        if solution.unfinished is not None:
            yield still_improving(method.name, solution.unfinished)
        if self.problem.at_floor(solution.weights, factor):
            yield HARDLY_COUNT

    def _unimproved(self, run: Run[Any], method: Method, solution: Solution) -> Replica:
        """Return the start weights of a run that found no better ones, an error if the user gave none."""
        weights = self.space.start if self.start_given else np.zeros(0)
        if not weights.any():
            refuse_degenerate(method.name, solution)
        named, loss = Weights.from_array(self.data.feature_names, weights), solution.start_loss
        notes = {**solution.notes, "kept": KEPT_START}
        score, records = self._score(weights), run.history.records
        return Replica(run.seed, named, score, loss, loss, records, notes, improved=False)

    def _score(self, weights: FloatArray) -> float:
        stats = self.data.best_stats(self.metric, weights, self.threads)
        return float(self.metric.score(stats.sum(axis=0)))


def best_of(replicas: Sequence[Replica], method: Method, metric: Metric, select: str) -> Replica:
    """Return the replica with the best loss, or metric where losses cannot be compared."""
    by_metric = select == "metric" or method.sampled
    return min(replicas, key=lambda each: -metric.sign * each.score if by_metric else each.loss)


def _digest(
    data: TrainingData, method: Method, metric: Metric, space: Space, select: str, threads: int
) -> str:
    """Return a digest of all that determines a run but its seed, so that no other run resumes it.

    The build is part of it: another one may mean something else by the states of optimizers.
    """
    digest = hashlib.blake2b(digest_size=16)
    arrays = data.fingerprint_arrays(metric, threads)
    for array in [*arrays, space.start, space.lower, space.upper, space.free]:
        digest.update(np.ascontiguousarray(array).data)
    options = tuple(determinants(method).values())
    settings = (method.name, options, metric.signature, space.l1, space.l2, select, data.feature_names)
    digest.update(repr((*settings, Build.running().fingerprint)).encode())
    return digest.hexdigest()
