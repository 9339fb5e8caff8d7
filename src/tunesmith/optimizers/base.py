"""The interface of optimizers: a start and a step, with everything they remember in a state.

A state is a value that survives writing and reading: a killed run resumes from its last step, with the same
result as an uninterrupted one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args, get_origin

from tunesmith.objectives.base import Objective
from tunesmith.optimizers.space import Space
from tunesmith.options import check_options
from tunesmith.registry import Registry
from tunesmith.types import FloatArray

__all__ = ["OPTIMIZERS", "Optimizer", "State", "Trace"]

Trace = Callable[[float, FloatArray], None]
"""Called with (penalized loss, weights) at every iteration, for history and progress."""


@dataclass(frozen=True, eq=False)
class State:
    """State of an optimizer: the weights to report, their penalized loss, and its memory."""

    weights: FloatArray
    loss: float
    steps: int = 0
    done: bool = False
    memory: Mapping[str, FloatArray] = field(default_factory=dict)


ObjectiveT = TypeVar("ObjectiveT", bound=Objective)


class Optimizer(ABC, Generic[ObjectiveT]):
    """A frozen dataclass of options; `step` is a pure function of its arguments."""

    def __post_init__(self) -> None:
        """Check the types of the options; a subclass calls this before checks of its own."""
        check_options(self, type(self).__name__)

    @classmethod
    def takes(cls) -> type[Objective]:
        """Return the type of objective it minimizes: X of `class Own(Optimizer[X])`."""
        bases: tuple[Any, ...] = getattr(cls, "__orig_bases__", ())
        kinds = (get_args(base)[0] for base in bases if get_origin(base) is Optimizer)
        kind: type[Objective] = next(kinds, Objective)
        return kind

    def start(self, objective: ObjectiveT, space: Space) -> State:
        """Return the state before the first step."""
        weights = space.project(space.start)
        return State(weights, objective.loss(weights) + space.penalty(weights))

    def limit(self, state: State) -> str | None:
        """Return the option that limits the steps if it ended them; None if they ended by themselves."""
        return None

    @abstractmethod
    def step(self, objective: ObjectiveT, space: Space, state: State, trace: Trace) -> State:
        """Return the state after one step, `done` if it was the last."""


OPTIMIZERS: Registry[type[Optimizer[Any]]] = Registry("optimizer", "tunesmith.optimizers")
