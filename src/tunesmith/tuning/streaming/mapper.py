"""The mapper: learns from the shards of its lines, one epoch, beginning with the weights of a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.build import Build
from tunesmith.distribute.kept import let_go
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.folders import temporary_folder
from tunesmith.metrics import MetricSpec, get_metric
from tunesmith.metrics.base import Metric
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning.online.frozen import check_frozen
from tunesmith.tuning.online.hope_fear import check_forests
from tunesmith.tuning.online.learner import LearnerOptions, check_rates
from tunesmith.tuning.online.run import ONLINE
from tunesmith.tuning.online.shards import Shards
from tunesmith.tuning.online.tasks import LearnTask, Part, ScoreTask, learn_part, score_part
from tunesmith.tuning.online.tune import digest_of
from tunesmith.tuning.online.updates.base import OnlineUpdate
from tunesmith.tuning.streaming.continuing import check_continued, continues, learning_record
from tunesmith.tuning.streaming.counters import Counters
from tunesmith.tuning.streaming.lines import NumberedLine, StreamLine, read_shards
from tunesmith.tuning.streaming.reading import STANDARD_INPUT
from tunesmith.tuning.streaming.records import ShardRecord, shard_lines
from tunesmith.weights import WeightStore

__all__ = ["map_lines"]

OpenSetup = Callable[[Path, list[Path]], ModelSetup]
"""Returns the setup of a source and its references."""


def map_lines(
    lines: Iterable[str],
    weights: PathLike,
    open_setup: OpenSetup,
    *,
    update: OnlineUpdate,
    learner: LearnerOptions,
    metric: MetricSpec = "bleu",
    seed: int = 1,
    start: PathLike | None = None,
    counters: Counters | None = None,
) -> Iterator[str]:
    """Yield the lines of the learned weights of each shard in `lines`; without lines, nothing.

    An epoch of `tune_online` with the same shards, seed and options does the same, bit for bit. `weights`
    are the first ones, taken as they are (`start_scale=1`), or what a reducer wrote: then the epoch and
    the documents of shards go on, which takes the same shards, seed, metric, document, update and frozen
    features. `start` are the first weights of a run, for updates that stay near them: needed from the second
    epoch on.
    """
    check_rates(learner, update)
    arrived = list(read_shards(lines))
    if not arrived:
        return
    shards = [[each.line for each in shard] for shard in arrived]
    with temporary_folder() as scratch:
        try:
            mapper = _Mapper.of(shards, Path(scratch), weights, open_setup, get_metric(metric), learner)
            if learner.hope_fear == "forest":
                check_forests(mapper.setup, mapper.metric, update)
            if continues(mapper.about):
                learning = mapper.learning(update, seed)
                check = (mapper.about, learning, shards[0][0].shards, update)
                check_continued(*check, width=mapper.metric.width, path=weights, start=start)
            for sentences in shards:
                yield from mapper.learn(sentences, update, seed, start or weights, counters or Counters(None))
        except InputError as error:
            raise _of_input(error, Path(scratch), arrived) from None
        finally:
            let_go()


@dataclass(frozen=True)
class _Mapper:
    """All sentences of this mapper in files of a scratch folder, numbered from 0 in the order of shards."""

    setup: ModelSetup
    metric: Metric
    learner: LearnerOptions
    scratch: Path
    weights: Path
    about: dict[str, Any]
    digest: str

    @classmethod
    def of(
        cls,
        shards: Sequence[Sequence[StreamLine]],
        scratch: Path,
        weights: PathLike,
        open_setup: OpenSetup,
        metric: Metric,
        learner: LearnerOptions,
    ) -> _Mapper:
        lines = [line for shard in shards for line in shard]
        source = scratch / "source"
        source.write_text("".join(f"{line.source}\n" for line in lines), encoding="utf-8")
        references = [scratch / f"reference.{number}" for number in range(len(lines[0].references))]
        for number, path in enumerate(references):
            path.write_text("".join(f"{line.references[number]}\n" for line in lines), encoding="utf-8")
        _local_shards(shards).save(scratch / "shards.npz")
        store = WeightStore.open(weights)
        first = Path(weights).absolute()
        setup = open_setup(source, references)
        check_frozen(learner, setup, store)
        return cls(setup, metric, learner, scratch, first, store.about, digest_of(store))

    def learn(
        self,
        sentences: Sequence[StreamLine],
        update: OnlineUpdate,
        seed: int,
        start: PathLike,
        counters: Counters,
    ) -> Iterator[str]:
        """Make a pass over a shard."""
        shard, size, begin = sentences[0].shard, len(sentences), time.monotonic()
        part = Part(self.setup, self.metric, self.learner.nbest, self.scratch / "shards.npz", shard)
        iteration = int(self.about["iteration"]) if continues(self.about) else 0
        document, dense = self._begins_with(part)
        task = LearnTask(
            part=part,
            update=update,
            options=self.learner,
            epoch=iteration,
            seed=seed,
            weights=self.weights,
            start=Path(start),
            dense=dense,
            rates=None,
            document=document,
            output=self.scratch / "weights",
        )
        learned = learn_part(task, lambda done: counters.status(f"shard {shard}: {done} of {size} sentences"))
        first = int(Shards.read(part.shards).offsets[shard])
        for failure in learned.failures:
            line = sentences[failure.sentence - first]
            counters.warn(f"sentence {line.sentence + 1} (shard {shard}) is left out: {failure.reason}")
        counters.add(
            sentences=size,
            updates=learned.updates,
            skipped=learned.skipped,
            failed=len(learned.failures),
            milliseconds=round(1000 * (time.monotonic() - begin)),
        )
        about = {**self.setup.system.about, **self.learning(update, seed)}
        record = ShardRecord(
            shard=shard,
            shards=sentences[0].shards,
            size=size,
            iteration=iteration + 1,
            sentences=learned.sentences,
            updates=learned.updates,
            skipped=learned.skipped,
            failed=len(learned.failures),
            loss=learned.loss,
            document=list(learned.document),
            dense=list(dense),
            start=self.digest,
            about=about,
            build=Build.running().record(),
        )
        yield from shard_lines(record, learned.weights)

    def learning(self, update: OnlineUpdate, seed: int) -> dict[str, Any]:
        """Return the record of what shards are learned with."""
        return learning_record(f"{ONLINE} {update.name}", self.metric, seed, update, self.learner)

    def _begins_with(self, part: Part) -> tuple[tuple[float, ...], tuple[str, ...]]:
        """Return the document that a shard goes on with, and the dense features: as the weights record them,
        or by translations under the first weights."""
        if continues(self.about):
            return tuple(self.about["documents"][part.number]), tuple(self.about["dense"])
        scored = score_part(ScoreTask(part, self.weights, self.learner.fail_fast), lambda done: None)
        document = self.learner.open_document(self.metric)
        document.begin(np.array(scored.stats), scored.words, scored.sentences)
        return document.state, scored.dense


def _of_input(error: InputError, scratch: Path, shards: Sequence[Sequence[NumberedLine]]) -> InputError:
    """Return an error of a text of this mapper as one of the line of standard input that it came with."""
    if error.path is None or error.line is None or Path(str(error.path)).parent != scratch:
        return error
    numbers = [each.number for shard in shards for each in shard]
    return InputError(error.message, path=STANDARD_INPUT, line=numbers[error.line - 1])


def _local_shards(shards: Sequence[Sequence[StreamLine]]) -> Shards:
    """Return shards with their own numbers, over the sentences of this mapper; others are empty."""
    count = shards[0][0].shards
    sizes, folds = np.zeros(count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    for sentences in shards:
        sizes[sentences[0].shard], folds[sentences[0].shard] = len(sentences), sentences[0].fold
    offsets = np.array([0, *accumulate(sizes.tolist())], dtype=np.int64)
    return Shards(offsets, np.arange(offsets[-1], dtype=np.int64), folds)
