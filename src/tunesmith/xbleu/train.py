"""Training of a reordering model on the lists of a store (Auli, Galley and Gao 2014).

Stochastic gradient ascent on the mean, over lists, of

    xBLEU = sum over candidates e of p(e) BLEU(e),  p(e) ~ exp(gamma (score(e) + sum over phrases of phi . u))

or of log p(e*), e* the candidate with the highest sentence BLEU. The decoder's weights, in score(e), stay as
they are, unless they are trained jointly (decoder_weights.py); those of the new features are 1.

The learning rate is that of gamma phi, so that training does not depend on the scale of the decoder's
weights: steps of phi are rate / gamma^2 times the gradient (rate / gamma with AdaGrad, whose steps have no
unit). At gamma = 1 that is the paper's update.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.locks import locked_folder
from tunesmith.weights import WeightStore
from tunesmith.xbleu.compiled import CompiledLists, compile_store
from tunesmith.xbleu.decoder_weights import DecoderWeights
from tunesmith.xbleu.earlier_rounds import EarlierRounds
from tunesmith.xbleu.gamma import choose_gamma
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.start_model import StartModel
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.training_folder import Checkpoint, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions
from tunesmith.xbleu.word_lists import provide_lists

__all__ = ["ReorderingResult", "train_reordering"]

LEAST_EPOCHS = 2

_OBJECTIVES = {
    "xbleu": _native.ListObjective.EXPECTED_GAIN,
    "cll": _native.ListObjective.LIKELIHOOD,
}


@dataclass(frozen=True, eq=False)
class ReorderingResult:
    """A trained model, and the clock of its training; `resumed_after` is the last epoch of an earlier run."""

    model: TrainedReordering
    seconds: float
    resumed_after: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the model, and the seconds."""
        return {**self.model.record, "seconds": round(self.seconds, 1), "output": str(self.model.directory)}


def train_reordering(
    store: PathLike,
    output: PathLike,
    options: ReorderingOptions,
    progress: Callable[[str], None] | None = None,
    *,
    model: PathLike | None = None,
    start: PathLike | None = None,
    others: Sequence[PathLike] = (),
) -> ReorderingResult:
    """Train a model and write it to the folder `output`; the same call resumes a training that was killed.

    Word lists and classes are those of the model that made the lists; `model` is its directory, if it was
    moved since. With `start`, the folder of an earlier model of the same features, weights, gamma, word lists
    and held-out sentences begin as its own (see `StartModel`, `ChosenLists`). `others` are further stores to
    train on, such as those of earlier rounds. `progress` is called with lines of text. O(features + uses of
    events) per list and epoch.
    """
    began = time.perf_counter()
    lists = ListStore.open(store)
    rounds = EarlierRounds.open(lists, others, start, options)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with locked_folder(folder, "another process trains in this folder"):
        settings = {**options.settings(), "store": lists.digest, **rounds.settings}
        files = TrainingFolder(folder, settings, restart=options.restart)
        if files.is_finished:
            return ReorderingResult(TrainedReordering.open(folder), 0.0)
        (_, held_out), *further = rounds.lists.stores
        words = rounds.word_lists or (lists.model if model is None else Path(model))
        provide_lists(options.template(), words, folder, progress)
        template = options.template().with_lists(folder)
        theta = DecoderWeights.of(lists) if options.joint else DecoderWeights()
        compiled = compile_store(
            lists, template, options.metric, held_out, folder, progress, further, theta.names
        )
        run = _Run(compiled, options, files, progress, theta, rounds.start)
        resumed_after = run.go()
        run.warn_of_harm()
        weights = WeightStore(compiled.features.weighted(run.state.kept))
        if rounds.start is not None:
            rounds.start.add_others(weights, compiled.features)
        weights.report_collisions()
        made = {**_made(run, lists), "features_with_weight": len(weights), **rounds.to_dict()}
        trained = TrainedReordering.write(folder, template, weights, made)
        files.finish()
    return ReorderingResult(trained, time.perf_counter() - began, resumed_after)


class _Run:
    """The epochs of a training."""

    def __init__(
        self,
        lists: CompiledLists,
        options: ReorderingOptions,
        files: TrainingFolder,
        progress: Callable[[str], None] | None,
        theta: DecoderWeights,
        start: StartModel | None = None,
    ) -> None:
        self.start = start
        self.lists = lists
        self.theta = theta
        self.options = options
        self.files = files
        self.progress = progress or (lambda line: None)
        self.state = Checkpoint()

    def learner(self, gamma: float, *, trial: bool = True) -> _native.ReorderingLearner:
        """Return a learner without weights; trials of gamma have one thread, and the decoder's weights."""
        options = self.options
        rates = [] if trial else self.theta.rates(self.lists.training, options, gamma)
        unit = gamma if options.adagrad else gamma**2
        return _native.ReorderingLearner(
            len(self.lists.features),
            objective=_OBJECTIVES[options.objective],
            gamma=gamma,
            rate=options.rate / unit,
            l2=options.l2 * unit,
            batch=options.batch,
            adagrad=options.adagrad,
            average=options.average,
            threads=1 if trial else options.threads,
            dense_rates=rates,
            dense_decay=options.theta_rate * options.l2,
        )

    def go(self) -> int:
        """Train until the objective on held-out lists stops to change; return the epochs of earlier runs."""
        found = self.files.checkpoint()
        self.state = self._begin() if found is None else found
        state, done = self.state, len(self.state.history)
        threads = self.options.threads
        learner = self.learner(state.gamma, trial=False)
        if threads > 1:
            self.progress(f"{threads} threads share the weights without locks: the result depends on timing")
        learner.set_state(state.weights, state.squares)
        learner.set_dense_state(state.dense.tolist(), state.dense_squares.tolist())
        while not self._is_over():
            began = time.perf_counter()
            epoch = len(state.history) + 1
            _, objective = learner.learn(self.lists.training, self.options.seed, epoch)
            weights, dense = learner.averages(), learner.dense_averages()
            if not (np.isfinite(weights).all() and np.isfinite(dense).all()):
                raise InputError(
                    f"training diverged in epoch {epoch}: weights are not finite; start anew with a smaller"
                    " {} and {}",
                    "rate",
                    "restart",
                )
            state.history.append({"epoch": epoch, "training": objective, **self.measures(weights, dense)})
            if threads > 1:
                state.history[-1]["threads"] = threads
            best = max(state.history, key=lambda record: float(record["held_out"]))
            if best["epoch"] == epoch:
                state.best, state.kept, state.dense_kept = epoch, weights, dense
            state.weights, state.squares = learner.weights(), learner.squares()
            state.dense, state.dense_squares = learner.dense_changes(), learner.dense_squares()
            self.files.commit(state)
            self.progress(_line(state.history[-1], time.perf_counter() - began))
        return done

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
        before, after = self.state.start, self.state.history[self.state.best - 1]
        if after["held_out"] <= before["held_out"]:
            warnings.warn(
                f"the objective on held-out lists does not rise: {before['held_out']:.5f}"
                f" {'without the model' if self.start is None else 'with the start model'},"
                f" {after['held_out']:.5f} with {'it' if self.start is None else 'the new one'}; there may be"
                " too few lists, or too large steps",
                TunesmithWarning,
                stacklevel=3,
            )

    def measures(self, weights: Any, dense: Any) -> dict[str, float]:
        """Return what weights, and changes of the decoder's, achieve on the held-out lists.

        Lengths are relative to the references.
        """
        found = _native.evaluate_lists(self.lists.held_out, weights, self.state.gamma, dense.tolist())
        metric = self.options.metric
        return {
            "held_out": found.gain if self.options.objective == "xbleu" else found.likelihood,
            "bleu": float(metric.score(found.best)),
            "expected_bleu": float(metric.score(found.expected)),
            "length_ratio": float(found.best[1] / max(found.best[-1], 1)),
            "sentence_bleu": found.best_gain,
            "oracle_sentence_bleu": found.oracle_gain,
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
            f"gamma {self.state.gamma:.4g}: entropy {self.state.start['entropy']:.2f} of even lists;"
            f" held-out objective {self.state.start['held_out']:.5f},"
            f" BLEU {100 * self.state.start['bleu']:.2f} before training"
        )
        return self.state

    def _is_over(self) -> bool:
        history = self.state.history
        if len(history) < LEAST_EPOCHS or len(history) >= self.options.epochs:
            return len(history) >= self.options.epochs
        before, last = (record["held_out"] for record in history[-2:])
        return bool(abs(last - before) < self.options.tolerance * abs(before))


def _line(record: dict[str, Any], seconds: float) -> str:
    return (
        f"epoch {record['epoch']}: objective {record['training']:.5f} in training,"
        f" {record['held_out']:.5f} held out; BLEU {100 * record['bleu']:.2f},"
        f" expected {100 * record['expected_bleu']:.2f}, entropy {record['entropy']:.2f}; {seconds:.2f} s"
    )


def _made(run: _Run, store: ListStore) -> dict[str, Any]:
    """Return how the model was made, for its record; without clocks."""
    state, options, lists = run.state, run.options, run.lists
    return {
        "objective": options.objective,
        "options": options.settings(),
        "gamma": state.gamma,
        "entropy": state.start["entropy"],
        "gamma_trials": state.trials,
        "store": str(store.path.resolve()),
        "store_digest": store.digest,
        "decoder_weights": recorded_weights(store.record),
        **run.trained_weights(),
        "lists": {
            "training": len(lists.training),
            "held_out": len(lists.held_out),
            "events_per_list": round(lists.events_per_list, 2),
        },
        **({"threads": sorted({each["threads"] for each in state.history})} if options.threads > 1 else {}),
        "types": lists.types,
        "features_with_weight": int(np.count_nonzero(state.kept)),
        "epoch": state.best,
        "start": state.start,
        "history": state.history,
    }
