"""Comparison of systems over several replicas of their tuning.

As Clark et al. (2011) recommend: the mean score over optimizer replicas, the standard deviation due to
the choice of test sentences (s_sel) and due to the optimizer (s_test), and a p-value against the
baseline that accounts for the replicas.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.evaluation import MetricSpecs, output_segments
from tunesmith.metrics.form import warn_of_unsplit
from tunesmith.metrics.parse import get_metrics
from tunesmith.metrics.significance import (
    SEED,
    Interval,
    approximate_randomization,
    bootstrap_scores,
    check_samples,
    checked_replicas,
    interval,
    paired_bootstrap,
)
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import Stats

__all__ = ["Comparison", "Spread", "SystemScore", "compare_systems", "optimizer_variance"]


@dataclass(frozen=True)
class Spread:
    """Scores of replicas: mean, its interval, and the two standard deviations of Clark et al. (2011)."""

    scores: tuple[float, ...]
    mean: float
    interval: Interval
    s_sel: float
    """The bootstrap standard deviation, averaged over replicas."""
    s_test: float | None
    """The standard deviation of the replicas' scores; None for a single replica."""


@dataclass(frozen=True)
class SystemScore:
    """One metric's scores of one system in a comparison, and a test against the baseline.

    Difference and p-values are None for the baseline itself; `p_bootstrap` is None with several
    replicas.
    """

    system: str
    metric: str
    scores: tuple[float, ...]
    mean: float
    interval: Interval
    s_sel: float
    s_test: float | None
    difference: float | None = None
    p_randomization: float | None = None
    p_bootstrap: float | None = None
    components: Components = field(default_factory=dict)
    """What the score is made of, over all replicas; see each metric."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Comparison:
    """All systems under all metrics: one row per (metric, system), the baseline first."""

    baseline: str
    signatures: Mapping[str, str]
    higher_is_better: Mapping[str, bool]
    units: Mapping[str, float]
    """The factor of printed scores, per metric."""
    rows: tuple[SystemScore, ...]
    sentences: int
    references: int
    resamples: int
    trials: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return dataclasses.asdict(dataclasses.replace(self, rows=())) | {
            "rows": [row.to_dict() for row in self.rows]
        }


def optimizer_variance(
    metric: Metric, stats: Stats, resamples: int = 1000, confidence: float = 0.95, *, seed: int = SEED
) -> Spread:
    """Return the spread of scores over replicas and test sets; `stats` is [replicas, sentences, width]."""
    replicas = checked_replicas(metric, stats)
    scores = metric.score(replicas.sum(axis=1))
    resampled = np.stack([bootstrap_scores(metric, replica, resamples, seed) for replica in replicas])
    return Spread(
        tuple(scores.tolist()),
        float(scores.mean()),
        interval(resampled.mean(axis=0), confidence),
        s_sel=float(resampled.std(axis=1, ddof=1).mean()) if resamples > 1 else 0.0,
        s_test=float(scores.std(ddof=1)) if len(scores) > 1 else None,
    )


def compare_systems(
    metrics: MetricSpecs,
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    *,
    tokenize: str | None = None,
    resamples: int = 1000,
    trials: int = 10_000,
    confidence: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> Comparison:
    """Compare systems with the first one; `systems[name][k]` is the output of replica k, one text each.

    `tokenize` is as in `evaluate`.

    p-values are two-sided: approximate randomization, stratified by replica, and for single replicas
    also the paired bootstrap.
    """
    if not systems:
        raise InputError("no systems to compare; expected at least one")
    check_samples(1, resamples=resamples, trials=trials)
    chosen = get_metrics(metrics, tokenize=tokenize)
    outputs = _outputs(references, systems)
    warn_of_unsplit(next(iter(systems.values()))[0], references, [metric.signature for metric in chosen])
    sampling = _Sampling(resamples, trials, confidence, seed)
    rows: list[SystemScore] = []
    for metric in chosen:
        measured: dict[str, Stats] = {
            name: np.stack([metric.measure(replica, thread_count(threads)) for replica in replicas])
            for name, replicas in outputs.items()
        }
        baseline = next(iter(measured.values()))
        for name, stats in measured.items():
            row = _describe(metric, name, stats, sampling)
            rows.append(row if stats is baseline else _against(metric, row, baseline, stats, sampling))
    return Comparison(
        next(iter(systems)),
        {metric.label: metric.signature for metric in chosen},
        {metric.label: metric.higher_is_better for metric in chosen},
        {metric.label: metric.unit for metric in chosen},
        tuple(rows),
        sentences=len(next(iter(outputs.values()))[0]),
        references=len(references),
        resamples=resamples,
        trials=trials,
        seed=seed,
    )


@dataclass(frozen=True)
class _Sampling:
    resamples: int
    trials: int
    confidence: float
    seed: int


def _describe(metric: Metric, name: str, stats: Stats, sampling: _Sampling) -> SystemScore:
    spread = optimizer_variance(metric, stats, sampling.resamples, sampling.confidence, seed=sampling.seed)
    fields = {field.name: getattr(spread, field.name) for field in dataclasses.fields(spread)}
    components = metric.components(stats.sum(axis=(0, 1)))
    return SystemScore(name, metric.label, **fields, components=components)


def _against(
    metric: Metric, row: SystemScore, baseline: Stats, stats: Stats, sampling: _Sampling
) -> SystemScore:
    seed = sampling.seed
    test = approximate_randomization(metric, baseline, stats, sampling.trials, seed)
    p_bootstrap = None
    if len(stats) == 1:
        p_bootstrap = paired_bootstrap(metric, baseline[0], stats[0], sampling.resamples, seed).p_value
    return dataclasses.replace(
        row, difference=test.difference, p_randomization=test.p_value, p_bootstrap=p_bootstrap
    )


def _outputs(
    references: Sequence[Sequence[str]], systems: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, list[Segments]]:
    packed = [Texts.of(reference) for reference in references]
    outputs = {}
    first = next(iter(systems))
    for name, replicas in systems.items():
        if len(replicas) != len(systems[first]) or not replicas:
            counts = f"system {name!r} has {len(replicas)} replicas, {first!r} has {len(systems[first])}"
            raise InputError(f"{counts}; expected the same number, at least one")
        outputs[name] = [output_segments(f"system {name!r}", replica, packed) for replica in replicas]
    return outputs
