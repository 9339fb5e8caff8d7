"""IBM model 4: fertilities, and distortions that depend on word classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tunesmith import _native
from tunesmith.align.model import ALIGNMENT_MODELS, AlignmentModel, Parameters, check_null
from tunesmith.align.models.hmm import Hmm
from tunesmith.align.training import Training
from tunesmith.corpus import Alignments, Sentences
from tunesmith.options import option, require_at_least, same_option
from tunesmith.types import Float32Array, Int32Array

__all__ = ["Ibm4"]

PASSES = 5
"""Passes of the exchange algorithm over the words; later ones change little."""


@ALIGNMENT_MODELS.register("ibm4")
@dataclass(frozen=True)
class Ibm4(AlignmentModel):
    """A word makes some words (fertility), placed relative to those of the word before (Brown et al. 1993).

    Training starts with `ibm1` iterations of IBM 1 and `hmm` of the HMM (Och and Ney 2003). Each iteration
    climbs from the HMM's Viterbi alignment of a pair by moves of one word and swaps of two, and counts over
    the alignment found and its neighbors. Distortions depend on `classes` classes per side, clustered here.

    O(n m) neighbors per step of a climb, most of them excluded by their translation probability. Pairs with
    a side of more than 256 words are treated as by the HMM.
    """

    name: ClassVar[str] = "ibm4"

    em_iterations: int = same_option(AlignmentModel, "em_iterations", 3)
    smoothing: Literal["bayes", "additive"] = same_option(AlignmentModel, "smoothing", "additive")
    pseudo: float = same_option(AlignmentModel, "pseudo", 0.0)
    agreement: bool = same_option(AlignmentModel, "agreement", True)
    null: float = same_option(Hmm, "null")
    ibm1: int = 5
    hmm: int = option(5, help="ibm4: iterations of the HMM that training starts with.", least=1)
    classes: int = option(50, help="ibm4: word classes per side.", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_null(self.name, self.null)
        require_at_least(0, self.name, ibm1=self.ibm1)

    @property
    def predecessor(self) -> Hmm:
        """The HMM whose Viterbi alignments climbing starts from."""
        return Hmm(
            em_iterations=self.hmm,
            smoothing=self.smoothing,
            pseudo=self.pseudo,
            agreement=self.agreement,
            null=self.null,
            ibm1=self.ibm1,
        )

    def train(self, training: Training) -> Parameters:
        before, bitext = training.before, training.bitext
        hmm = self.predecessor.restored(before)
        source, target = (
            _cluster(side, self.classes, training.threads) for side in (bitext.source, bitext.target)
        )
        model = _native.Ibm4Model(hmm, self.null, source, target, self.classes)
        model.start(training.cells, training.threads)
        for _ in range(self.em_iterations):
            likelihood = model.expect(training.cells, training.counts, self.agreement, training.threads)
            training.maximize(self.name, likelihood, bayes=self.bayes, pseudo=self.pseudo)
        parameters = {
            **before,
            "classes.source": source.astype(np.float64),
            "classes.target": target.astype(np.float64),
        }
        for reversed_, name in ((False, "forward"), (True, "reverse")):
            distortion, fertility = model.tables(reversed_)
            parameters[f"distortion.{name}"] = distortion.astype(np.float64)
            parameters[f"fertility.{name}"] = fertility.astype(np.float64)
        return parameters

    def links(
        self, parameters: Parameters, cells: _native.PairCells, threads: int
    ) -> tuple[Alignments, Alignments]:
        forward, reverse = self._restored(parameters).decode(cells, threads)
        return Alignments(*forward), Alignments(*reverse)

    def posteriors(
        self, parameters: Parameters, cells: _native.PairCells, *, reverse: bool, threads: int
    ) -> Float32Array:
        return self._restored(parameters).posteriors(cells, reverse, threads)

    def _restored(self, parameters: Parameters) -> _native.Ibm4Model:
        source, target = (parameters[f"classes.{side}"].astype(np.int32) for side in ("source", "target"))
        hmm = self.predecessor.restored(parameters)
        model = _native.Ibm4Model(hmm, self.null, source, target, self.classes)
        for reversed_, name in ((False, "forward"), (True, "reverse")):
            distortion, fertility = (
                parameters[f"{kind}.{name}"].astype(np.float32) for kind in ("distortion", "fertility")
            )
            model.set_tables(reversed_, distortion, fertility)
        return model


def _cluster(sentences: Sentences, classes: int, threads: int) -> Int32Array:
    """Return the class of each word, -1 for words that do not occur. Unknown words are skipped."""
    size = len(sentences.vocabulary)
    words, offsets = sentences.arrays
    known = words >= 0
    before = np.concatenate([[0], np.cumsum(known, dtype=np.int64)])
    found, *_ = _native.exchange_classes(
        words[known], before[offsets], size, min(classes, max(size, 1)), PASSES, threads, lambda *_: None
    )
    return np.asarray(found, dtype=np.int32)
