"""Annealing of objectives over n-gram expectations: what their recipes share."""

from __future__ import annotations

import dataclasses
from typing import Protocol, TypeVar

from tunesmith.objectives.forests.consensus import Consensus
from tunesmith.objectives.forests.linear_gain import LinearGain
from tunesmith.tune.annealing import anneal, geometric
from tunesmith.tune.forest_recipe import ForestTask
from tunesmith.tune.method import Solution
from tunesmith.tune.optimizer_choice import smooth_optimizer

__all__ = ["Schedule", "anneal_forests"]

ObjectiveT = TypeVar("ObjectiveT", Consensus, LinearGain)


class Schedule(Protocol):
    """The options that these recipes have in common."""

    @property
    def optimizer(self) -> str: ...
    @property
    def iterations(self) -> int: ...
    @property
    def rate(self) -> float: ...
    @property
    def gamma(self) -> float: ...
    @property
    def temperatures(self) -> int: ...
    @property
    def cooling(self) -> float: ...


def anneal_forests(task: ForestTask, objective: ObjectiveT, schedule: Schedule) -> Solution:
    """Minimize at each gamma up to the last; the notes tell the size of the forests as they were compiled."""
    gammas = geometric(schedule.gamma, schedule.temperatures, schedule.cooling)
    optimizer = smooth_optimizer(
        schedule.optimizer, iterations=schedule.iterations, rate=schedule.rate, batch=1, seed=task.seed
    )
    found = anneal(task, lambda gamma: dataclasses.replace(objective, gamma=gamma), optimizer, gammas)
    corpus = objective.corpus
    about = {"edges": corpus.edge_count, "bytes_an_edge": round(corpus.bytes_an_edge, 1)}
    return dataclasses.replace(found, notes={**found.notes, **about})
