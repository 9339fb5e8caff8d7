"""The epochs of a training: passes of the learner, and what its weights achieve on held-out lists."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.distribute import Executor, LocalExecutor
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.threads import thread_count
from tunesmith.xbleu.compiled import CompiledLists
from tunesmith.xbleu.decoder_weights import DecoderWeights
from tunesmith.xbleu.gamma import choose_gamma
from tunesmith.xbleu.shard_passes import Arrays, LearnerSetup, ShardPasses, state_of
from tunesmith.xbleu.start_model import StartModel
from tunesmith.xbleu.stopping import Ending
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["Epochs"]

_CONTINUED = ("weights", "squares", "dense", "dense_squares")
"""What an epoch begins with, of the state after the one before."""


class Epochs:
    """Passes over the lists or forests of a training, until those that are held out gain no more."""

    def __init__(
        self,
        lists: CompiledLists,
        options: ReorderingOptions,
        files: TrainingFolder,
        progress: Callable[[str], None] | None,
        theta: DecoderWeights,
        start: StartModel | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.start = start
        self.executor = executor
        self.lists = lists
        self.theta = theta
        self.options = options
        self.files = files
        self.progress = progress or (lambda line: None)
        self.state = Checkpoint()

    def learner(self, gamma: float, *, trial: bool = True) -> _native.ReorderingLearner:
        """Return a learner without weights; trials of gamma have one thread, and the decoder's weights."""
        return self._setup(gamma, trial=trial).learner()

    def _setup(self, gamma: float, *, trial: bool) -> LearnerSetup:
        options = self.options
        unit = gamma if options.adagrad else gamma**2
        return LearnerSetup(
            len(self.lists.features),
            options.objective,
            {
                "gamma": gamma,
                "rate": options.rate / unit,
                "l2": options.l2 * unit,
                "batch": options.batch,
                "adagrad": options.adagrad,
                "average": options.average_steps,
                "threads": 1 if trial else options.learners,
                "dense_rates": [] if trial else self.theta.rates(self.lists.training, options, gamma),
                "dense_decay": options.theta_rate * options.l2,
            },
        )

    def run(self) -> int:
        """Train until the stopping rule ends it; return the epochs of earlier runs."""
        found = self.files.checkpoint()
        self.state = self._begin() if found is None else found
        state, done = self.state, len(self.state.history)
        learners = self.options.learners
        if learners > 1:
            self.progress(
                f"{learners} learners share the weights without locks: the result depends on timing"
            )
        passes = self._passes()
        while self.ending is None:
            began = time.perf_counter()
            epoch = len(state.history) + 1
            learned, objective = next(passes)
            weights, dense = learned["averages"], learned["dense_averages"]
            if not (np.isfinite(weights).all() and np.isfinite(dense).all()):
                raise InputError(
                    f"training diverged in epoch {epoch}: weights are not finite; start anew with a smaller"
                    " {} and {}",
                    "rate",
                    "restart",
                )
            state.history.append({"epoch": epoch, "training": objective, **self.measures(weights, dense)})
            if learners > 1:
                state.history[-1]["learners"] = learners
            best = max(state.history, key=lambda record: float(record["held_out"]))
            if best["epoch"] == epoch:
                state.best, state.kept, state.dense_kept = epoch, weights, dense
            for name in _CONTINUED:
                setattr(state, name, learned[name])
            self.files.commit(state)
            self.progress(_line(state.history[-1], time.perf_counter() - began))
        passes.close()
        self._report_end()
        return done

    def _report_end(self) -> None:
        count, ending = len(self.state.history), self.ending
        assert ending is not None
        self.progress(
            f"ended after {count} epoch{'s' if count > 1 else ''}, {self.options.stopping.said(ending)};"
            f" epoch {self.state.best} is kept"
        )

    @property
    def ending(self) -> Ending | None:
        """What ends the training, None if it goes on."""
        return self.options.stopping.ending([record["held_out"] for record in self.state.history])

    def _passes(self) -> Generator[tuple[Arrays, float]]:
        """Yield what each further epoch results in: arrays by name, and the objective in training."""
        state, seed = self.state, self.options.seed
        setup = self._setup(state.gamma, trial=False)
        begin: Arrays = {name: getattr(state, name) for name in _CONTINUED}
        epoch = len(state.history)
        if self.options.shards == 1:
            learner = setup.learner(begin)
            while True:
                epoch += 1
                _, objective = learner.learn(self.lists.training, seed, epoch)
                yield state_of(learner), objective
        assert isinstance(self.lists.training, _native.TrainingSet)
        shards, folder = self.options.shards, self.files.shards
        own = LocalExecutor(min(shards, thread_count(None))) if self.executor is None else None
        with ExitStack() as stack:
            executor = self.executor or stack.enter_context(own or LocalExecutor())
            by_shard = ShardPasses(self.lists.training, shards, folder, executor)
            stack.callback(by_shard.close)
            while True:
                epoch += 1
                begin, objective = by_shard.learn(setup, begin, seed, epoch)
                yield begin, objective

    def trained_weights(self) -> dict[str, Any]:
        """Return what the record says of the decoder's weights, if they were trained."""
        if not self.theta.names:
            return {}
        names, deviations = self.theta.names, self.theta.deviations(self.lists.training)
        return {
            "decoder_weights": self.theta.moved(self.state.dense_kept),
            "start_decoder_weights": self.theta.moved(np.zeros(len(names))),
            "deviations": dict(zip(names, deviations.tolist(), strict=True)),
        }

    def warn_of_harm(self) -> None:
        """Warn if held-out lists are better without the model."""
        before, after, noun = self.state.start, self.state.history[self.state.best - 1], self.lists.noun
        if after["held_out"] <= before["held_out"]:
            warnings.warn(
                f"the objective on held-out {noun} does not rise: {before['held_out']:.5f}"
                f" {'without the model' if self.start is None else 'with the start model'},"
                f" {after['held_out']:.5f} with {'it' if self.start is None else 'the new one'}; there may be"
                f" too few {noun}, or too large steps",
                TunesmithWarning,
                stacklevel=3,
            )

    def measures(self, weights: Any, dense: Any) -> dict[str, float]:
        """Return what weights, and changes of the decoder's, achieve on the held-out lists.

        Lengths are relative to the references. The gain is that of lists or forests: sentence BLEU or linear
        BLEU. Matches of forests are not clipped.
        """
        changes = (dense.tolist(),) if self.theta.names else ()
        found = _native.evaluate_lists(self.lists.held_out, weights, self.state.gamma, *changes)
        metric = self.options.metric
        is_linear = self.lists.noun == "forests"
        gain = "linear_bleu" if is_linear else "sentence_bleu"
        return {
            "held_out": found.gain if self.options.objective == "xbleu" else found.likelihood,
            "bleu": float(metric.score(found.best)),
            "expected_unclipped_bleu" if is_linear else "expected_bleu": float(metric.score(found.expected)),
            "length_ratio": float(found.best[1] / max(found.best[-1], 1)),
            gain: found.best_gain,
            f"oracle_{gain}": found.oracle_gain,
            "entropy": found.entropy,
        }

    def _begin(self) -> Checkpoint:
        self.state, options = Checkpoint(), self.options
        given = options.gamma or (None if self.start is None else self.start.gamma)
        if given is None:
            gamma, trials = choose_gamma(
                self.lists, self.learner, options.metric, options.seed, self.progress
            )
            self.state.gamma, self.state.trials = gamma, [trial.to_dict() for trial in trials]
        else:
            self.state.gamma = given
        nothing = np.zeros(len(self.lists.features), dtype=np.float32)
        begin = nothing if self.start is None else self.start.numbered(self.lists.features)
        self.state.weights = self.state.kept = begin
        self.state.squares = nothing.copy() if options.adagrad else nothing[:0]
        self.state.dense = self.state.dense_kept = np.zeros(len(self.theta.names))
        self.state.dense_squares = self.state.dense.copy() if options.adagrad else self.state.dense[:0]
        self.state.start = {"epoch": 0, **self.measures(begin, self.state.dense)}
        self.progress(
            f"gamma {self.state.gamma:.4g}: entropy {self.state.start['entropy']:.2f} of even"
            f" {self.lists.noun}; held-out objective {self.state.start['held_out']:.5f},"
            f" BLEU {100 * self.state.start['bleu']:.2f} before training"
        )
        return self.state


def _line(record: dict[str, Any], seconds: float) -> str:
    is_linear = "linear_bleu" in record
    expected = record["expected_unclipped_bleu" if is_linear else "expected_bleu"]
    return (
        f"epoch {record['epoch']}: objective {record['training']:.5f} in training,"
        f" {record['held_out']:.5f} held out; BLEU {100 * record['bleu']:.2f},"
        f" expected {100 * expected:.2f}{' (not clipped)' if is_linear else ''},"
        f" entropy {record['entropy']:.2f}; {seconds:.2f} s"
    )
