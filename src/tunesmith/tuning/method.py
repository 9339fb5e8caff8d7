"""The interface of a method: a named combination of objectives and optimizers, over lists or forests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from tunesmith.candidates.pool import Pool
from tunesmith.errors import Message, OptionError, no_such_option
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.store import MEMORY
from tunesmith.memory import parse_bytes
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.options import check_option, check_options, option_types
from tunesmith.registry import Registry
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.standardize import Standardized
from tunesmith.tuning.tune_options import Selected

__all__ = ["METHODS", "ForestMethod", "Method", "check_learns_from", "configured", "methods_for"]

METHODS: Registry[type[Method]] = Registry("method", "tunesmith.tuning.methods")


@dataclass(frozen=True)
class Method(ABC):
    """A frozen dataclass; its fields are the method's options, in Python and on the command line."""

    name: ClassVar[str]
    summary: ClassVar[str]
    learns_from: ClassVar[type[TrainingData]] = Pool
    most_features: ClassVar[int | None] = None
    """With more free features than this, a warning is issued."""
    sampled: ClassVar[bool] = False
    """Whether the loss is of data drawn by the seed; replicas are then compared by the metric."""
    scale_free: ClassVar[bool] = False
    """Whether only the direction of the weights counts, not their size."""
    sizes_frozen: ClassVar[bool] = True
    """Whether the size of frozen weights beside the others is learned; exact line searches need not."""
    l2: ClassVar[float] = 0.0
    """The default strength of the L2 penalty."""
    standardizes: ClassVar[Standardized] = "none"
    """Which features are divided by their deviation within lists unless the call says otherwise."""
    per_sentence: ClassVar[bool] = True
    """Whether penalty strengths are divided by the number of sentences, as for a mean over sentences."""
    least_improvement: ClassVar[float] = 0.0
    """A tuning loop ends when a round improves the loss by no more than this share of it."""
    selects: ClassVar[Selected] = "objective"
    """Which weights a tuning loop selects unless the call says otherwise: the last, or the best by metric."""
    follows_loss: ClassVar[bool] = True
    """Whether steps follow the loss, so that weights which they cannot improve are where learning ends."""
    gone: ClassVar[Mapping[str, object]] = {}
    """Options of earlier versions, each with the value that did nothing: runs with it go on."""
    loss: ClassVar[str] = "the method's own objective"
    """What is minimized, in a few words; penalties are added to it."""

    def __post_init__(self) -> None:
        """Check the types of the options; methods that check more call this first."""
        check_options(self, self.name)

    @abstractmethod
    def learn(self, run: Run[Any]) -> Solution:
        """Tune on the run's data: `run.minimize(objective, optimizer)` per stage, seeded by `run.seed`."""

    def penalty_divisor(self, sentences: int) -> int:
        """Return what penalty strengths are divided by, for data of this number of sentences."""
        return sentences if self.per_sentence else 1

    def depends_on_scale(self, penalized: bool) -> bool:
        """Return whether another scale of one feature leads to another ranking.

        A penalty always makes it so, because it acts on the weights. Methods whose steps or draws treat the
        weights of all features alike override this.
        """
        return penalized or getattr(self, "optimizer", "lbfgs") != "lbfgs"

    def standardized(self, asked: bool | Standardized | None) -> Standardized:
        """Return which features to standardize: as asked for, True is all, else the method's default."""
        if asked is None:
            return self.standardizes
        if isinstance(asked, str):
            check_option("tune", "standardize", Standardized, asked)
            return asked
        return "all" if asked else "none"

    def without_effect(self, space: Space) -> Message | None:
        """Return what to tell of an option that has no effect in this space, None if all have one."""
        return None

    def check_metric(self, metric: Metric) -> None:  # noqa: B027 - most methods take any
        """Raise OptionError if the method cannot optimize a metric: before any work is done."""

    @classmethod
    def configure(cls, options: Mapping[str, object]) -> Self:
        """Build the method; an unknown option or a value of the wrong type is an OptionError."""
        known = option_types(cls)
        for name, value in options.items():
            if name not in known:
                raise no_such_option(name, cls.name, known)
            check_option(cls.name, name, known[name], value)
        return cls(**options)


@dataclass(frozen=True)
class ForestMethod(Method):
    """A method that learns from forests."""

    learns_from: ClassVar[type[TrainingData]] = ForestPool
    merges: ClassVar[bool] = True
    """Whether a tuning loop gives it the union of the forests of all rounds, or only the newest ones."""
    density: ClassVar[float] = 50.0
    """The number of edges per word of the reference that each part of such a union keeps."""
    context: ClassVar[int] = 0
    """The number of boundary words that distinguish nodes: 3 makes 4-gram counts local to edges."""

    memory: str = field(default=MEMORY, kw_only=True, metadata={"matters": False})
    """Memory for the compiled forests; the rest stays on disk, with the same results."""

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            parse_bytes(self.memory)
        except OptionError as error:
            text = "{owner}: " + error.message.template
            values = {**error.message.values, "owner": self.name}
            raise OptionError(text, *error.message.options, **values) from None


def methods_for(data: type[TrainingData]) -> list[str]:
    """Return the names of the methods that learn from this kind of data."""
    return [name for name, method in METHODS.items() if method.learns_from is data]


def configured(method: str | Method, options: Mapping[str, object]) -> Method:
    """Return a method with its options, which an instance of `Method` has already."""
    if isinstance(method, str):
        return METHODS[method].configure(options)
    if options:
        raise OptionError(
            f"options {sorted(options)} are given beside a configured method; set them on the method"
        )
    return method


_ADVICE = {
    "lists": "candidate lists: see `tunesmith tune nbest`, and `tunesmith forest nbest` to write lists",
    "forests": "forests: see `tunesmith tune forests` and `tunesmith tune model`",
}


def check_learns_from(method: Method, kind: str) -> None:
    """Raise OptionError unless the method learns from this kind of data, `lists` or `forests`."""
    if method.learns_from.noun != kind:
        raise OptionError(f"method {method.name!r} learns from {_ADVICE[method.learns_from.noun]}")
