"""IBM model 1: translation probabilities independent of word positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.align.model import ALIGNMENT_MODELS, AlignmentModel, Parameters
from tunesmith.align.training import Training
from tunesmith.corpus import Alignments
from tunesmith.types import Float32Array

__all__ = ["Ibm1", "expect_ibm1"]

EVEN = -1.0
"""No separate probability of the empty word: it is one more position, 1 / (n + 1)."""
FLAT = (0.0, 0.0)


def expect_ibm1(training: Training, *, agree: bool) -> tuple[float, float]:
    """Run the E step; return the log likelihoods, forward and reverse."""
    likelihood, _ = _native.expect_mixture(
        training.cells, training.counts, EVEN, FLAT, False, agree, training.threads
    )
    return likelihood


@ALIGNMENT_MODELS.register("ibm1")
@dataclass(frozen=True)
class Ibm1(AlignmentModel):
    """p(f_j | e) = sum_{i=0..n} t(f_j | e_i) / (n + 1), with e_0 the empty word (Brown et al. 1993)."""

    name: ClassVar[str] = "ibm1"

    def train(self, training: Training) -> Parameters:
        for _ in range(self.em_iterations):
            likelihood = expect_ibm1(training, agree=self.agreement)
            training.maximize(self.name, likelihood, bayes=self.bayes, pseudo=self.pseudo)
        return {}

    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        forward, reverse = _native.decode_mixture(cells, EVEN, FLAT, threads)
        return Alignments(*forward), Alignments(*reverse)

    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        return _native.mixture_posteriors(cells, EVEN, FLAT, reverse, threads)
