"""The diagonal reparameterization of IBM model 2, as in fast_align."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith import _native
from tunesmith.align.model import ALIGNMENT_MODELS, AlignmentModel, Parameters, check_null
from tunesmith.align.training import Training
from tunesmith.corpus import Alignments
from tunesmith.options import require_at_least, require_at_most, same_option
from tunesmith.types import Float32Array

__all__ = ["Diagonal"]

STEPS = 8
"""Gradient steps on the tension per iteration, as in fast_align."""


@ALIGNMENT_MODELS.register("diagonal")
@dataclass(frozen=True)
class Diagonal(AlignmentModel):
    """p(i | j, n, m) = (1 - null) exp(-tension |i/n - j/m|) / Z_j (Dyer, Chahuneau and Smith 2013).

    The tension is learned from the second iteration on: by fast_align's gradient, by the gradient of the
    likelihood, which gives a higher tension, or not at all. fast_align's 5 iterations update the
    parameters 4 times, and the last one only aligns: this equals 4 iterations here.
    """

    name: ClassVar[str] = "diagonal"

    em_iterations: int = same_option(AlignmentModel, "em_iterations", 4)
    null: float = 0.08
    tension: float = 4.0
    gradient: Literal["fast_align", "likelihood", "none"] = "fast_align"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_null(self.name, self.null)
        require_at_least(0, self.name, tension=self.tension)
        require_at_most(14, self.name, tension=self.tension)

    def train(self, training: Training) -> Parameters:
        lengths = _native.LengthPairs(training.cells)
        likelihood_gradient = self.gradient == "likelihood"
        tension = (self.tension, self.tension)
        for iteration in range(self.em_iterations):
            likelihood, observed = _native.expect_mixture(
                training.cells,
                training.counts,
                self.null,
                tension,
                likelihood_gradient,
                self.agreement,
                training.threads,
            )
            if iteration > 0 and self.gradient != "none":
                forward, reverse = (
                    lengths.update_tension(
                        tension[side],
                        observed[side],
                        likelihood_gradient,
                        bool(side),
                        STEPS,
                        training.threads,
                    )
                    for side in (0, 1)
                )
                tension = (forward, reverse)
            training.maximize(self.name, likelihood, bayes=self.bayes, pseudo=self.pseudo)
        return {"tension": np.array(tension)}

    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        forward, reverse = _native.decode_mixture(cells, self.null, _tension(parameters), threads)
        return Alignments(*forward), Alignments(*reverse)

    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        return _native.mixture_posteriors(cells, self.null, _tension(parameters), reverse, threads)


def _tension(parameters: Parameters) -> tuple[float, float]:
    forward, reverse = parameters["tension"]
    return float(forward), float(reverse)
