"""BLEU oracles (Li and Khudanpur 2009): derivations with the best or worst BLEU, hope and fear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.references import reference_texts
from tunesmith.forest.scores import Scores, model_scores
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.plain_ngrams import require_plain_words
from tunesmith.types import FloatArray, Stats

__all__ = ["BleuOracle", "is_monotone", "nbest_oracle_bleu", "oracle_bleu"]

MAX_WORK = 200_000_000


@dataclass(frozen=True, eq=False)
class BleuOracle:
    """A derivation with its scores."""

    derivation: Derivation
    """With its model score."""
    score: float
    """model_weight * model + metric_weight * gain."""
    gain: float
    """BLEU of the sentence, or B if there is a background."""
    stats: Stats
    """The statistics of the sentence alone."""

    @property
    def model(self) -> float:
        """The model score: the sum of edge scores."""
        return self.derivation.score


def oracle_bleu(
    forest: Forest,
    references: Sequence[str],
    *,
    metric: Bleu | None = None,
    background: Stats | None = None,
    scaled: bool | None = None,
    scores: Scores | None = None,
    model_weight: float = 0.0,
    metric_weight: float = 1.0,
    beam: int | None = 32,
    max_work: int = MAX_WORK,
) -> BleuOracle:
    """Return argmax over derivations of model_weight * score + metric_weight * gain.

    The oracle has weights (0, 1), its opposite (0, -1), hope (1, 1) and fear (1, -1). `gain` is the sentence
    score of `metric` (`Bleu()`, that is add-one, unless given); with a `background`, the statistics of
    other sentences (Chiang et al. 2008), it is B = BLEU(background + stats) * size(background + stats),
    as in `mira`: the size is the reference length. `scaled` decides otherwise whether the gain is multiplied
    by this size. Matches are clipped as BLEU clips them, to the largest count in any one reference. If
    `model_weight` is 0, `scores` decide among equal gains.

    Dynamic programming over contexts, lengths, matches, and counts of the n-grams that a derivation may have
    more often than the references; dominated items (same context and length) are dropped. Exact with
    `beam=None`; time and memory then grow with the number of different items, and a forest that needs to
    make or compare items of more than `max_work` numbers (some seconds) is an InputError. A beam keeps that
    many items per node, by the objective of the partial yield: its reference length is that of the sentence
    times the node's share of the lengths of derivations, and without a background BLEU is add-one smoothed.

    An empty forest, or scores that forbid all derivations, are an InputError.
    """
    (best,) = nbest_oracle_bleu(
        forest,
        references,
        1,
        metric=metric,
        background=background,
        scaled=scaled,
        scores=scores,
        model_weight=model_weight,
        metric_weight=metric_weight,
        beam=beam,
        max_work=max_work,
    )
    return best


def nbest_oracle_bleu(
    forest: Forest,
    references: Sequence[str],
    n: int,
    *,
    metric: Bleu | None = None,
    background: Stats | None = None,
    scaled: bool | None = None,
    scores: Scores | None = None,
    model_weight: float = 0.0,
    metric_weight: float = 1.0,
    beam: int | None = 32,
    max_work: int = MAX_WORK,
) -> list[BleuOracle]:
    """Return the n best oracles with different strings, best first; fewer if the forest has fewer.

    The options are those of `oracle_bleu`. Of the derivations of a string, the one with the best model score
    is returned. Without a beam, an item is dropped only if n others dominate it, and the result is exact.
    With a beam, the items are those of `oracle_bleu`, and the first oracle is the same: dominated items are
    not extended, but may take the place of those that dominate them, at an estimated loss; somewhat more
    than n strings are found by these estimates, and ranked by their exact objective. A search for 10 takes
    about 1.2 times the time of that for one, for 100 about 1.5 times.
    """
    chosen = Bleu() if metric is None else metric
    require_plain_words(chosen, "oracle_bleu", "kbest and a metric of texts")
    if beam is not None and beam < 1:
        raise OptionError(f"the beam must be at least 1, or None, not {beam}")
    if not np.isfinite([model_weight, metric_weight]).all():
        raise OptionError(f"weights must be finite, not {model_weight} and {metric_weight}")
    if scores is None and model_weight != 0:
        raise OptionError("a model_weight needs `scores`: scores of edges, or weights by name")
    if n < 1:
        raise OptionError(f"cannot return {n} oracles; expected at least 1")
    texts = reference_texts(references)
    scorer, company = _scoring(chosen, background)
    found = _native.bleu_oracles(
        forest.native,
        texts.blob,
        texts.offsets,
        scorer,
        chosen.reference_length,
        company,
        background is not None if scaled is None else scaled,
        is_monotone(chosen),
        model_scores(forest, scores),
        model_weight,
        metric_weight,
        beam or 0,
        max_work,
        n,
    )
    return [
        BleuOracle(Derivation(forest, tuple(edges.tolist()), model), score, gain, stats)
        for (model, edges), score, gain, stats in found
    ]


def _scoring(metric: Bleu, background: Stats | None) -> tuple[_native.Scorer, Stats]:
    """Return the scorer of the gain, and the statistics to add before scoring."""
    if background is not None:
        company = np.ascontiguousarray(background, dtype=np.float64)
        if company.shape != (metric.width,) or not (np.isfinite(company) & (company >= 0)).all():
            raise InputError(
                f"the background must be {metric.width} finite statistics of bleu, none negative"
            )
        return metric.scorer(), company
    nothing = np.zeros(metric.width)
    if metric.sentence == "none":
        return metric.scorer(), nothing
    if metric.sentence == "pseudo-document":
        return metric.scorer(), nothing + 1.0
    if metric.sentence == "add-one":
        return _native.bleu_scorer(metric.order, "add-k", 1.0), nothing

    def gain(stats: Stats) -> FloatArray:
        return np.ascontiguousarray(metric.sentence_score(stats), dtype=np.float64)

    return _native.python_scorer(metric.width, gain, lambda stats: float(metric.size(stats))), nothing


def is_monotone(metric: Bleu) -> bool:
    """Return whether one more match never lowers the score.

    It may if a smoothing floor is above 1, and with `gao-he`, where precisions predict those of longer
    n-grams.
    """
    return metric.sentence != "gao-he" and (metric.smooth != "floor" or metric.smoothing_value("floor") <= 1)
