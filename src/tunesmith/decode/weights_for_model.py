"""Weights for a model that need not have all of them: their names, without opening a decoder."""

from __future__ import annotations

import warnings

from tunesmith.decode.fitted_weights import FittedNames
from tunesmith.decode.recorded import Recorded
from tunesmith.errors import UnusedWeightWarning
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.weights import WeightStore
from tunesmith.weights.unused import unused_message

__all__ = ["weights_for_model"]


def weights_for_model(store: WeightStore, directory: PathLike) -> WeightStore:
    """Return weights with the names of a model and the templates that they record; warn of all others."""
    model, recorded = Model.open(directory), Recorded.of(store)
    templates = model.own_templates()
    given = [each.with_lists(model.directory) for each in recorded.with_templates([])]
    templates += [each for each in given if each not in templates]
    sparse = model.sparse_names()
    fitting = FittedNames(templates, sparse).fit_all(store, model.weights)
    known = {*model.weights, *sparse}
    foreign = [
        name for name in fitting if name not in known and not any(each.owns(name) for each in templates)
    ]
    if foreign:
        text = unused_message(foreign, f"because {directory} has no such feature", model.weights)
        place = "" if store.path is None else f"{store.path}: "
        warnings.warn(place + text, UnusedWeightWarning, stacklevel=2)
    return fitting if isinstance(fitting, WeightStore) else WeightStore.of(fitting)
