"""The model that a training starts from: an earlier one of the same features, at the scale of new lists.

If the lists were made with that model attached, and leave its scores out, its weights are multiplied by the
weight that each orientation had in the decoder: the sum of a candidate's score and those of its phrases is
then the decoder's whole score, and training goes on where the decoder was.
"""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.differences import differences
from tunesmith.errors import InputError, Message
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.files import PathLike
from tunesmith.options import as_recorded
from tunesmith.runs.store import Store
from tunesmith.types import Float32Array, FloatArray
from tunesmith.weights import WeightStore
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.list_record import recorded_weights
from tunesmith.xbleu.reordering import REORDERING, WEIGHTS, TrainedReordering
from tunesmith.xbleu.scales import has_same_scale
from tunesmith.xbleu.seen_sentences import SENTENCES
from tunesmith.xbleu.training_options import FEATURE_SETS

__all__ = ["StartModel"]


@dataclass(frozen=True, eq=False)
class StartModel:
    """An earlier model under the name of the template, and what its weights are multiplied by."""

    trained: TrainedReordering
    factors: dict[str, float]
    """By orientation."""
    gamma: float | None
    """That of its training; None if the decoder's weights were others, so that the scale is another."""
    attached_as: str
    """Its name in the decoder of the lists."""

    @classmethod
    def open(cls, path: PathLike, template: SparseReordering, store: Store[Any]) -> StartModel:
        """Open a model for a training on the lists of a store; an InputError if it does not fit."""
        trained = TrainedReordering.open(path)
        if "linear_bleu" in trained.record:
            raise InputError(
                "was trained on forests, for another gain, and which sentences were held out is known by"
                " their forests only; start from a model that was trained on lists",
                path=trained.directory,
            )
        own, wanted = _features(trained.template), _features(template)
        leading = ["features"] if own["features"] != wanted["features"] else list(own)
        if found := differences(*({key: each[key] for key in leading} for each in (own, wanted))):
            text = "is a model with " + found.template + "; expected one of the same features to start from"
            raise InputError(Message(text, *found.options, **found.values), path=trained.directory)
        name = trained.template.name
        made_with = LeftOutModels.recorded(store.record)
        left_out = made_with.weights
        if left_out and name not in left_out:
            raise InputError(
                f"its lists leave out the scores of {', '.join(left_out)}, but the start model"
                f" {trained.directory} is named {name}; start from the model that made the lists (the folder"
                " `reordering` of the model has it under the name that it was attached by)",
                path=store.path,
            )
        factors = left_out.get(name, dict.fromkeys(trained.orientations, trained.orientation_weight))
        if set(factors) != set(trained.orientations):
            raise InputError(
                f"was made with a model {name} of the orientations {', '.join(factors)}, but the start model"
                f" {trained.directory} has {', '.join(trained.orientations)}; start from the model that made"
                " the lists",
                path=store.path,
            )
        if made_with.digests.get(name, trained.digest) != trained.digest:
            raise InputError(
                f"was made with another model {name} than the start model {trained.directory}; start from the"
                f" one that is attached to {store.model}",
                path=store.path,
            )
        gamma = trained.record.get("gamma")
        same = has_same_scale(trained.decoder_weights, store)
        return cls(
            trained if name == template.name else trained.renamed(template.name),
            {label: float(factors[label]) for label in trained.orientations},
            None if gamma is None or same is False else float(gamma),
            name,
        )

    def check_left_out(self, store: Store[Any]) -> None:
        """Raise InputError if the scores of lists contain those of this model."""
        name = self.attached_as
        if f"{name}_{self.trained.orientations[0]}" in (recorded_weights(store.record) or {}):
            raise InputError(
                f"the scores of its lists contain those of {name}, which training would add once more; make"
                f" lists with `tunesmith xbleu lists --retrain {name}`",
                path=store.path,
            )

    @cached_property
    def digest(self) -> str:
        """Hash of all that training takes from it."""
        found = hashlib.sha256()
        for name in (REORDERING, WEIGHTS, SENTENCES):
            found.update((self.trained.directory / name).read_bytes())
        return found.hexdigest()

    def numbered(self, features: _native.EventFeatures) -> Float32Array:
        """Return the start weight of each feature, 0 where the model has none. O(features)."""
        found = self.trained.weights.find(features.names(0, len(features)))
        known = found >= 0
        weights = np.zeros(len(features), dtype=np.float32)
        weights[known] = self._values[found[known]].astype(np.float32)
        return weights

    def add_others(self, learned: WeightStore, features: _native.EventFeatures, unit: float) -> None:
        """Add the weights of features that do not occur in the lists, times `unit`, so that none is lost."""
        seen = set(features.names(0, len(features)))
        names = [*self.trained.weights]
        others = [n for n, name in enumerate(names) if name not in seen and self._values[n] != 0]
        learned.set([names[n] for n in others], (unit * self._values[others]).astype(np.float32))

    @cached_property
    def _values(self) -> FloatArray:
        """The weights, multiplied."""
        values = self.trained.weights.native.weights()
        if all(factor == 1 for factor in self.factors.values()):
            return values
        return values * [self.factors[name.rpartition("_")[2]] for name in self.trained.weights]

    def to_dict(self) -> dict[str, Any]:
        """Return what the record of a training says about it."""
        return {
            "folder": str(self.trained.directory.resolve()),
            "digest": self.digest,
            "weights": self.factors,
        }


def _features(template: SparseReordering) -> dict[str, Any]:
    """Return what two models must agree in: the feature set and its options, without the name."""
    short = {kind: name for name, kind in FEATURE_SETS.items()}
    found: dict[str, Any] = {"features": short.get(type(template), type(template).__name__)}
    for field in dataclasses.fields(template):
        value = getattr(template, field.name)
        if field.name != "name" and isinstance(value, str | int | float | tuple):
            found[field.name] = as_recorded(value)
    return found
