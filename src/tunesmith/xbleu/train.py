"""Training of a reordering model on the lists or forests of a store (Auli, Galley and Gao 2014).

Stochastic gradient ascent on the mean, over lists, of

    xBLEU = sum over candidates e of p(e) BLEU(e),  p(e) ~ exp(gamma (score(e) + sum over phrases of phi . u))

or of log p(e*), e* the candidate with the highest sentence BLEU. The decoder's weights, in score(e), stay as
they are; those of the new features are 1. On forests, the sum is over derivations, and the gain of each is
linear BLEU (linear_bleu.py), whose expectation is exact.

The learning rate is that of gamma phi, so that training does not depend on the scale of the decoder's
weights: steps of phi are rate / gamma^2 times the gradient (rate / gamma with AdaGrad, whose steps have no
unit). At gamma = 1 that is the paper's update.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.locks import locked_folder
from tunesmith.options import determinants
from tunesmith.weights import WeightStore
from tunesmith.xbleu.compiled import CompiledLists, compile_store, held_out_lists
from tunesmith.xbleu.compiled_forests import compile_forests
from tunesmith.xbleu.forest_store import ForestStore, check_forest_options, open_store
from tunesmith.xbleu.gamma import choose_gamma
from tunesmith.xbleu.linear_bleu import LinearBleu
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.store import STORE, ListStore
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
) -> ReorderingResult:
    """Train a model and write it to the folder `output`; the same call resumes a training that was killed.

    Word lists and classes are those of the model that made the lists; `model` is its directory, if it was
    moved since. `progress` is called with lines of text. O(features + uses of events) per list and epoch.
    """
    began = time.perf_counter()
    lists = open_store(store)
    if isinstance(lists, ForestStore):
        check_forest_options(lists, options)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with locked_folder(folder, "another process trains in this folder"):
        settings = {**determinants(options), "store": _digest(lists)}
        files = TrainingFolder(folder, settings, restart=options.restart)
        if files.is_finished:
            return ReorderingResult(TrainedReordering.open(folder), 0.0)
        held_out = held_out_lists(lists.sentences, options.held_out, options.seed)
        provide_lists(options.template(), lists.model if model is None else Path(model), folder, progress)
        template = options.template().with_lists(folder)
        if isinstance(lists, ForestStore):
            compiled = compile_forests(lists, template, held_out, folder, progress)
        else:
            compiled = compile_store(lists, template, options.metric, held_out, folder, progress)
        run = _Run(compiled, options, files, progress)
        resumed_after = run.go()
        run.warn_of_harm()
        weights = WeightStore(compiled.features.weighted(run.state.kept))
        weights.report_collisions()
        trained = TrainedReordering.write(folder, template, weights, _made(run, lists))
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
    ) -> None:
        self.lists = lists
        self.options = options
        self.files = files
        self.progress = progress or (lambda line: None)
        self.state = Checkpoint()

    def learner(self, gamma: float) -> _native.ReorderingLearner:
        """Return a learner without weights."""
        options = self.options
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
        )

    def go(self) -> int:
        """Train until the objective on held-out lists stops to change; return the epochs of earlier runs."""
        found = self.files.checkpoint()
        self.state = self._begin() if found is None else found
        state, done = self.state, len(self.state.history)
        learner = self.learner(state.gamma)
        learner.set_state(state.weights, state.squares)
        while not self._is_over():
            began = time.perf_counter()
            epoch = len(state.history) + 1
            _, objective = learner.learn(self.lists.training, self.options.seed, epoch)
            weights = learner.averages()
            if not np.isfinite(weights).all():
                raise InputError(
                    f"training diverged in epoch {epoch}: weights are not finite; start anew with a smaller"
                    " {} and {}",
                    "rate",
                    "restart",
                )
            state.history.append({"epoch": epoch, "training": objective, **self.measures(weights)})
            best = max(state.history, key=lambda record: float(record["held_out"]))
            if best["epoch"] == epoch:
                state.best, state.kept = epoch, weights
            state.weights, state.squares = learner.weights(), learner.squares()
            self.files.commit(state)
            self.progress(_line(state.history[-1], time.perf_counter() - began))
        return done

    def warn_of_harm(self) -> None:
        """Warn if held-out lists are better without the model."""
        before, after = self.state.start, self.state.history[self.state.best - 1]
        if after["held_out"] <= before["held_out"]:
            warnings.warn(
                f"the objective on held-out lists does not rise: {before['held_out']:.5f} without the model,"
                f" {after['held_out']:.5f} with it; there may be too few lists, or too large steps",
                TunesmithWarning,
                stacklevel=3,
            )

    def measures(self, weights: Any) -> dict[str, float]:
        """Return what weights achieve on the held-out lists; lengths are relative to the references."""
        found = _native.evaluate_lists(self.lists.held_out, weights, self.state.gamma)
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
        if options.gamma is None:
            gamma, trials = choose_gamma(
                self.lists, self.learner, options.metric, options.seed, self.progress
            )
            self.state.gamma, self.state.trials = gamma, [trial.to_dict() for trial in trials]
        else:
            self.state.gamma = options.gamma
        nothing = np.zeros(len(self.lists.features), dtype=np.float32)
        self.state.weights = self.state.kept = nothing
        self.state.squares = nothing.copy() if options.adagrad else nothing[:0]
        self.state.start = {"epoch": 0, **self.measures(nothing)}
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


def _made(run: _Run, store: ListStore | ForestStore) -> dict[str, Any]:
    """Return how the model was made, for its record; without clocks."""
    state, options, lists = run.state, run.options, run.lists
    return {
        "objective": options.objective,
        "options": determinants(options),
        "gamma": state.gamma,
        "entropy": state.start["entropy"],
        "gamma_trials": state.trials,
        "store": str(store.path.resolve()),
        "store_digest": _digest(store),
        "decoder_weights": recorded_weights(store.record),
        **_gain(store),
        "lists": {
            "training": len(lists.training),
            "held_out": len(lists.held_out),
            "events_per_list": round(lists.events_per_list, 2),
        },
        "types": lists.types,
        "features_with_weight": int(np.count_nonzero(state.kept)),
        "epoch": state.best,
        "start": state.start,
        "history": state.history,
    }


def _gain(store: ListStore | ForestStore) -> dict[str, Any]:
    """Return what a model that was trained on forests says of its gain: that it is linear, and how."""
    if not isinstance(store, ForestStore):
        return {}
    return {"linear_bleu": LinearBleu.around(store.counts).to_dict()}


def _digest(store: ListStore | ForestStore) -> str:
    return hashlib.sha256((store.path / STORE).read_bytes()).hexdigest()
