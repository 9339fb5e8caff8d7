"""The decoder's own weights theta, trained jointly with those of a reordering model.

With the values h(e) of the decoder's dense features in the lists, a candidate's score is

    theta . h(e) + sum over phrases of phi . u,  theta = start + change,

where the first term at the start weights is what the decoder computed. The gradient by theta_k is

    gamma * sum over candidates e of p(e) (BLEU(e) - expected BLEU) h_k(e).

Features have different scales: each is divided by its standard deviation within training lists, so that one
rate serves all of them. The steps are those of gamma theta, as for phi. Weights of unknown words, and of
features that never vary, stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.types import FloatArray
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["FROZEN", "DecoderWeights"]

FROZEN = "Unknown*"
"""Features whose weights stay: a list says little about them, and tuning freezes them too."""


@dataclass(frozen=True, eq=False)
class DecoderWeights:
    """The features whose values the lists have, and the weights that the lists were made with.

    Without features nothing is learned. Changes of weights are in the order of the names.
    """

    names: tuple[str, ...] = ()
    start: tuple[float, ...] = ()

    @classmethod
    def of(cls, store: ListStore) -> DecoderWeights:
        """Return those of a store; one without values of dense features is an InputError."""
        if not store.dense:
            raise InputError(
                "has no values of the decoder's features, which {} needs; make the lists with"
                " `tunesmith xbleu lists --dense`",
                "joint",
                path=store.path,
            )
        weights = recorded_weights(store.record) or {}
        missing = [name for name in store.dense if name not in weights]
        if missing:
            raise InputError(f"has no weight of {missing[0]}; make the lists again", path=store.path)
        return cls(store.dense, tuple(float(weights[name]) for name in store.dense))

    def rates(
        self, lists: _native.TrainingSet | _native.ForestSet, options: ReorderingOptions, gamma: float
    ) -> list[float]:
        """Return the step of each weight per unit of its gradient; 0 if the weight stays.

        In units of the feature divided by its deviation d, and of gamma times the weight, it is the dense
        rate: rate / (gamma d)^2, or rate / (gamma d) with AdaGrad, whose steps have no unit.
        """
        power = 1 if options.adagrad else 2
        found = zip(self.names, self.deviations(lists).tolist(), strict=True)
        return [
            0.0
            if fnmatch(name, FROZEN) or not deviation
            else options.theta_rate / (gamma * deviation) ** power
            for name, deviation in found
        ]

    def deviations(self, lists: _native.TrainingSet | _native.ForestSet) -> FloatArray:
        """Return the standard deviation of each feature within the lists; forests have no such features."""
        return np.zeros(0) if isinstance(lists, _native.ForestSet) else lists.dense_deviations()

    def moved(self, changes: FloatArray) -> dict[str, float]:
        """Return the weights after changes."""
        return {
            name: start + change
            for name, start, change in zip(self.names, self.start, changes.tolist(), strict=True)
        }
