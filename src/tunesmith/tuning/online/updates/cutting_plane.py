"""The cutting-plane form of MIRA: several constraints per sentence, solved by SMO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.options import option, require_positive
from tunesmith.systems.candidates import Candidates
from tunesmith.tuning.online.updates.base import UPDATES, Example, OnlineUpdate, Step
from tunesmith.types import FloatArray

__all__ = ["CuttingPlaneUpdate"]

_SWEEPS = 1000
"""Limit on the pair optimizations per constraint; a few dozen are usual."""


@UPDATES.register("cutting-plane")
@dataclass(frozen=True)
class CuttingPlaneUpdate(OnlineUpdate):
    """min 1/2 |w' - w|^2 + c xi with xi >= B(hope) - B(e) - w'.(f(hope) - f(e)) for the candidates e of a set
    that begins with the hope itself and grows by the most violated one until none is violated by more than
    `tolerance` beyond xi, or it has `planes` (Chiang 2012, figures 2 and 3).

    In the dual, sum alpha_e = c, and w' = w + sum_e alpha_e (f(hope) - f(e)); sequential minimal optimization
    moves mass between two candidates at a time. Scores under w' need the features of all candidates, so that
    a sentence costs far more than with one step. O(planes * entries + planes^2) per sentence. With adaptive
    rates the sum is divided by sqrt(s_i), as in one step.
    """

    name: ClassVar[str] = "cutting-plane"
    summary: ClassVar[str] = "the smallest change that satisfies the margins of several candidates"
    needs_lists: ClassVar[bool] = True

    c: float = option(0.01, help="Largest sum of steps.")
    rate: float = option(1.0, help="Factor of all steps (eta).")
    planes: int = option(10, help="Largest number of constraints per sentence.", least=1)
    tolerance: float = option(0.0001, help="Violation that is left.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, c=self.c, rate=self.rate)

    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        if not example.violated:
            return None
        matrix = _Differences(example.candidates, example.hope)
        losses = example.gains[example.hope] - example.gains
        margins = example.candidates.scores[example.hope] - example.candidates.scores
        chosen, alphas = self.solve(matrix.rows, losses, margins, example.hope)
        if not alphas[1:].any():
            return None
        direction = _native.FeatureVector()
        for candidate, alpha in zip(chosen[1:], alphas[1:].tolist(), strict=True):
            if alpha:
                direction.add(example.candidates.difference(example.hope, candidate), alpha)
        _native.move_weights(step.store, direction, 1.0, self.rate * step.share, step.adaptive, step.number)
        return direction or None

    def solve(
        self, rows: FloatArray, losses: FloatArray, margins: FloatArray, hope: int
    ) -> tuple[list[int], FloatArray]:
        """Return the candidates of the set, the hope first, and their alphas.

        `rows` are f(hope) - f(e), `losses` B(hope) - B(e), `margins` w.(f(hope) - f(e)), of all candidates.
        """
        chosen, alphas = [hope], np.array([self.c])
        change = np.zeros(rows.shape[1])
        while len(chosen) <= self.planes:
            violations = losses - margins - rows @ change
            worst = int(np.argmax(violations))
            if violations[worst] <= max(float(violations[chosen].max()), 0.0) + self.tolerance:
                break
            chosen.append(worst)
            alphas = self._optimized(rows[chosen], (losses - margins)[chosen], np.append(alphas, 0.0))
            change = alphas @ rows[chosen]
        return chosen, alphas

    def _optimized(self, rows: FloatArray, slack: FloatArray, alphas: FloatArray) -> FloatArray:
        """Maximize sum alpha_e slack_e - 1/2 |sum alpha_e row_e|^2 subject to sum alpha_e = c, alpha >= 0.

        Each step moves mass between the pair with the steepest ascent: from the smallest gradient with mass
        to the largest.
        """
        gram = rows @ rows.T
        for _ in range(_SWEEPS):
            gradient = slack - gram @ alphas
            up = int(np.argmax(gradient))
            down = int(np.argmin(np.where(alphas > 0, gradient, np.inf)))
            rise = gradient[up] - gradient[down]
            if rise <= 0.1 * self.tolerance:
                break
            curvature = gram[up, up] + gram[down, down] - 2.0 * gram[up, down]
            moved = alphas[down] if curvature <= 0 else min(alphas[down], rise / curvature)
            alphas[up] += moved
            alphas[down] -= moved
        return alphas


class _Differences:
    """f(hope) - f(e) of all candidates as rows of a matrix with a column per feature that occurs."""

    def __init__(self, candidates: Candidates, hope: int) -> None:
        vectors = [candidates.features(index) for index in range(len(candidates.scores))]
        keys = np.concatenate([vector.keys for vector in vectors])
        values = np.concatenate([vector.values for vector in vectors])
        rows = np.repeat(np.arange(len(vectors)), [len(vector) for vector in vectors])
        order, columns = np.unique(keys, return_inverse=True)
        dense = np.zeros((len(vectors), len(order)))
        dense[rows, columns] = values
        self.rows: FloatArray = dense[hope] - dense
