"""The epochs of an online run: learn from all shards, mix, select features, score, and record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.weight_names import LARGEST_WEIGHT
from tunesmith.distribute import Executor
from tunesmith.errors import DegenerateError, InputError, OptionError
from tunesmith.metrics.base import Metric
from tunesmith.systems.setup import Setup
from tunesmith.tuning.history import Record
from tunesmith.tuning.online.checkpoints import RemoteCheckpoints
from tunesmith.tuning.online.failures import FailureReport
from tunesmith.tuning.online.folder import OnlineFolder
from tunesmith.tuning.online.frozen import Frozen
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.mixing import MixingOptions, mix, with_largest
from tunesmith.tuning.online.options import ScheduleOptions
from tunesmith.tuning.online.scoring import best_iteration, total_score
from tunesmith.tuning.online.shards import Shards
from tunesmith.tuning.online.start_scale import (
    SENTENCES,
    SpreadTask,
    balancing_factor,
    scaled,
    spread_part,
)
from tunesmith.tuning.online.tasks import (
    Learned,
    LearnTask,
    Part,
    Scored,
    ScoreTask,
    learn_part,
    score_part,
)
from tunesmith.tuning.online.updates.base import OnlineUpdate
from tunesmith.weights import WeightStore

__all__ = ["ONLINE", "OnlineRun", "Ticks"]

ONLINE = "online"
"""How the method begins that files of weights record: by it, a run that continues another is recognized."""

Ticks = Callable[[str, int, int], None]
"""Called with a phase, the number of sentences done in it, and of all."""


@dataclass(frozen=True, kw_only=True)
class OnlineRun:
    """The parts of a run. Epoch i, from 1, begins with the mixed weights of epoch i - 1."""

    setup: Setup
    select: Setup | None
    metric: Metric
    update: OnlineUpdate
    learner: LearnerOptions
    mixing: MixingOptions
    schedule: ScheduleOptions
    folder: OnlineFolder
    shards: Shards
    select_shards: Shards | None
    executor: Executor
    progress: Callable[[Record], None]
    tick: Ticks
    failures: FailureReport
    select_failures: FailureReport
    checkpoints: RemoteCheckpoints | None = None

    def run(self) -> str:
        """Run the remaining epochs, and return why the run ended."""
        if not self.folder.state.records:
            self._begin()
        elif self._reason() is None:
            self.folder.warn_of_other_build()
        while (reason := self._reason()) is None:
            self._iterate(len(self.folder.state.records))
        return reason

    def _reason(self) -> str | None:
        records, patience = self.folder.state.records, self.schedule.patience
        if self.select is not None and patience is not None:
            best = best_iteration(records, self.metric.sign)
            if len(records) - 1 - best >= patience:
                return f"no better score of the select set for {patience} epochs"
        return "all epochs are done" if len(records) > self.schedule.epochs else None

    def _begin(self) -> None:
        """Translate with the start weights: for a first score, and as what documents begin with."""
        state, begin = self.folder.state, time.monotonic()
        scored = self._scored(self.setup, self.folder.shards, self.shards, self.folder.weights(0), "start")
        if all(part.untranslated == part.sentences for part in scored):
            reason = self.failures.first(each for part in scored for each in part.failures)
            raise InputError(
                f"no sentence of the tuning set has a translation under the start weights{reason}"
            )
        for part in scored:
            document = self.learner.open_document(self.metric)
            document.begin(np.array(part.stats), part.words, part.sentences)
            state.documents.append(list(document.state))
        state.dense = list(scored[0].dense)
        factor = self._scale_start()
        record: Record = {"iteration": 0, **self._score(scored), "start_scale": factor}
        record |= self._select_score(self.folder.weights(0)) | self._features(self.folder.weights(0))
        record["seconds"] = round(time.monotonic() - begin, 3)
        self._commit(record, self.folder.weights(0))

    def _scale_start(self) -> float:
        """Scale the start weights, which changes no ranking of translations, and return the factor."""
        path, given = self.folder.weights(0), self.schedule.start_scale
        factor = self._balancing_factor() if given is None else given
        if factor != 1.0:
            store = scaled(WeightStore.open(path, regular=True), factor)
            if not np.abs(store.native.weights()).max(initial=0.0) <= LARGEST_WEIGHT:
                raise OptionError(
                    "{} of {factor:.4g} makes weights larger than {largest:,.0f}, the most that decoders"
                    " take; give a smaller one",
                    "start_scale",
                    factor=factor,
                    largest=LARGEST_WEIGHT,
                )
            store.save(path)
        return factor

    def _balancing_factor(self) -> float:
        learner, state = self.learner, self.folder.state
        share = -(-SENTENCES // len(self.shards))
        tasks = [
            SpreadTask(part, self.folder.weights(0), learner.document, tuple(document), share)
            for part, document in zip(
                self._parts(self.setup, self.folder.shards, self.shards), state.documents, strict=True
            )
        ]
        return balancing_factor(self.executor.map_shards(spread_part, tasks))

    def _iterate(self, number: int) -> None:
        """Make epoch `number`, from 1."""
        begin = time.monotonic()
        learned = self._learned(number)
        sentences = sum(len(self.shards[i]) for i in range(len(self.shards)))
        counts = {
            "updates": sum(part.updates for part in learned),
            "skipped": sum(part.skipped for part in learned),
        }
        failures = [failure for part in learned for failure in part.failures]
        if counts["skipped"] + len(failures) == sentences:
            reason = self.failures.first(failures)
            raise InputError(f"no sentence of the tuning set has a translation any more{reason}")
        if failures:
            counts["failed"] = self.failures.note(failures)
        before = self.folder.weights(number - 1)
        frozen = self._frozen(before)
        mixed = mix(
            before,
            ((part.weights, len(self.shards[i]), part.sentences) for i, part in enumerate(learned)),
            sentences,
            self.folder.state.dense,
            self.mixing,
            self.schedule.threads,
            frozen,
        )
        mixed.last.save(self.folder.weights(number))
        newest = mixed.average if self.schedule.average == "steps" else mixed.last
        result = self._averaged(number, newest, (*self.folder.state.dense, *frozen))
        online = np.sum([part.stats for part in learned if part.stats], axis=0)
        record: Record = {
            "iteration": number,
            "online_score": float(self.metric.score(online)),
            "loss": sum(part.loss for part in learned) / max(sum(part.sentences for part in learned), 1),
            "sentences": sentences,
            **counts,
            "dropped_by_top_k": mixed.dropped_by_top_k,
            "dropped_by_shards": mixed.dropped_by_shards,
            **self._features(result),
            "by_shard": {
                "sentences": [len(self.shards[i]) for i in range(len(learned))],
                "updates": [part.updates for part in learned],
                "skipped": [part.skipped for part in learned],
                "failed": [len(part.failures) for part in learned],
            },
            "seconds_by_shard": [part.seconds for part in learned],
            "seconds_learn": round(time.monotonic() - begin, 3),
        }
        if not record["features"]:
            raise DegenerateError(
                f"all weights are 0 after epoch {number}; learning cannot continue from there"
            )
        record |= self._tuning_score(result) | self._select_score(result)
        record["seconds"] = round(time.monotonic() - begin, 3)
        self.folder.state.documents = [list(part.document) for part in learned]
        self._commit(record, result)

    def _learned(self, number: int) -> list[Learned]:
        folder, keep = self.folder, self.learner.keep_rates and number > 1
        tasks = [
            LearnTask(
                part=part,
                update=self.update,
                options=self.learner,
                epoch=number - 1,
                seed=self.schedule.seed,
                weights=folder.weights(number - 1),
                start=folder.weights(0),
                dense=tuple(folder.state.dense),
                rates=folder.of_shard(number - 1, part.number) if keep else None,
                document=tuple(folder.state.documents[part.number]),
                output=folder.of_shard(number, part.number),
            )
            for part in self._parts(self.setup, folder.shards, self.shards)
        ]
        return self.executor.map_shards(
            learn_part, tasks, progress=_counting(self.tick, f"epoch {number}", self.shards)
        )

    def _averaged(self, number: int, newest: WeightStore, kept: Sequence[str]) -> Path:
        """Return the file of the weights that epoch `number` results in.

        A mean has all features that any epoch kept; the result has as many of them as an epoch may,
        beside those that are always `kept`.
        """
        if self.schedule.average == "none":
            return self.folder.weights(number)
        earlier = self.folder.average(number - 1)
        mean = WeightStore.open(earlier, regular=True) if number > 1 else WeightStore()
        _native.add_to_mean(mean.native, newest.native, number)
        mean.save(self.folder.average(number), about={})
        largest = with_largest(mean, kept, self.mixing.top_k)
        if largest is mean:
            return self.folder.average(number)
        largest.save(self.folder.largest(number), about={})
        return self.folder.largest(number)

    def _frozen(self, weights: Path) -> dict[str, float]:
        """Return the frozen features of a file of weights."""
        frozen = Frozen.of(self.learner, self.folder.state.dense)
        return frozen.weights_of(WeightStore.open(weights, regular=True)) if frozen else {}

    def _parts(self, setup: Setup, path: Path, shards: Shards) -> Iterator[Part]:
        for number in range(len(shards)):
            yield Part(setup, self.metric, self.learner.nbest, path, number)

    def _scored(self, setup: Setup, path: Path, shards: Shards, weights: Path, phase: str) -> list[Scored]:
        fail_fast = self.learner.fail_fast
        tasks = [ScoreTask(part, weights, fail_fast) for part in self._parts(setup, path, shards)]
        return self.executor.map_shards(score_part, tasks, progress=_counting(self.tick, phase, shards))

    def _score(self, scored: Sequence[Scored]) -> Record:
        """Return the score of the tuning set; `failed` is the count of learning, and `score_failed` of it."""
        score = total_score(self.metric, scored, self.failures, "tuning set")
        return {"score_failed" if name == "failed" else name: value for name, value in score.items()}

    def _tuning_score(self, weights: Path) -> Record:
        wanted = self.schedule.score_tuning
        if not (self.select is None if wanted is None else wanted):
            return {}
        scored = self._scored(self.setup, self.folder.shards, self.shards, weights, "tuning set")
        return self._score(scored)

    def _select_score(self, weights: Path) -> Record:
        if self.select is None or self.select_shards is None:
            return {}
        found = self._scored(
            self.select, self.folder.select_shards, self.select_shards, weights, "select set"
        )
        score = total_score(self.metric, found, self.select_failures, "select set")
        return {f"select_{name}": value for name, value in score.items()}

    def _features(self, weights: Path) -> Record:
        """Count the features with a weight: all, the dense ones, and sparse ones by template."""
        store, dense = WeightStore.open(weights, regular=True), self.folder.state.dense
        templates = list(self.setup.system.templates)
        *counts, rest = _native.count_by_template(store.native, templates)
        active = sum(1 for name in dense if store.get(name))
        by_template = {name: count for name, count in zip(templates, counts, strict=True) if count}
        others = {"other": rest - active} if rest > active else {}
        return {
            "features": sum(counts) + rest,
            "features_by_template": {"dense": active, **by_template, **others},
        }

    def _commit(self, record: Record, result: Path) -> None:
        """Record an epoch; its weights are published if they are selected now."""
        state, number = self.folder.state, record["iteration"]
        state.records.append(record)
        state.chosen = number if self.select is None else best_iteration(state.records, self.metric.sign)
        publish = result if state.chosen == number else None
        self.folder.commit(publish, self._about(record), keep_shards=self.learner.keep_rates)
        if self.checkpoints is not None:
            self.checkpoints.save(self.folder)
        self.progress(record)

    def _about(self, record: Record) -> dict[str, Any]:
        scores: Record = {name: record[name] for name in ("score", "select_score") if name in record}
        return {
            **self.setup.system.about,
            "dense": self.folder.state.dense,
            "method": f"{ONLINE} {self.update.name}",
            "metric": self.metric.signature,
            "shards": self.schedule.shards,
            "seed": self.schedule.seed,
            "iteration": record["iteration"],
            **scores,
        }


def _counting(tick: Ticks, phase: str, shards: Shards) -> Callable[[int, Any], None]:
    """Return a progress function that adds up the sentences that shards report."""
    done: dict[int, int] = {}
    total = len(shards.sentences)

    def count(number: int, sentences: Any) -> None:
        done[number] = int(sentences)
        tick(phase, sum(done.values()), total)

    return count
