"""One pass of an online learner over the sentences of a shard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.options import check_options, defaults, option, same_option
from tunesmith.tuning.online.candidate_view import CandidateView
from tunesmith.tuning.online.documents import Document, DocumentKind, DocumentStart, open_document
from tunesmith.tuning.online.failures import Failures
from tunesmith.tuning.online.hope_fear import Translated, translate
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.updates.base import Example, OnlineUpdate, Step
from tunesmith.tuning.tune_options import TuneOptions
from tunesmith.types import Stats
from tunesmith.weights import WeightStore

__all__ = ["LearnerOptions", "Tally", "check_rates", "learn_pass"]


@dataclass(frozen=True, kw_only=True)
class LearnerOptions:
    """How a shard is learned from, whatever the update."""

    hope_fear: Literal["nbest", "forest"] = option(
        "nbest",
        help="Where hope and fear are chosen from: {choices}. nbest: the list of the best candidates;"
        " forest: all translations that the search kept (our own decoders, with BLEU).",
    )
    nbest: int = option(500, help="Number of distinct candidates per sentence, with nbest.", least=2)
    beam: int = option(
        16, help="Partial translations kept per node in the search of a forest, with forest.", least=1
    )
    document: DocumentKind = option(
        "chiang",
        help="Pseudo-document O, with which a candidate is scored: {choices}. After a sentence it becomes 0.9"
        " (O + best) by chiang, 0.999 O + hope by kbmira; gains are multiplied by source words (chiang)"
        " or reference words (kbmira).",
    )
    document_decay: float | None = option(
        None,
        help="Decay of the pseudo-document, below 1 [default: 0.9 with chiang, 0.999 with kbmira]; the"
        " original Mr. MIRA: 0.95.",
        least=0,
    )
    document_start: DocumentStart | None = option(
        None,
        help="Statistics that the pseudo-document begins with: {choices}. average: those of an average"
        " translation under the start weights, times the number of sentences that the document amounts"
        " to in the long run [default: average with chiang, ones with kbmira]; the original Mr. MIRA:"
        " zero.",
    )
    keep_document: bool = option(
        True,
        help="Keep the pseudo-document of each shard from one epoch to the next; without it, each epoch"
        " begins with a new one, as in the original Mr. MIRA.",
    )
    boolean: bool = option(
        False,
        help="Make sparse features binary in updates: 1 however often a feature occurs in a candidate."
        " Without it, occurrences are counted, as decoders do.",
    )
    shuffle: bool = option(
        True,
        help="Assign sentences to shards at random, and visit them in a new order in each epoch; without"
        " it, shards are contiguous parts of the file, read in its order, as in the original Mr. MIRA.",
    )
    adaptive: float = option(
        0.01, help="Lambda of the learning rates per feature; 0: one rate for all features.", least=0
    )
    rates_start: float = option(
        1.0,
        help="Start value of the sum of squared updates whose root divides the steps of a feature (adagrad,"
        " too). With 0, as in the original Mr. MIRA, first steps are at most C / sqrt(lambda), however"
        " large the difference of the feature.",
        least=0,
    )
    keep_rates: bool = option(
        False,
        help="Keep each shard's learning rates from one epoch to the next; without it, each epoch resets"
        " them.",
    )
    frozen: tuple[str, ...] = same_option(TuneOptions, "frozen")
    freeze_dense: bool = option(
        False, help="Keep the start weights of all dense features: only sparse ones are learned."
    )
    batch: int = option(
        1, help="Sentences translated under the same weights; their steps are averaged.", least=1
    )
    fail_fast: bool = option(
        False,
        help="End the run at the first sentence that the decoder fails on; without it, such sentences are"
        " reported, not learned from, and scored as empty translations.",
        matters=False,
        flag="--fail-fast",
    )

    def __post_init__(self) -> None:
        check_options(self, "online")
        if self.document_decay is not None and self.document_decay >= 1:
            raise OptionError(
                "online: {} must be below 1, not {found}", "document_decay", found=self.document_decay
            )

    def open_document(self, metric: Metric, state: Sequence[float] | None = None) -> Document:
        """Return the document of a shard, new or with an earlier state."""
        return open_document(
            self.document, metric, state, decay=self.document_decay, start=self.document_start
        )


def check_rates(options: LearnerOptions, update: OnlineUpdate) -> None:
    """Raise OptionError if the start of rates is given, and there are no rates per feature."""
    usual = defaults(options)["rates_start"]
    if options.adaptive == 0 and options.rates_start != usual and not update.has_rates:
        raise OptionError("online: with {} 0 there is one rate for all: omit {}", "adaptive", "rates_start")


@dataclass
class Tally:
    """What a pass met: sentences with a translation, of which some changed weights, and those without one.

    `failures` are those that the decoder failed on, which the other counts do not have.
    `loss` is the sum of the positive losses, `stats` that of the best candidates when they were translated.
    """

    sentences: int = 0
    updates: int = 0
    skipped: int = 0
    loss: float = 0.0
    stats: Stats = field(default_factory=lambda: np.zeros(0))
    failures: Failures = field(default_factory=Failures)

    def count(self, example: Example, *, changed: bool) -> None:
        """Count a sentence."""
        self.sentences += 1
        self.updates += changed
        self.loss += max(example.loss, 0.0)
        best = example.candidates.stats[example.best]
        self.stats = best + self.stats if len(self.stats) else best.copy()


def learn_pass(
    judged: JudgedSystem,
    store: WeightStore,
    update: OnlineUpdate,
    document: Document,
    order: Sequence[int],
    options: LearnerOptions,
    view: CandidateView,
    report: Callable[[int], None] | None = None,
) -> Tally:
    """Translate sentences in the given order, each under weights that the one before it changed.

    A batch is translated under the same weights, and each of its sentences makes its share of a step. Hope
    and fear are chosen in the document that the sentence before has left, also within a batch. Updates see
    candidates by `view`. The store and the document are changed in place; `begin_pass` has set the rates of
    the store. `report` is called with the number of sentences so far.
    """
    tally = Tally(failures=Failures(fail_fast=options.fail_fast))
    system = judged.system.use(store, order)
    for batch in _batches(order, options.batch):
        known = _translated(judged, batch, options, tally)
        for sentence, translated in known:
            words = system.source_words(sentence)
            candidates = view(translated(document, words))
            example = Example.of(candidates, document.gains(candidates.stats, words))
            step = Step(store.native, tally.sentences, 1.0 / len(known), options.adaptive)
            changed = update.learn(example, step)
            tally.count(example, changed=changed is not None)
            if changed is not None:
                system.changed(changed)
            stats = candidates.stats
            document.add(best=stats[example.best], hope=stats[example.hope], words=words)
        if report is not None:
            report(tally.sentences + tally.skipped + len(tally.failures))
    store.report_collisions()
    return tally


def _translated(
    judged: JudgedSystem, batch: Sequence[int], options: LearnerOptions, tally: Tally
) -> list[tuple[int, Translated]]:
    """Translate a batch; sentences that fail and those without a translation are counted, and left out."""
    before = len(tally.failures)
    known = []
    for sentence in batch:
        call = partial(translate, judged, sentence, options.hope_fear, options.beam)
        translated = tally.failures.attempt(sentence, call)
        if translated is not None:
            known.append((sentence, translated))
    tally.skipped += len(batch) - len(known) - (len(tally.failures) - before)
    return known


def _batches(order: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for begin in range(0, len(order), size):
        yield order[begin : begin + size]
