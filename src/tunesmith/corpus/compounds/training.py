"""Weights of the log-linear splitter, by conditional likelihood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from tunesmith.corpus.compounds.features import arc_features, feature_names
from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.corpus.compounds.parts import WHOLE, PartFinder
from tunesmith.corpus.compounds.splitter import CompoundSplitter
from tunesmith.corpus.compounds.teacher import teach_with_linkers
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT, WordCounts
from tunesmith.errors import InputError
from tunesmith.threads import one_blas_thread
from tunesmith.types import FloatArray

__all__ = ["Guide", "SegmentationLoss", "train_splitter"]

Guide = Callable[[WordLattices, WordCounts], FloatArray]
"""Returns for each arc, in (0, 1], how well a dictionary supports the part; 1 for whole words."""

TRAINING_WORDS = 50_000
"""Maximum number of training words: more do not change two dozen weights."""

PENALTY = 1e-5


@dataclass(frozen=True, eq=False)
class SegmentationLoss:
    """Mean cross entropy per word between a teacher and the model, plus an L2 penalty.

    p(s | w) is proportional to exp(sum over arcs a of s of theta . f(a)), Dyer's (2009) model.
    With q(a), p(a) the probabilities of arcs under teacher and model, and n words, up to a constant

        loss = 1/n sum_w (log Z_w - sum_a q(a) theta . f(a)) + penalty/2 |theta|^2
        gradient = 1/n sum_a (p(a) - q(a)) f(a) + penalty theta
    """

    lattices: WordLattices
    features: FloatArray
    teacher: FloatArray
    penalty: float = PENALTY

    def __call__(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return loss and gradient. O(arcs x features)."""
        scores = self.features @ weights
        totals, posteriors = self.lattices.posteriors(scores)
        n = max(len(self.lattices), 1)
        loss = (totals.sum() - self.teacher @ scores) / n + 0.5 * self.penalty * (weights @ weights)
        gradient = (posteriors - self.teacher) @ self.features / n + self.penalty * weights
        return float(loss), gradient


def train_splitter(
    words: WordCounts,
    options: CompoundOptions | None = None,
    *,
    guide: Guide | None = None,
    progress: Callable[[str], None] | None = None,
) -> CompoundSplitter:
    """Learn a splitter from the words of a text.

    The teacher is Koehn and Knight's score; counts of parts are scaled by the frequency of their linkers, and
    by the guide's support, if there is one. Each training word is excluded from its own count, so that words
    seen once stand for unknown words. The result depends only on the words.
    """
    chosen = CompoundOptions() if options is None else options
    report = progress or (lambda line: None)
    if not len(words):
        raise InputError("found no words to learn compounds from; expected tokenized text")
    finder = PartFinder(words, chosen)
    lattices = WordLattices.of(_evenly(words.keys), finder, words.numbers)
    report(f"{len(words)} words, {finder.part_count} of them may be parts; {len(lattices)} can be split")
    counts = words.counts[lattices.parts[lattices.whole]] - 1
    values = words.counts[lattices.parts].astype(np.float64)
    values[lattices.whole] = np.maximum(counts, UNKNOWN_COUNT)
    supports = np.zeros(len(words))
    if guide is not None and len(lattices):
        support = guide(lattices, words)
        supports = _mean_support(lattices, support, len(words))
        values *= support
        report("the dictionary has weighed the parts")
    names = feature_names(chosen.linker_list)
    weights = np.zeros(len(names))
    if len(lattices):
        features = arc_features(lattices, words, chosen.linker_list, supports, counts)
        teacher = teach_with_linkers(lattices, values, chosen.max_parts, len(chosen.linker_list))
        weights, loss, iterations = _fit(lattices, features, teacher)
        report(f"loss {loss:.6f} after {iterations} iterations")
    return CompoundSplitter(words, chosen, dict(zip(names, weights.tolist(), strict=True)), supports)


def _fit(lattices: WordLattices, features: FloatArray, teacher: FloatArray) -> tuple[FloatArray, float, int]:
    """Return the best weights, their loss and the iterations of L-BFGS.

    Log frequencies, their squares and counts of parts are correlated, which slows L-BFGS: features are
    decorrelated first. The penalty is in that space: on the mean square of scores, not on weights, whose size
    depends on units. Features that never occur keep a weight of 0.
    """
    with one_blas_thread():
        sizes, directions = np.linalg.eigh(features.T @ features / len(features))
        kept = sizes > 1e-9 * sizes[-1]
        basis = directions[:, kept] / np.sqrt(sizes[kept])
        loss = SegmentationLoss(lattices, features @ basis, teacher)
        found = minimize(
            loss, np.zeros(basis.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}
        )
        weights = np.where(features.any(axis=0), basis @ found.x, 0.0)
        return weights, float(found.fun), int(found.nit)


def _evenly(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return every k-th word, with the smallest k that gives at most the wanted number."""
    step = -(-len(keys) // TRAINING_WORDS)
    return keys[::step]


def _mean_support(lattices: WordLattices, support: FloatArray, size: int) -> FloatArray:
    """Return for each word the mean log support over its uses as a part, minus the mean of all.

    Means of few uses are shrunk to the mean of all; words that are never parts have exactly that.
    """
    split = lattices.linkers != WHOLE
    logs = np.log(support[split])
    numbers = lattices.parts[split]
    middle = logs.mean()
    sums = np.bincount(numbers, weights=logs - middle, minlength=size)
    result: FloatArray = sums / (np.bincount(numbers, minlength=size) + 1.0)
    return result
