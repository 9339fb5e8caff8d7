"""Metrics: statistics of a hypothesis, and a score of summed statistics."""

from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.chrf import Chrf
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.comparison import Comparison, Spread, SystemScore, compare_systems, optimizer_variance
from tunesmith.metrics.evaluation import Evaluation, evaluate
from tunesmith.metrics.exact import Exact
from tunesmith.metrics.function import function_metric
from tunesmith.metrics.parse import MetricSpec, get_metric, get_metrics, parse_metric
from tunesmith.metrics.precomputed import Precomputed, PrecomputedStats
from tunesmith.metrics.pseudo_document import PseudoDocument
from tunesmith.metrics.significance import (
    Interval,
    PairedTest,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from tunesmith.metrics.ter import Ter
from tunesmith.metrics.wer import Wer

__all__ = [
    "METRICS",
    "Bleu",
    "Chrf",
    "Combined",
    "Comparison",
    "Evaluation",
    "Exact",
    "Interval",
    "Metric",
    "MetricSpec",
    "PairedTest",
    "Precomputed",
    "PrecomputedStats",
    "PseudoDocument",
    "Segments",
    "Spread",
    "SystemScore",
    "Ter",
    "Wer",
    "approximate_randomization",
    "bootstrap_interval",
    "compare_systems",
    "evaluate",
    "function_metric",
    "get_metric",
    "get_metrics",
    "optimizer_variance",
    "paired_bootstrap",
    "parse_metric",
]
