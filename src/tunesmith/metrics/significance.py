"""Significance tests: bootstrap intervals, paired bootstrap, approximate randomization.

All work on precomputed statistics, which they only sum and score. Random numbers and default seed are
sacrebleu's, so that results can be compared digit by digit, with one difference: a sample whose
difference ties with the observed one counts as chance, as a valid test requires (Phipson and Smyth
2010), and equal systems have p = 1. Without such ties p-values are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.base import Metric
from tunesmith.options import check_seed
from tunesmith.types import FloatArray, Stats

__all__ = [
    "SEED",
    "Interval",
    "PairedTest",
    "approximate_randomization",
    "bootstrap_interval",
    "bootstrap_scores",
    "check_samples",
    "checked_replicas",
    "interval",
    "paired_bootstrap",
]

SEED = 12345
MOST_SAMPLES = 1_000_000
"""More change no digit that is printed, and nobody waits for them."""
_CELLS = 1 << 22  # random numbers held in memory at a time
# Differences this close are ties up to rounding: relative to the difference, and to the scores, whose
# rounding error dominates if the difference is zero.
_TIE_OF_DIFFERENCE, _TIE_OF_SCORE = 1e-9, 1e-13


@dataclass(frozen=True)
class Interval:
    """The mean of resampled scores, and their quantiles at (1 -+ confidence) / 2."""

    mean: float
    low: float
    high: float
    confidence: float = 0.95


@dataclass(frozen=True)
class PairedTest:
    """The scores of a baseline and a system, and the p-value of their difference."""

    baseline: float
    system: float
    p_value: float
    resamples: int

    @property
    def difference(self) -> float:
        """The score of the system minus that of the baseline."""
        return self.system - self.baseline


def bootstrap_scores(metric: Metric, stats: Stats, resamples: int = 1000, seed: int = SEED) -> FloatArray:
    """Score `resamples` test sets of the same size, drawn from this one with replacement (Koehn 2004).

    O(resamples * sentences * width), in blocks of bounded memory.
    """
    table = _checked(metric, stats)
    check_seed(seed)
    rng = np.random.default_rng(seed)

    def sums(rows: int) -> FloatArray:
        drawn = rng.choice(len(table), size=(rows, len(table)), replace=True)
        drawn += np.arange(rows)[:, None] * len(table)
        counts = np.bincount(drawn.reshape(-1), minlength=drawn.size).reshape(drawn.shape)
        return counts.astype(np.float64) @ table

    return _in_blocks("resamples", resamples, len(table), lambda rows: metric.score(sums(rows)))


def bootstrap_interval(
    metric: Metric, stats: Stats, resamples: int = 1000, confidence: float = 0.95, seed: int = SEED
) -> Interval:
    """Return the interval of scores over resampled test sets; `stats` has one row per sentence."""
    return interval(bootstrap_scores(metric, stats, resamples, seed), confidence)


def interval(scores: FloatArray, confidence: float = 0.95) -> Interval:
    """Return mean and bounds of resampled scores."""
    if not 0 < confidence < 1:
        raise OptionError("{} must be between 0 and 1, not {found}", "confidence", found=confidence)
    ordered = np.sort(scores)
    outside = int(len(ordered) * (1 - confidence) / 2 + 1e-9)
    low, high = ordered[outside], ordered[len(ordered) - outside - 1]
    return Interval(float(ordered.mean()), float(low), float(high), confidence)


def paired_bootstrap(
    metric: Metric, baseline: Stats, system: Stats, resamples: int = 1000, seed: int = SEED
) -> PairedTest:
    """Test with the same resampled test sets for both systems (Koehn 2004).

    p = (1 + #{|d_i| - mean |d_i| >= |d|}) / (1 + resamples), d_i the difference on resample i and d
    that on the test set itself: the fraction of resamples at least as far above the mean as d is from zero.
    """
    first, second = _checked_pair(metric, baseline, system)
    scores = [bootstrap_scores(metric, table, resamples, seed) for table in (first, second)]
    differences = np.abs(scores[1] - scores[0])
    observed = metric.score(np.stack([first.sum(axis=0), second.sum(axis=0)]))
    return _test(observed, differences - differences.mean())


def approximate_randomization(
    metric: Metric, baseline: Stats, system: Stats, trials: int = 10_000, seed: int = SEED
) -> PairedTest:
    """Test by swapping the two systems' outputs, sentence by sentence, at random (Riezler, Maxwell 2005).

    p = (1 + #{|d_i| >= |d|}) / (1 + trials). Statistics [replicas, sentences, width] are swapped within
    (sentence, replica), and d is the difference of the mean scores over replicas (Clark et al. 2011).
    """
    first, second = (checked_replicas(metric, stats) for stats in (baseline, system))
    if first.shape != second.shape:
        shapes = [f"{table.shape[0]} x {table.shape[1]}" for table in (first, second)]
        raise InputError(
            f"the baseline has {shapes[0]} replicas x sentences, the system {shapes[1]}; expected the same"
        )
    replicas, sentences, _ = first.shape
    check_seed(seed)
    rng = np.random.default_rng(seed)
    totals = first.sum(axis=1) + second.sum(axis=1)

    def differences(rows: int) -> FloatArray:
        swap = rng.integers(2, size=(rows, replicas * sentences), dtype=np.bool_)
        choice = swap.reshape(rows, replicas, sentences).transpose(1, 0, 2).astype(np.float64)
        left = (choice @ (first - second)).transpose(1, 0, 2) + second.sum(axis=1)
        scores = metric.score(np.stack([left, totals - left])).mean(axis=-1)
        return np.asarray(np.abs(scores[0] - scores[1]))

    sampled = _in_blocks("trials", trials, replicas * sentences, differences)
    observed = metric.score(np.stack([first.sum(axis=1), second.sum(axis=1)])).mean(axis=-1)
    return _test(observed, sampled)


def _test(observed: FloatArray, sampled: FloatArray) -> PairedTest:
    """Count the samples that are at least as extreme as the observed difference."""
    baseline, system = observed.tolist()
    difference = abs(system - baseline)
    tie = max(_TIE_OF_DIFFERENCE * difference, _TIE_OF_SCORE * max(abs(baseline), abs(system)))
    by_chance = len(sampled) if difference <= tie else int((sampled >= difference - tie).sum())
    return PairedTest(baseline, system, (by_chance + 1) / (len(sampled) + 1), len(sampled))


def check_samples(least: int, **counts: int) -> None:
    """Raise OptionError unless each number of samples is from `least` to `MOST_SAMPLES`."""
    for name, count in counts.items():
        if not least <= count <= MOST_SAMPLES:
            limit = f"at least {least}" if count < least else f"at most {MOST_SAMPLES}"
            raise OptionError("{} must be {limit}, not {count}", name, limit=limit, count=count)


def _in_blocks(name: str, count: int, width: int, work: Callable[[int], FloatArray]) -> FloatArray:
    """Call `work` with numbers of rows that sum to `count`, so that rows * width stays bounded."""
    check_samples(1, **{name: count})
    return np.concatenate([work(rows) for rows in _blocks(count, width)])


def _blocks(count: int, width: int) -> Iterator[int]:
    # The generator draws 32 bits at a time: with multiples of 32, blocks continue one stream.
    block = max(32, _CELLS // max(width, 1) // 32 * 32)
    for begin in range(0, count, block):
        yield min(block, count - begin)


def _checked(metric: Metric, stats: Stats) -> FloatArray:
    table = np.asarray(stats, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != metric.width:
        expected = f"expected {metric.name} statistics [sentences, {metric.width}]"
        raise InputError(f"{expected}, found an array of shape {table.shape}")
    if len(table) == 0:
        raise InputError("no sentences: there is nothing to resample")
    return table


def _checked_pair(metric: Metric, baseline: Stats, system: Stats) -> tuple[FloatArray, FloatArray]:
    first, second = _checked(metric, baseline), _checked(metric, system)
    if len(first) != len(second):
        counts = f"the baseline has {len(first)} sentences, the system {len(second)}"
        raise InputError(f"{counts}; expected the same")
    return first, second


def checked_replicas(metric: Metric, stats: Stats) -> FloatArray:
    """Return statistics as [replicas, sentences, width]; a matrix is a single replica."""
    table = np.asarray(stats, dtype=np.float64)
    table = table[None] if table.ndim == 2 else table
    if table.ndim != 3 or len(table) == 0:
        raise InputError(
            f"expected statistics [replicas, sentences, width], found an array of shape {table.shape}"
        )
    return np.stack([_checked(metric, replica) for replica in table])
