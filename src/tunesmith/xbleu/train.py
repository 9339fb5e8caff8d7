"""Training of a reordering model on the lists or forests of a store (Auli, Galley and Gao 2014).

Stochastic gradient ascent on the mean, over lists, of

    xBLEU = sum over candidates e of p(e) BLEU(e),  p(e) ~ exp(gamma (score(e) + sum over phrases of phi . u))

or of log p(e*), e* the candidate with the highest sentence BLEU. The decoder's weights, in score(e), stay as
they are, unless they are trained jointly (decoder_weights.py); those of the new features are 1. On forests,
the sum is over derivations, and the gain of each is linear BLEU (linear_bleu.py), whose expectation is exact.

The learning rate is that of gamma phi, so that training does not depend on the scale of the decoder's
weights: steps of phi are rate / gamma^2 times the gradient (rate / gamma with AdaGrad, whose steps have no
unit). At gamma = 1 that is the paper's update.

The model that is written has the weights gamma phi, and 1 / gamma as the weight of each orientation: the same
scores, but the dense features have the unit of log p(e), and not that of the decoder's scores, which may be
hundreds of times as large. Tuning depends on the scale of features, unless they are standardized.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.distribute import Executor
from tunesmith.files import PathLike
from tunesmith.weights import WeightStore
from tunesmith.xbleu.compiled import compile_store
from tunesmith.xbleu.compiled_forests import compile_forests
from tunesmith.xbleu.decoder_weights import DecoderWeights
from tunesmith.xbleu.earlier_rounds import EarlierRounds
from tunesmith.xbleu.epochs import Epochs
from tunesmith.xbleu.forest_store import ForestStore, check_forest_options, open_store, settings_of
from tunesmith.xbleu.linear_bleu import LinearBleu
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.training_folder import KIND, TrainingFolder
from tunesmith.xbleu.training_options import ReorderingOptions
from tunesmith.xbleu.word_lists import check_provided, provide_lists

__all__ = ["ReorderingResult", "train_reordering"]


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
    executor: Executor | None = None,
) -> ReorderingResult:
    """Train a model and write it to the folder `output`; the same call resumes a training that was killed.

    Word lists and classes are those of the model that made the lists; `model` is its directory, if it was
    moved since. With `start`, the folder of an earlier model of the same features, weights, gamma, word lists
    and held-out sentences begin as its own (see `StartModel`, `ChosenLists`). `others` are further stores to
    train on, such as those of earlier rounds. `progress` is called with lines of text. Where `options.shards`
    of the lists are trained on separately, the `executor` does it [processes of this machine]. O(features +
    uses of events) per list and epoch.
    """
    began = time.perf_counter()
    lists = open_store(store)
    if isinstance(lists, ForestStore):
        check_forest_options(lists, options, start, others)
    rounds = EarlierRounds.open(lists, others, start, options)
    (_, held_out), *further = rounds.lists.stores
    theta = DecoderWeights()
    if options.joint and isinstance(lists, ListStore):
        theta = DecoderWeights.of(lists)
    folder = Path(output)
    words = rounds.word_lists or (lists.model if model is None else Path(model))
    check_provided(options.template(), words, *([] if options.restart else [folder]))
    with KIND.locked(folder):
        settings = {**settings_of(lists, options), "store": lists.digest, **rounds.settings}
        files = TrainingFolder(folder, settings, restart=options.restart)
        if files.is_finished:
            files.finish()  # it may have been killed just before
            return ReorderingResult(TrainedReordering.open(folder), 0.0)
        provide_lists(options.template(), words, folder, progress)
        template = options.template().with_lists(folder)
        if isinstance(lists, ForestStore):
            compiled = compile_forests(lists, template, held_out, folder, progress)
        else:
            metric, dense = options.metric, theta.names
            compiled = compile_store(lists, template, metric, held_out, folder, progress, further, dense)
        epochs = Epochs(compiled, options, files, progress, theta, rounds.start, executor)
        resumed_after = epochs.run()
        epochs.warn_of_harm()
        gamma = epochs.state.gamma
        weights = WeightStore(compiled.features.weighted((gamma * epochs.state.kept).astype(np.float32)))
        if rounds.start is not None:
            rounds.start.add_others(weights, compiled.features, gamma)
        weights.report_collisions()
        made = {**_made(epochs, lists), "features_with_weight": len(weights), **rounds.to_dict()}
        if rounds.lists.seen is not None:
            rounds.lists.seen.write(folder)
        trained = TrainedReordering.write(folder, template, weights, made)
        files.finish()
    return ReorderingResult(trained, time.perf_counter() - began, resumed_after)


def _made(epochs: Epochs, store: ListStore | ForestStore) -> dict[str, Any]:
    """Return how the model was made, for its record; without clocks."""
    state, options, lists = epochs.state, epochs.options, epochs.lists
    return {
        "objective": options.objective,
        "options": settings_of(store, options),
        "gamma": state.gamma,
        "orientation_weight": 1 / state.gamma,
        "entropy": state.start["entropy"],
        "gamma_trials": state.trials,
        "store": str(store.path.resolve()),
        "store_digest": store.digest,
        "decoder_weights": recorded_weights(store.record),
        "sparse_weights": store.record["weights"].get("sparse") if "weights" in store.record else None,
        "parts": store.record.get("parts"),
        **epochs.trained_weights(),
        **_gain(store),
        "lists": {
            "training": len(lists.training),
            "held_out": len(lists.held_out),
            "events_per_list": round(lists.events_per_list, 2),
        },
        **(
            {"learners": sorted({each["learners"] for each in state.history})} if options.learners > 1 else {}
        ),
        "types": lists.types,
        "epoch": state.best,
        "ended": epochs.ending,
        "start": state.start,
        "history": state.history,
    }


def _gain(store: ListStore | ForestStore) -> dict[str, Any]:
    """Return what a model that was trained on forests says of its gain: that it is linear, and how."""
    if not isinstance(store, ForestStore):
        return {}
    return {"linear_bleu": LinearBleu.around(store.counts).to_dict()}
