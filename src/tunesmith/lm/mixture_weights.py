"""Weights of a mixture of language models, fitted to a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError
from tunesmith.lm.model import LanguageModel
from tunesmith.types import BoolArray, FloatArray

__all__ = ["TOLERANCE", "MixtureText", "WeightFit"]

TOLERANCE = 1e-9
"""Of the change of the mean log-likelihood per token at which EM stops."""
_MOST_ITERATIONS = 100_000
_LEAST_WEIGHT = 1e-9
"""Of a model in a fit: that of a useless one would become 0, with which it cannot be mixed."""


@dataclass(frozen=True)
class WeightFit:
    """Most likely weights, and the tokens they were fitted to."""

    weights: tuple[float, ...]
    iterations: int
    tokens: int
    converged: bool = True
    """False if the limit of iterations was reached before the tolerance."""


@dataclass(frozen=True, eq=False)
class MixtureText:
    """A text word by word under several models: rows are tokens, `</s>` among them, columns are models.

    `scores` are natural logs of p_i(w | h), of `<unk>` where `unknown` says that the model lacks the word.
    In the mixture a model gives nothing to a word that it lacks and another has; a word that all lack is
    `<unk>` in each, and in the mixture.
    """

    text: Sentences
    scores: FloatArray
    unknown: BoolArray

    @classmethod
    def score(
        cls,
        models: Sequence[LanguageModel],
        text: Sentences | Iterable[str],
        *,
        threads: int | None = None,
    ) -> MixtureText:
        """Score sentences, each between `<s>` and `</s>`, with each model."""
        sentences = text if isinstance(text, Sentences) else Sentences.of(text)
        scored = [model.score_text(sentences, threads=threads) for model in models]
        return cls(
            sentences,
            np.stack([each.scores.astype(np.float64) for each in scored], axis=1),
            np.stack([each.unknown for each in scored], axis=1),
        )

    @cached_property
    def unknown_to_all(self) -> BoolArray:
        """The tokens that no model has."""
        return np.asarray(self.unknown.all(axis=1))

    @cached_property
    def known_to_all(self) -> BoolArray:
        """The tokens that every model has."""
        return np.asarray(~self.unknown.any(axis=1))

    @cached_property
    def contributions(self) -> FloatArray:
        """Natural logs of what models give to tokens before weighting; -inf for words that they lack."""
        lacking = self.unknown & ~self.unknown_to_all[:, None]
        return np.where(lacking, -np.inf, self.scores)

    def fit(self, tolerance: float = TOLERANCE) -> WeightFit:
        """Return the weights with the largest likelihood of the text, by expectation maximization (EM).

        From equal weights, each becomes its mean posterior over tokens,

            lambda_i <- mean of lambda_i p_i(w | h) / sum_j lambda_j p_j(w | h),

        until the mean log-likelihood grows by `tolerance` or less (Jelinek and Mercer 1980), or for 100,000
        iterations. Then weights below 1e-9 become 1e-9, and the sum 1. Words that all models lack do not
        count: the probabilities of `<unk>` follow the conventions of estimators, not the text. Nor do words
        of probability 0 in all models. O(tokens x models) per iteration.
        """
        logs = self.contributions[~self.unknown_to_all]
        best = logs.max(axis=1, initial=-np.inf)
        logs, best = logs[np.isfinite(best)], best[np.isfinite(best)]
        if not len(logs):
            raise InputError("the text has no word that one of the models knows; give another text")
        shares = np.exp(logs - best[:, None])
        weights = np.full(logs.shape[1], 1 / logs.shape[1])
        before, iterations, converged = -np.inf, 0, False
        while iterations < _MOST_ITERATIONS:
            joint = shares * weights
            mixed = joint.sum(axis=1)
            likelihood = float(np.log(mixed).mean())
            if likelihood - before <= tolerance:
                converged = True
                break
            weights = (joint / mixed[:, None]).mean(axis=0)
            weights /= weights.sum()
            before, iterations = likelihood, iterations + 1
        if weights.min() < _LEAST_WEIGHT:
            weights = np.maximum(weights, _LEAST_WEIGHT)
            weights /= weights.sum()
        return WeightFit(tuple(weights.tolist()), iterations, len(logs), converged)

    def mixed(self, weights: Sequence[float]) -> FloatArray:
        """Return the natural logs of the exact mixture, sum_i lambda_i p_i(w | h), per token."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.logaddexp.reduce(self.contributions + np.log(weights), axis=1))
