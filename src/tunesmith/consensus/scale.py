"""Choosing the scale of a rule on text with references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.consensus.base import Chosen, ConsensusRule
from tunesmith.consensus.lists import say_pruned
from tunesmith.errors import InputError
from tunesmith.forest import Forest, ForestPool, map_forests
from tunesmith.metrics import MetricSpec, Segments, get_metric
from tunesmith.texts import Texts
from tunesmith.threads import thread_count

__all__ = ["SCALES", "chosen_texts", "scores_by_scale"]

SCALES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)


def scores_by_scale(
    rule: ConsensusRule,
    pool: Pool | ForestPool,
    weights: Mapping[str, float],
    metric: MetricSpec = "bleu",
    *,
    scales: Iterable[float] = SCALES,
    threads: int | None = None,
) -> dict[float, float]:
    """Return the corpus gain of the rule's choices at each scale; more is better.

    Most tuning methods fix the order of translations but not the scale of scores, and with a wrong scale
    consensus is worse than Viterbi. The default of rules gives each sentence the same sharpness; to do
    better, compare scales on text that the weights were not tuned on.
    """
    if not pool.references:
        raise InputError("no references; choosing a scale needs them")
    measure = get_metric(metric)
    gains: dict[float, float] = {}
    for scale in scales:
        texts = Texts.of(chosen_texts(replace(rule, scale=scale), pool, weights, threads))
        segments = Segments(texts, np.arange(len(texts) + 1), pool.references)
        stats = measure.measure(segments, thread_count(threads))
        gains[scale] = float(measure.gain(stats.sum(axis=0)))
    return gains


def chosen_texts(
    rule: ConsensusRule, pool: Pool | ForestPool, weights: Mapping[str, float], threads: int | None
) -> list[str]:
    """Return the choices of a rule, one per list or forest."""
    if isinstance(pool, Pool):
        return rule.over_pool(pool, weights, threads=threads).texts

    def choose(forest: Forest) -> Chosen:
        return rule.over_forest(forest, forest.scores(forest.weights(weights, missing=0.0)))

    chosen = map_forests(choose, pool.forests, threads=threads)
    say_pruned(sum(one.pruned for one in chosen), len(chosen))
    return [one.text for one in chosen]
