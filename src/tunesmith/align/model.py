"""The interface of alignment models: options, training, best links and posteriors, in both directions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith import _native
from tunesmith.align.training import Parameters, Training
from tunesmith.corpus import Alignments
from tunesmith.errors import OptionError
from tunesmith.options import build, check_options, option
from tunesmith.registry import Registry
from tunesmith.types import Float32Array

__all__ = ["ALIGNMENT_MODELS", "AlignmentModel", "Parameters", "check_null", "get_model"]


@dataclass(frozen=True)
class AlignmentModel(ABC):
    """A model of p(target | source), forward, and of p(source | target), reverse."""

    name: ClassVar[str]

    em_iterations: int = option(5, help="Iterations of EM.", least=1)
    smoothing: Literal["bayes", "additive"] = option(
        "bayes",
        help="additive, or bayes: variational Bayes (Johnson 2007), which favors few translations per word.",
    )
    pseudo: float = option(
        0.01, help="Added to translation counts (additive), or their Dirichlet prior (bayes).", least=0
    )
    agreement: bool = option(
        False, help="Learn from the product of both directions' posteriors (Liang et al. 2006)."
    )

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if self.smoothing == "bayes" and self.pseudo == 0:
            raise OptionError(
                "{owner}: variational Bayes needs a {} above 0; choose {} additive",
                "pseudo",
                "smoothing",
                owner=self.name,
            )

    @property
    def bayes(self) -> bool:
        """Whether the translation table is smoothed by variational Bayes."""
        return self.smoothing == "bayes"

    @property
    def predecessor(self) -> AlignmentModel | None:
        """The model whose training this one continues; None if it starts from uniform probabilities."""
        return None

    @abstractmethod
    def train(self, training: Training) -> Parameters:
        """Train; translation probabilities are left in `training.table`, other parameters are returned.

        With a `predecessor`, the table and `training.before` are those that it was trained to.
        """

    @abstractmethod
    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        """Return the best links of a bitext: forward, reverse."""

    @abstractmethod
    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        """Return the posteriors of all links of a direction, as concatenated matrices."""


ALIGNMENT_MODELS: Registry[type[AlignmentModel]] = Registry("alignment model", "tunesmith.align.models")


def get_model(model: str | AlignmentModel, **options: object) -> AlignmentModel:
    """Build a model by name; an unknown option is an error with a suggestion."""
    if isinstance(model, AlignmentModel):
        if options:
            raise OptionError("options need the name of a model, not a model object")
        return model
    return build(ALIGNMENT_MODELS[model], model, options)


def check_null(name: str, null: float) -> None:
    """Raise OptionError unless 0 < null < 1."""
    if not 0 < null < 1:
        raise OptionError("{owner}: {} must be between 0 and 1, not {null}", "null", owner=name, null=null)
