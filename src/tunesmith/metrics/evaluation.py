"""Evaluation of one system's output with any number of metrics."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.form import warn_of_form, warn_of_unsplit
from tunesmith.metrics.parse import MetricSpec, get_metrics
from tunesmith.metrics.significance import SEED, Interval, bootstrap_interval, check_samples
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray, Stats

__all__ = ["Evaluation", "MetricSpecs", "evaluate", "output_segments"]

MetricSpecs: TypeAlias = MetricSpec | Iterable[MetricSpec]
"""Metrics, texts that describe them, or functions of a hypothesis and its references."""


@dataclass(frozen=True)
class Evaluation:
    """A metric's score of one output, in its natural unit (0 to 1), with its confidence interval."""

    metric: str
    score: float
    interval: Interval | None
    signature: str
    higher_is_better: bool
    sentences: int
    references: int
    unit: float = 100.0
    """The factor of the printed score."""
    components: Components = field(default_factory=dict)
    """What the score is made of: length ratio, brevity penalty and precisions of BLEU; see each metric."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return dataclasses.asdict(self)


def evaluate(
    metrics: MetricSpecs,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    scores: Mapping[str, FloatArray] | None = None,
    tokenize: str | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> list[Evaluation]:
    """Score one output with every metric.

    `references[r][i]` is reference r of sentence i; `scores` are columns for precomputed metrics.
    `tokenize` is the tokenizer of the metrics that have this option and do not set it (see `get_metrics`).
    `resamples=0` skips the intervals. Texts that are visibly tokenized or cased differently are a
    TunesmithWarning.
    """
    check_samples(0, resamples=resamples)
    chosen = get_metrics(metrics, tokenize=tokenize)
    segments = output_segments("the output", hypotheses, references, scores)
    warn_of_unsplit(hypotheses, references, [metric.signature for metric in chosen])
    results = []
    for metric in chosen:
        stats = metric.measure(segments, thread_count(threads))
        around = bootstrap_interval(metric, stats, resamples, confidence, seed) if resamples else None
        results.append(_evaluation(metric, stats, around, len(references)))
    return results


def _evaluation(metric: Metric, stats: Stats, interval: Interval | None, references: int) -> Evaluation:
    total = stats.sum(axis=0)
    return Evaluation(
        metric.label,
        float(metric.score(total)),
        interval,
        metric.signature,
        metric.higher_is_better,
        len(stats),
        references,
        metric.unit,
        metric.components(total),
    )


def output_segments(
    what: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    scores: Mapping[str, FloatArray] | None = None,
) -> Segments:
    """Pair an output with its references; different numbers of sentences are an InputError."""
    if isinstance(hypotheses, str) or any(isinstance(reference, str) for reference in references):
        raise InputError("expected lists of sentences, found a single text")
    if len(hypotheses) == 0:
        raise InputError(f"{what} has no sentences")
    for number, reference in enumerate(references, 1):
        if len(reference) != len(hypotheses):
            counts = f"{what} has {len(hypotheses)} sentences, reference {number} has {len(reference)}"
            raise InputError(f"{counts}; expected the same number")
    warn_of_form(hypotheses, references, what)
    segments = Segments.of(hypotheses, references)
    return dataclasses.replace(segments, scores=scores) if scores else segments
