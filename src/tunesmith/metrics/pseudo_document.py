"""The pseudo-document: context in which an online learner scores a sentence; for learners of users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.types import FloatArray, Stats

__all__ = ["PseudoDocument"]


@dataclass(frozen=True, eq=False)
class PseudoDocument:
    """A decaying sum O of the statistics of past sentences (Watanabe et al. 2007; Chiang et al. 2008).

    A sentence with statistics c has the score of O + c; then O becomes decay * (O + c). No built-in
    method uses it: `mira` updates background = decay * background + stats(hope), as kbmira does.
    """

    background: Stats
    decay: float = 0.9

    def __post_init__(self) -> None:
        """Check the decay."""
        if not 0 <= self.decay <= 1:
            raise OptionError(f"the decay of a pseudo-document must be 0 to 1, not {self.decay}")

    @classmethod
    def start(cls, metric: Metric, decay: float = 0.9) -> Self:
        """Return the initial document: ones, as in kbmira."""
        return cls(np.ones(metric.width), decay)

    def add(self, stats: Stats) -> PseudoDocument:
        """Return the document after a sentence."""
        return PseudoDocument(self.decay * (self.background + stats), self.decay)

    def gain(self, metric: Metric, stats: Stats) -> FloatArray:
        """Return the gain of sentences (one row each) within the document."""
        return metric.sentence_gain(stats, self.background)
