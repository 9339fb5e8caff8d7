"""Perplexities of language models and of their mixture on the same text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.lm.mixture_weights import MixtureText
from tunesmith.lm.model import LanguageModel
from tunesmith.lm.score import Perplexity
from tunesmith.types import BoolArray, FloatArray

__all__ = ["MixturePerplexities", "ModelPerplexity", "mixture_perplexities"]


@dataclass(frozen=True)
class ModelPerplexity:
    """Of one model: unknown words, perplexity over all tokens (unknown words as `<unk>`), and over the words
    that every model has, the only one that can be compared between vocabularies."""

    unknown: int
    perplexity: float
    of_common_words: float


@dataclass(frozen=True)
class MixturePerplexities:
    """Perplexities on a text, whose tokens include one `</s>` per sentence.

    `common` tokens are in every model, `unknown_to_some` in some, `unknown_to_all` in none. `exact` is the
    mixture without backing off, `written` the mixture as one back-off model.
    """

    sentences: int
    tokens: int
    common: int
    unknown_to_some: int
    unknown_to_all: int
    alone: tuple[ModelPerplexity, ...]
    exact: ModelPerplexity
    written: ModelPerplexity


def mixture_perplexities(
    text: MixtureText, weights: Sequence[float], written: LanguageModel, *, threads: int | None = None
) -> MixturePerplexities:
    """Compare models, their exact mixture, and the mixture as written."""
    scored = written.score_text(text.text, threads=threads)

    def perplexity(scores: FloatArray, unknown: BoolArray) -> ModelPerplexity:
        def over(wanted: BoolArray) -> float:
            score = float(scores[wanted].sum())
            return Perplexity(len(text.text), int(wanted.sum()), 0, score, score).including_unknown

        everything = np.ones_like(unknown)
        return ModelPerplexity(int(unknown.sum()), over(everything), over(text.known_to_all))

    common, none = int(text.known_to_all.sum()), int(text.unknown_to_all.sum())
    columns = range(text.scores.shape[1])
    return MixturePerplexities(
        sentences=len(text.text),
        tokens=len(text.scores),
        common=common,
        unknown_to_some=len(text.scores) - common - none,
        unknown_to_all=none,
        alone=tuple(perplexity(text.scores[:, i], text.unknown[:, i]) for i in columns),
        exact=perplexity(text.mixed(weights), text.unknown_to_all),
        written=perplexity(scored.scores.astype(np.float64), scored.unknown),
    )
