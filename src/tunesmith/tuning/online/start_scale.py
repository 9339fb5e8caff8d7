"""The scale of start weights: how much model scores vary, beside the gains that they are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tunesmith.distribute import Report
from tunesmith.tuning.online.documents import DocumentKind, open_document
from tunesmith.tuning.online.failures import Failures
from tunesmith.tuning.online.tasks import Part
from tunesmith.weights import WeightStore

__all__ = ["Spread", "SpreadTask", "balancing_factor", "scaled", "spread_part"]

SENTENCES = 200
"""Sentences, over all shards, whose candidates are looked at."""


@dataclass(frozen=True)
class SpreadTask:
    """Translate the first sentences of a shard under the weights of a file, within the shard's document."""

    part: Part
    weights: Path
    kind: DocumentKind
    document: tuple[float, ...]
    sentences: int


@dataclass(frozen=True)
class Spread:
    """Standard deviations over the candidates of a sentence, summed over sentences."""

    gains: float = 0.0
    scores: float = 0.0


def spread_part(task: SpreadTask, report: Report) -> Spread:
    """Return how much the gains B and the model scores of candidates vary."""
    judged, shards = task.part.open()
    own = shards[task.part.number][: task.sentences].tolist()
    system = judged.system.use(WeightStore.open(task.weights, regular=True), own)
    document = open_document(task.kind, task.part.metric, task.document)
    gains = scores = 0.0
    failures = Failures()  # learning will report them
    for number, sentence in enumerate(own, 1):
        found = failures.attempt(sentence, partial(judged.candidates, sentence))
        if found is not None:
            gains += float(document.gains(found.stats, system.source_words(sentence)).std())
            scores += float(found.scores.std())
        report(number)
    return Spread(gains, scores)


def balancing_factor(spreads: Sequence[Spread]) -> float:
    """Return the factor of the weights with which scores vary as much as gains; 1 if one of them does not.

    The hinge of hope and fear adds B and the model score. Weights of MERT have any scale: with large ones all
    margins hold and nothing is learned, with small ones dense weights follow each sentence.
    """
    gains, scores = sum(each.gains for each in spreads), sum(each.scores for each in spreads)
    return gains / scores if gains > 0 and scores > 0 else 1.0


def scaled(store: WeightStore, factor: float) -> WeightStore:
    """Return the weights times a factor."""
    result, names = WeightStore(), store.texts
    result.native.set(names.blob, names.offsets, factor * store.native.weights())
    return result
