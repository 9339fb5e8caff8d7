"""Choosing rule and scale of consensus decoding on held-out text, and recording them with weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus.base import CONSENSUS, consensus_rule
from tunesmith.consensus.scale import chosen_texts
from tunesmith.errors import InputError
from tunesmith.forest import Forest, ForestPool, map_forests, viterbi
from tunesmith.json_files import check_record
from tunesmith.metrics import MetricSpec, Segments, get_metric
from tunesmith.metrics.significance import approximate_randomization
from tunesmith.options import require_at_least
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import Stats

__all__ = ["RECORD", "TRIED", "ConsensusTrial", "ConsensusTrials", "recorded_consensus", "try_consensus"]

RECORD = "consensus"
VITERBI = "viterbi"
"""Where a file of weights records the rule and its scale."""
TRIED: tuple[float | None, ...] = (None, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Scales; None is the default of rules, per sentence."""


@dataclass(frozen=True)
class ConsensusTrial:
    """A rule at a scale, the metric of its choices, and the p-value of the difference from Viterbi's."""

    rule: str
    scale: float | None
    score: float
    p: float


@dataclass(frozen=True)
class ConsensusTrials:
    """The metric of Viterbi translations, and what was tried."""

    viterbi: float
    trials: tuple[ConsensusTrial, ...]
    sign: float

    def best(self, level: float = 0.05) -> ConsensusTrial | None:
        """Return the best trial if it is better than Viterbi with a p-value of at most `level`.

        With many trials, one of them is better by chance, so that p-values are multiplied by the number of
        trials (Bonferroni's correction).
        """
        found = max(self.trials, key=lambda trial: self.sign * trial.score)
        is_better = self.sign * (found.score - self.viterbi) > 0
        return found if is_better and found.p * len(self.trials) <= level else None


def try_consensus(
    pool: Pool | ForestPool,
    weights: Mapping[str, float],
    metric: MetricSpec = "bleu",
    *,
    rules: Sequence[str] = ("mbr", "fast"),
    scales: Sequence[float | None] = TRIED,
    trials: int = 2000,
    threads: int | None = None,
) -> ConsensusTrials:
    """Return the metric of rules at several scales on text that the weights were not tuned on.

    `trials` are those of approximate randomization. Time: one pass of consensus decoding per rule and scale.
    """
    if not pool.references:
        raise InputError("no references; trying consensus decoding needs them")
    require_at_least(1, "consensus", rules=len(rules), scales=len(scales), trials=trials)
    measure, cores = get_metric(metric), thread_count(threads)

    def stats_of(texts: list[str]) -> Stats:
        segments = Segments(Texts.of(texts), np.arange(len(texts) + 1), pool.references)
        return measure.measure(segments, cores)

    baseline = stats_of(_viterbi_texts(pool, weights, threads))
    found = []
    for name in rules:
        for scale in scales:
            stats = stats_of(chosen_texts(consensus_rule(name, scale=scale), pool, weights, threads))
            test = approximate_randomization(measure, baseline, stats, trials)
            found.append(ConsensusTrial(name, scale, float(measure.score(stats.sum(axis=0))), test.p_value))
    return ConsensusTrials(float(measure.score(baseline.sum(axis=0))), tuple(found), measure.sign)


def recorded_consensus(weights: Mapping[str, float]) -> dict[str, Any]:
    """Return the options of consensus decoding that weights record: `rule` and `scale`; empty if none.

    The rule `VITERBI` says that no rule was significantly better than Viterbi translations.

    A damaged record is an InputError.
    """
    about: Mapping[str, Any] = getattr(weights, "about", {})
    record = about.get(RECORD, {})
    path = getattr(weights, "path", None)
    try:
        check_record(RECORD, dict[str, object], record)
        if not record:
            return {}
        check_record("rule", str, record.get("rule"))
        check_record("scale", float | None, record.get("scale"))
    except (TypeError, ValueError) as error:
        raise InputError(f"its record of consensus decoding is damaged: {error}", path=path) from None
    if record["rule"] not in (*CONSENSUS, VITERBI):
        raise InputError(f"records the unknown consensus rule {record['rule']!r}", path=path)
    return {"rule": record["rule"], "scale": record.get("scale")}


def _viterbi_texts(pool: Pool | ForestPool, weights: Mapping[str, float], threads: int | None) -> list[str]:
    if isinstance(pool, Pool):
        return list(rerank(pool, weights, threads).texts)

    def best(forest: Forest) -> str:
        return viterbi(forest, forest.scores(forest.weights(weights, missing=0.0))).text

    return map_forests(best, pool.forests, threads=threads)
