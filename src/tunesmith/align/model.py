"""What an alignment model is: options, training, best links and posteriors, always of both directions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from tunesmith import _native
from tunesmith.align.training import Training
from tunesmith.corpus import Alignments
from tunesmith.errors import OptionError, suggest
from tunesmith.options import check_options, option_types, require_at_least
from tunesmith.registry import Registry
from tunesmith.types import Float32Array, FloatArray

__all__ = ["ALIGNMENT_MODELS", "AlignmentModel", "Parameters", "check_null", "get_model"]

Parameters: TypeAlias = Mapping[str, FloatArray]
"""What a model learns besides the translation table."""


@dataclass(frozen=True)
class AlignmentModel(ABC):
    """A model of p(target | source) and of p(source | target); forward is the first of them.

    `iterations` of EM. `pseudo` is added to translation counts (smoothing "additive"), or is their
    Dirichlet prior under variational Bayes ("bayes", Johnson 2007), which favors few translations a word.
    With `agreement` both directions learn from the product of their posteriors (Liang et al. 2006).
    """

    name: ClassVar[str]

    iterations: int = 5
    smoothing: Literal["bayes", "additive"] = "bayes"
    pseudo: float = 0.01
    agreement: bool = False

    def __post_init__(self) -> None:
        check_options(self, self.name)
        require_at_least(1, self.name, iterations=self.iterations)
        require_at_least(0, self.name, pseudo=self.pseudo)
        if self.smoothing == "bayes" and self.pseudo == 0:
            raise OptionError(
                f"{self.name}: variational Bayes needs a pseudo above 0; choose smoothing additive"
            )

    @property
    def bayes(self) -> bool:
        """Whether the translation table is smoothed by variational Bayes."""
        return self.smoothing == "bayes"

    @abstractmethod
    def train(self, training: Training) -> Parameters:
        """Learn; the translation probabilities end in `training.table`, all else is returned."""

    @abstractmethod
    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        """Return the best links of a bitext: forward, reverse."""

    @abstractmethod
    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        """Return the posteriors of all links of a direction, the matrices one after the other."""


ALIGNMENT_MODELS: Registry[type[AlignmentModel]] = Registry("alignment model", "tunesmith.align.models")


def get_model(model: str | AlignmentModel, **options: object) -> AlignmentModel:
    """Build a model by name; an unknown option is an error with a suggestion."""
    if isinstance(model, AlignmentModel):
        if options:
            raise OptionError("options are given with the name of a model, not with a model")
        return model
    chosen = ALIGNMENT_MODELS[model]
    for option in options:
        if option not in option_types(chosen):
            raise OptionError(f"{model} has no option {option!r}{suggest(option, option_types(chosen))}")
    return chosen(**options)  # type: ignore[arg-type]


def check_null(name: str, null: float) -> None:
    """Raise OptionError unless 0 < null < 1."""
    if not 0 < null < 1:
        raise OptionError(f"{name}: null must be between 0 and 1, not {null}")
