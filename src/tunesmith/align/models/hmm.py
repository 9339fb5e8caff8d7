"""The hidden Markov model of word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith import _native
from tunesmith.align.model import ALIGNMENT_MODELS, AlignmentModel, Parameters, check_null
from tunesmith.align.models.ibm1 import expect_ibm1
from tunesmith.align.training import Training
from tunesmith.corpus import Alignments
from tunesmith.options import option, require_at_least, same_option
from tunesmith.types import Float32Array

__all__ = ["Hmm"]

ROUNDS = 8
"""Ascent steps on the jump weights per M step; each increases the likelihood."""


@ALIGNMENT_MODELS.register("hmm")
@dataclass(frozen=True)
class Hmm(AlignmentModel):
    """A word's position depends on that of the word before it by the width of the jump (Vogel et al. 1996).

    An unaligned word (probability `null`) leaves the position unchanged (Och and Ney 2003). Training starts
    with `ibm1` iterations of IBM 1, and the two directions are trained to agree. Agreement needs plain
    counts: variational Bayes would treat the products of posteriors as rare events.

    O(n^2 m) per pair. Pairs with a side of more than 256 words are not used to train the HMM, and are aligned
    by its translation table and a diagonal prior.
    """

    name: ClassVar[str] = "hmm"

    smoothing: Literal["bayes", "additive"] = same_option(AlignmentModel, "smoothing", "additive")
    pseudo: float = same_option(AlignmentModel, "pseudo", 0.0)
    agreement: bool = same_option(AlignmentModel, "agreement", True)
    null: float = option(0.08, help="Probability that a word is unaligned.")
    ibm1: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_null(self.name, self.null)
        require_at_least(0, self.name, ibm1=self.ibm1)

    def train(self, training: Training) -> Parameters:
        for _ in range(self.ibm1):
            likelihood = expect_ibm1(training, agree=self.agreement)
            training.maximize("ibm1", likelihood, bayes=self.bayes, pseudo=self.pseudo)
        model = _native.HmmModel(self.null)
        for _ in range(self.em_iterations):
            likelihood = model.expect(
                training.cells, training.counts, self.agreement, ROUNDS, training.threads
            )
            training.maximize(self.name, likelihood, bayes=self.bayes, pseudo=self.pseudo)
        forward, reverse = model.jumps()
        return {"jumps.forward": forward, "jumps.reverse": reverse}

    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        forward, reverse = self.restored(parameters).decode(cells, threads)
        return Alignments(*forward), Alignments(*reverse)

    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        return self.restored(parameters).posteriors(cells, reverse, threads)

    def restored(self, parameters: Parameters) -> _native.HmmModel:
        """Return the native model of trained parameters."""
        model = _native.HmmModel(self.null)
        model.set_jumps(parameters["jumps.forward"], parameters["jumps.reverse"])
        return model
