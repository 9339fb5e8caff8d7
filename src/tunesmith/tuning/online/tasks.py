"""What workers do with a shard: translate it, or learn from it. Tasks name files; so do results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.distribute import Report
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric, Segments
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.threads import one_blas_thread
from tunesmith.tuning.online.candidate_view import CandidateView
from tunesmith.tuning.online.failures import Failure, Failures
from tunesmith.tuning.online.frozen import hold
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.learner import LearnerOptions, learn_pass
from tunesmith.tuning.online.shards import Shards
from tunesmith.tuning.online.updates.base import OnlineUpdate
from tunesmith.types import Stats
from tunesmith.weights import WeightStore

__all__ = ["LearnTask", "Learned", "Part", "ScoreTask", "Scored", "learn_part", "score_part"]


@dataclass(frozen=True)
class Part:
    """A shard of a set of sentences: its system, the file of all shards, and its number, from 0."""

    setup: Setup
    metric: Metric
    nbest: int
    shards: Path
    number: int

    def open(self) -> tuple[JudgedSystem, Shards]:
        """Open the system for this shard, and read the shards."""
        shards = Shards.read(self.shards)
        fold = int(shards.folds[self.number])
        return JudgedSystem.opened(self.setup, self.metric, self.nbest, fold), shards


@dataclass(frozen=True)
class ScoreTask:
    """Translate a shard under the weights of a file."""

    part: Part
    weights: Path
    fail_fast: bool = False


@dataclass(frozen=True)
class Scored:
    """Summed statistics of best translations, source words, sentences, those without a translation, the
    names of the dense features, and sentences that failed, which nothing else counts; `failed_stats` are
    theirs, as of empty translations."""

    stats: tuple[float, ...]
    words: int
    sentences: int
    untranslated: int
    dense: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    failed_stats: tuple[float, ...] = ()


def score_part(task: ScoreTask, report: Report) -> Scored:
    """Translate a shard, and return statistics of its best translations."""
    judged, shards = task.part.open()
    system, sentences = judged.system, shards[task.part.number].tolist()
    system.use(WeightStore.open(task.weights, regular=True), sentences)
    failures = Failures(fail_fast=task.fail_fast)
    stats, untranslated = _best(judged, failures)
    report(len(sentences))
    failed = {failure.sentence for failure in failures}
    measured = [sentence for sentence in sentences if sentence not in failed]
    words = sum(system.source_words(sentence) for sentence in measured)
    dense = tuple(system.dense)
    return Scored(
        tuple(stats.tolist()),
        words,
        len(measured),
        untranslated,
        dense,
        tuple(failures),
        _empty(judged, sorted(failed)),
    )


def _empty(judged: JudgedSystem, sentences: Sequence[int]) -> tuple[float, ...]:
    """Return the summed statistics of empty translations of some sentences; of none, nothing."""
    if not sentences:
        return ()
    references = [reference.take(sentences) for reference in judged.references]
    texts = Texts.of("" for _ in sentences)
    stats = judged.metric.measure(Segments(texts, np.arange(len(texts) + 1), references))
    return tuple(stats.sum(axis=0).tolist())


def _best(judged: JudgedSystem, failures: Failures) -> tuple[Stats, int]:
    """Return what `System.measured` does; if it fails, of the sentences that do not, one by one."""
    system, metric, references = judged.system, judged.metric, judged.references
    sentences = system.sentences
    try:
        return system.measured(metric, references)
    except OptionError:
        raise
    except Exception:
        stats, untranslated = np.zeros(metric.width), 0
        for sentence in sentences:
            system.use(system.weights, [sentence])
            found = failures.attempt(sentence, partial(system.measured, metric, references))
            if found is not None:
                stats, untranslated = stats + found[0], untranslated + found[1]
        return stats, untranslated


@dataclass(frozen=True)
class LearnTask:
    """Learn from a shard in an iteration, from 0, beginning with the weights of a file.

    `start` are the first weights of the run, `dense` the names of the dense features under them, `rates` the
    shard's weights after the iteration before, if its rates are kept, `document` the state of its document,
    `output` where its weights go.
    """

    part: Part
    update: OnlineUpdate
    options: LearnerOptions
    epoch: int
    seed: int
    weights: Path
    start: Path
    dense: tuple[str, ...]
    rates: Path | None
    document: tuple[float, ...]
    output: Path


@dataclass(frozen=True)
class Learned:
    """What a shard met in an iteration, see `Tally`, and the state of the document that its next iteration
    begins with; weights are in a file.

    `seconds` passed on the clock, which no result depends on.
    """

    weights: Path
    sentences: int
    updates: int
    skipped: int
    loss: float
    stats: tuple[float, ...]
    document: tuple[float, ...]
    failures: tuple[Failure, ...]
    seconds: float


def learn_part(task: LearnTask, report: Report) -> Learned:
    """Make one pass over a shard."""
    begin = time.monotonic()
    judged, shards = task.part.open()
    store = WeightStore.open(task.weights, regular=True)
    view = CandidateView.of(task.options, task.dense)
    held = view.frozen.weights_of(store)
    rates = None if task.rates is None else WeightStore.open(task.rates, regular=True).native
    _native.begin_pass(store.native, rates, task.options.rates_start)
    document = task.options.open_document(task.part.metric, task.document)
    number, shuffle = task.part.number, task.options.shuffle
    order = (shards.order(number, task.epoch, task.seed) if shuffle else shards[number]).tolist()
    with one_blas_thread():
        tally = learn_pass(judged, store, task.update, document, order, task.options, view, report)
    task.update.finish(store.native, WeightStore.open(task.start, regular=True).native, tally.sentences)
    hold(store, held)
    store.about = {}
    store.save(task.output)
    return Learned(
        task.output,
        tally.sentences,
        tally.updates,
        tally.skipped,
        tally.loss,
        tuple(tally.stats.tolist()),
        document.state if task.options.keep_document else task.document,
        tuple(tally.failures),
        round(time.monotonic() - begin, 3),
    )
