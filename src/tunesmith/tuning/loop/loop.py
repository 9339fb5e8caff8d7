"""The tuning loop: decode, accumulate candidates or forests, learn from all of them, and repeat."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError, TunesmithWarning, nearest
from tunesmith.optimizers.space import Range, Space, check_penalties
from tunesmith.seeds import stream_seed
from tunesmith.systems.base import System
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.degenerate import refuse_useless
from tunesmith.tuning.history import Record, Watcher
from tunesmith.tuning.loop.accumulated import Accumulated
from tunesmith.tuning.loop.judge import DevSet, Judge
from tunesmith.tuning.loop.lesson import Lessons
from tunesmith.tuning.loop.progress import describe, opening
from tunesmith.tuning.loop.result import LoopResult
from tunesmith.tuning.loop.rounds import Rounds, needed
from tunesmith.tuning.loop.stopping import StopRules, improved, judged, movement, updated
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Solution
from tunesmith.tuning.standardize import Standardized, unlike_scales
from tunesmith.tuning.warn import (
    HARDLY_COUNT,
    Before,
    dense_alone,
    last_still_improving,
    many_features,
    other_method,
    result_warnings,
)
from tunesmith.weights import Weights
from tunesmith.weights.name_patterns import name_matcher

__all__ = ["Limits", "Loop"]

GOOD = ("mira", "forest-mert", "mert")
"""Methods to try instead of another; of two that differ in lists or forests only, the first that can run."""


@dataclass(frozen=True)
class Limits:
    """Bounds, frozen features and penalties; features that they name may first appear in later rounds."""

    bounds: Mapping[str, Range] = field(default_factory=dict)
    frozen: Sequence[str] = ()
    l1: float = 0.0
    l2: float = 0.0

    def __post_init__(self) -> None:
        """Check the strengths."""
        check_penalties(self.l1, self.l2)

    @property
    def settings(self) -> dict[str, object]:
        """The limits by the names of their options, ready for JSON."""
        bounds = [f"{name}={_side(low)}:{_side(high)}" for name, (low, high) in self.bounds.items()]
        return {"bounds": bounds, "frozen": list(self.frozen), "l1": self.l1, "l2": self.l2}

    def space(self, names: Sequence[str], lists: int, start: Mapping[str, float], *, final: bool) -> Space:
        """Return the space of the features `names`; if `final`, all patterns must match."""
        known = self.frozen if final else [pattern for pattern in self.frozen if _matches(pattern, names)]
        bounds = {
            pattern: limits for pattern, limits in self.bounds.items() if final or _matches(pattern, names)
        }
        return Space.build(names, lists, start=start, bounds=bounds, frozen=known, l1=self.l1, l2=self.l2)

    def unknown(self, names: Sequence[str]) -> list[str]:
        """Return the names and patterns that match no feature."""
        return [pattern for pattern in (*self.frozen, *self.bounds) if not _matches(pattern, names)]


@dataclass(frozen=True, kw_only=True)
class Loop:
    """The parts of a loop. Round i decodes with the weights of round i - 1, and learns from rounds 1 to i."""

    system: System
    method: Method
    judge: Judge
    accumulated: Accumulated
    rounds: Rounds
    rules: StopRules
    limits: Limits
    start: Weights
    seed: int = 1
    interpolate: float = 1.0
    standardize: Standardized = "none"
    """Which features are divided by their deviation within the lists so far, while learning."""
    by_score: bool = False
    """Select the weights with the best score, not the last."""
    dev: DevSet | None = None
    progress: Callable[[str], None] | None = None
    watch: Watcher | None = None
    phase: Callable[[str], None] | None = None

    def run(self) -> LoopResult:
        """Run the remaining rounds."""
        rounds = self.rounds
        self._resume()
        rounds.begin(self.start)
        if rounds.stopped is None:
            self._report(opening(self.method, len(self.judge.references[0]), rounds.folder))
            if rounds.records:
                rounds.verify()
                with needed():
                    self.accumulated.recall(len(rounds.records))
        while rounds.stopped is None:
            done = rounds.records
            if done and (reason := self.rules.after_learning(done[-1])):
                self._end(reason)
            else:
                self._round()
        return self._result()

    def _resume(self) -> None:
        """Decide whether a finished run continues under the current rules, and update the selection."""
        rounds = self.rounds
        learned = [record for record in rounds.records if "loss" in record]
        if len(learned) > self.rules.iterations:
            raise OptionError(
                "{folder} contains a run of {done} iterations; expected {} of at least {done},"
                " or {} to start anew",
                "iterations",
                "restart",
                folder=rounds.folder,
                done=len(learned),
            )
        if rounds.stopped is None:
            return
        newest = rounds.records[-1]
        if "loss" in newest or newest.get("last"):
            reason = self.rules.after_learning(learned[-1])
        else:
            reason = self.rules.before_learning(rounds.records, self.judge.metric.sign)
        if reason is None:
            rounds.reopen()
            return
        rounds.stopped = reason
        if not rounds.has_published(self._choice(rounds.records)):
            self._finish(reason, None)

    def _round(self) -> None:
        rounds, number = self.rounds, len(self.rounds.records) + 1
        weights = rounds.weights_of(number - 1)
        begin = self._clock("decoding")
        found = self.accumulated.gather(number, weights)
        record = self._scored({"iteration": number}, self.judge(found.best) | found.facts, weights, begin)
        if reason := self.rules.before_learning([*rounds.records, record], self.judge.metric.sign):
            self._report(describe(record, self.judge.metric))
            self._finish(reason, record)
            return
        begin = self._clock("learning")
        space = self._space(weights)
        data, metric, threads = self.accumulated.data, self.judge.metric, self.judge.threads
        if number == 1:
            data.refuse_hopeless(metric, space.free, threads)
            self._warn_of_scales(data, space)
            if told := many_features(self.method, space):
                warnings.warn(told, TunesmithWarning, stacklevel=2)
        lessons = Lessons(self.method, metric, self.standardize, threads, self.watch)
        lesson = lessons.learn(data, space, stream_seed(self.seed, "round", number - 1), record)
        solution, record = lesson.solution, lesson.record
        kept = 1.0 if space.anchored else lesson.factor
        learned = self._accepted(weights, solution, space, kept, anyway="went_on" in record)
        record |= {
            "start_loss": solution.start_loss,
            "loss": solution.loss,
            "moved": movement(weights, learned),
            "steps": lesson.steps,
            "seconds_learn": round(time.monotonic() - begin, 3),
        }
        chosen = self._choice([*rounds.records, record])
        rounds.finish_round(record, learned, chosen, **self._about(chosen, record))
        self.accumulated.forget(number)
        self._report(describe(record, self.judge.metric))

    def _remarks(self, chosen: int) -> Iterator[str]:
        """Yield what the last round ended with, which no other continues, what the chosen weights are, and in
        how many rounds no mean was taken."""
        learned = [record for record in self.rounds.records if "loss" in record]
        if learned and "unfinished" in learned[-1]:
            yield last_still_improving(self.method.name, learned[-1]["unfinished"])
        changes = [record for record in learned[:chosen] if updated(record)]
        if changes and changes[-1].get("at_floor"):
            yield HARDLY_COUNT
        if alone := sum("standardized" in record for record in learned):
            yield dense_alone(alone, len(learned))

    def _warn_of_scales(self, data: TrainingData, space: Space) -> None:
        if self.standardize != "none" or not self.method.depends_on_scale(space.penalized):
            return
        if isinstance(data, Pool) and (message := unlike_scales(data, space, self.method.standardizes)):
            warnings.warn(message, TunesmithWarning, stacklevel=2)

    def _space(self, weights: Weights) -> Space:
        """Return the search space: new features start at 0, or at the bound nearest to it."""
        data = self.accumulated.data
        names = data.feature_names
        final = set(names) <= set(self.system.start)
        if not final and not self.rounds.records:
            for pattern in self.limits.unknown(names):
                hint = nearest(pattern, names)
                warnings.warn(f"no feature matches {pattern!r} so far{hint}", TunesmithWarning, stacklevel=2)
        given = {name: weights[name] for name in names if weights.get(name)}
        return self.limits.space(names, self.method.penalty_divisor(len(data)), given, final=final)

    def _accepted(
        self, old: Weights, solution: Solution, space: Space, factor: float, *, anyway: bool
    ) -> Weights:
        """Return the weights for the next round.

        They are the old ones if the method did not improve its objective, unless the loop goes on `anyway`.
        Learning began with the old ones times `factor`. Features that did not occur keep their weights,
        relative to the others.
        """
        if anyway or solution.loss < solution.start_loss:
            names, found, share = self.accumulated.data.feature_names, solution.weights, self.interpolate
            refuse_useless(self.method.name, found)
            if share < 1.0:
                before = factor * np.array([old.get(name, 0.0) for name in names])
                found = space.project(share * found + (1.0 - share) * before)
            if self.method.scale_free and not space.anchored:
                seen = sum(abs(old.get(name, 0.0)) for name in names)
                factor = float(np.abs(found).sum()) / seen if seen else 1.0
            kept = {name: factor * weight for name, weight in old.items()}
            return Weights({**kept, **Weights.from_array(names, found)})
        refuse_useless(self.method.name, np.array(list(old.values())))  # such as a start from zero
        return old

    def _end(self, reason: str) -> None:
        """Decode once more, so that the last weights have a score too, unless they did not change."""
        records = self.rounds.records
        if not updated(records[-1]):
            self._finish(reason, None)
            return
        weights = self.rounds.weights_of(len(records))
        begin = self._clock("decoding")
        score = self.judge(self.system.use(weights).best())
        record = self._scored({"iteration": len(records) + 1, "last": True}, score, weights, begin)
        self._report(describe(record, self.judge.metric))
        self._finish(reason, record)

    def _scored(self, record: Record, facts: Record, weights: Weights, begin: float) -> Record:
        dev = {} if self.dev is None else self.dev.score(weights)
        return record | facts | dev | {"seconds_decode": round(time.monotonic() - begin, 3)}

    def _finish(self, reason: str, record: Record | None) -> None:
        chosen = self._choice(self.rounds.records if record is None else [*self.rounds.records, record])
        about = self._about(chosen, record)
        self.rounds.finish(reason, record, chosen, **about)

    def _choice(self, records: Sequence[Record]) -> int:
        """Return the round whose weights are selected: the best of those with a score, or the last."""
        best = self._best(records) if self.by_score else None
        return sum("loss" in record for record in records) if best is None else best

    def _best(self, records: Sequence[Record]) -> int | None:
        """Return the round whose weights score best; None before any has a score."""
        first = 0 if any(self.start.values()) else 1  # a start from zero is no result
        if len(records) <= first:
            return None
        sign = self.judge.metric.sign
        return max(range(first, len(records)), key=lambda number: (sign * judged(records[number]), -number))

    def _about(self, chosen: int, newest: Record | None = None) -> Record:
        """Return the metadata of the weights file; the last weights have no score yet."""
        records = self.rounds.records if newest is None else [*self.rounds.records, newest]
        unchanged = chosen == len(records) and not updated(records[-1])
        found = records[chosen - unchanged] if chosen - unchanged < len(records) else {}
        scores: Record = {key: found[key] for key in ("score", "interval", "dev_score") if key in found}
        how = {"method": self.method.name, "metric": self.judge.metric.signature}
        return {**how, **self.system.about, **scores}

    def _report(self, line: str) -> None:
        if self.progress is not None:
            self.progress(line)

    def _clock(self, phase: str) -> float:
        """Report the phase that begins, free memory that only the last one used, and return the time."""
        _native.release_idle_memory()
        if self.phase is not None:
            self.phase(phase)
        return time.monotonic()

    def _remedy(self) -> str:
        by_metric = "" if self.by_score else "to select by metric, "
        learned_from = ("lists", "forests") if self.system.gives_forests else ("lists",)
        good = [name for name in GOOD if METHODS[name].learns_from.noun in learned_from]
        return f"try {by_metric}more iterations, or {other_method(self.method.name, good)}"

    def _result(self) -> LoopResult:
        rounds, metric = self.rounds, self.judge.metric
        chosen = self._choice(rounds.records)
        weights = rounds.published
        before, score = Before(rounds.records[0]["score"]), self._about(chosen).get("score")
        given = {name: value for name, value in weights.items() if value}
        space = self.limits.space(tuple(weights), 1, given, final=False)
        texts = result_warnings(
            self.method,
            metric,
            space,
            before,
            before.score if score is None else score,
            self._remedy(),
            objective_improved=all(improved(record) for record in rounds.records[:chosen]),
        )
        result = LoopResult(
            method=self.method.name,
            metric=metric.signature,
            label=metric.label,
            weights=weights,
            chosen=chosen,
            best=self._best(rounds.records),
            history=rounds.records,
            stopped=rounds.stopped or "",
            folder=rounds.folder,
            warnings=(*texts, *self._remarks(chosen)),
            resumed_after=rounds.resumed_after,
        )
        return replace(result, warnings=(*filter(None, [result.why_start]), *result.warnings))


def _side(limit: float | None) -> str:
    return "" if limit is None or np.isinf(limit) else str(float(limit))


def _matches(pattern: str, names: Sequence[str]) -> bool:
    return any(map(name_matcher([pattern]), names))
