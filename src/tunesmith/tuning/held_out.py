"""Scores on sentences that the weights were not tuned on, which estimate what they do on new text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tunesmith.candidates.folds import fold_numbers
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.rerank import align_weights
from tunesmith.errors import DegenerateError, InputError, OptionError
from tunesmith.metrics.base import Metric
from tunesmith.metrics.components import Components
from tunesmith.metrics.significance import Interval, bootstrap_interval
from tunesmith.tuning.data import TrainingData
from tunesmith.types import FloatArray, Stats

__all__ = ["HeldOut", "HeldOutData", "check_folds", "cross_validate"]


@dataclass(frozen=True)
class HeldOut:
    """The scores of tuned weights and of the baseline on the same held-out sentences.

    Scores are corpus scores, 0 to 1. The intervals are those that `evaluate` gives the chosen translations,
    in the order of the sentences.
    """

    sentences: int
    score: float
    """Of the translations that the tuned weights rank first."""
    interval: Interval
    baseline: float
    """Of the first candidates; for forests, of the start weights."""
    baseline_interval: Interval
    folds: int | None = None
    """Number of folds of a cross-validation, each scored with weights tuned on the others."""
    components: Components = field(default_factory=dict)
    """What the score is made of; see each metric."""
    baseline_components: Components = field(default_factory=dict)

    @classmethod
    def of(cls, metric: Metric, tuned: Stats, before: Stats, *, folds: int | None = None) -> HeldOut:
        """Return the scores of statistics with one row per sentence."""
        return cls(
            len(tuned),
            float(metric.score(tuned.sum(axis=0))),
            bootstrap_interval(metric, tuned),
            float(metric.score(before.sum(axis=0))),
            bootstrap_interval(metric, before),
            folds,
            metric.components(tuned.sum(axis=0)),
            metric.components(before.sum(axis=0)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        record = asdict(self)
        for name in ("interval", "baseline_interval"):
            record[name] = [record[name]["low"], record[name]["high"]]
        return {name: value for name, value in record.items() if value is not None}


class HeldOutData:
    """Lists or forests to score weights on; what cannot be scored is refused before tuning begins."""

    def __init__(
        self, data: TrainingData, tuning: TrainingData, metric: Metric, start: FloatArray, threads: int
    ) -> None:
        if type(data) is not type(tuning):
            raise InputError(
                "{} must be {expected}, as the tuning data, not {found}",
                "held_out",
                expected=tuning.noun,
                found=getattr(data, "noun", type(data).__name__),
            )
        self._data, self._metric, self._threads = data, metric, threads
        known = dict(zip(tuning.feature_names, start.tolist(), strict=True))
        self._before = data.baseline_stats(metric, self._aligned(known), threads)
        self._unknown = [name for name in data.feature_names if name not in known]
        self._same = list(map(list, data.references)) == list(map(list, tuning.references)) != []

    def score(self, weights: Mapping[str, float]) -> HeldOut:
        """Return the scores of tuned weights and of the baseline."""
        tuned = self._data.best_stats(self._metric, self._aligned(weights), self._threads)
        return HeldOut.of(self._metric, tuned, self._before)

    def warnings(self) -> Iterator[str]:
        """Yield one sentence per warning."""
        noun = self._data.noun
        if self._same:
            yield (
                f"the held-out {noun} have the references of the tuning {noun}: their score says little about"
                " new text"
            )
        if self._unknown:
            yield (
                f"{len(self._unknown)} feature(s) of the held-out {noun} are not in the tuning {noun} and"
                f" count 0, such as {self._unknown[0]!r}"
            )

    def _aligned(self, weights: Mapping[str, float]) -> FloatArray:
        """Return the weights in the order of the held-out data's features."""
        if isinstance(self._data, Pool):
            try:
                return align_weights(self._data, weights)
            except InputError as error:
                raise InputError(
                    f"the held-out lists have other features than the tuning lists: {error}"
                ) from None
        return np.array([weights.get(name, 0.0) for name in self._data.feature_names], dtype=np.float64)


def check_folds(data: TrainingData, folds: int | None) -> None:
    """Raise OptionError unless the data can be split into the folds."""
    if folds is None:
        return
    if not isinstance(data, Pool):
        raise OptionError(
            "{} needs candidate lists; score {noun} on held-out {noun} ({})",
            "folds",
            "held_out",
            noun=data.noun,
        )
    if folds > len(data):
        wrong = {"most": len(data), "found": folds}
        raise OptionError("{} must be at most {most}, the number of sentences, not {found}", "folds", **wrong)


def cross_validate(
    pool: Pool,
    metric: Metric,
    folds: int,
    start: FloatArray,
    learn: Callable[[Pool, int], FloatArray],
    *,
    seed: int,
    threads: int,
) -> tuple[HeldOut, list[str]]:
    """Return the score of all sentences, each chosen by weights tuned without its fold, and warnings.

    `learn(lists, number)` tunes for fold `number`, from 1, on the lists of the others. The statistics of all
    folds are summed before scoring, so that the score is one of the whole corpus. Sentences are assigned to
    folds at random by `seed`, as `Pool.folds` does. A fold from which nothing can be learned is scored with
    the start weights, which is what tuning leaves in this case. O(folds) times the work of tuning.
    """
    fold_of = fold_numbers(len(pool), folds, seed=seed)
    tuned = np.empty((len(pool), metric.width))
    warnings = []
    for number in range(1, folds + 1):
        held_out = np.flatnonzero(fold_of == number - 1)
        try:
            weights = learn(pool.take_lists(np.flatnonzero(fold_of != number - 1)), number)
        except DegenerateError as error:
            warnings.append(f"fold {number} of {folds} is scored with the start weights: {error}")
            weights = start
        tuned[held_out] = pool.take_lists(held_out).best_stats(metric, weights, threads)
    before = pool.baseline_stats(metric, start, threads)
    return HeldOut.of(metric, tuned, before, folds=folds), warnings
