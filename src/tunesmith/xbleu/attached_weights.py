"""The weights that a model has when a reordering model is attached to it, and whether that is its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping

from tunesmith.decode.fitted_weights import FittedNames
from tunesmith.errors import InputError, UnusedWeightWarning
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.model.part_checksums import part_checksums
from tunesmith.weights import Weights, WeightStore, open_weights
from tunesmith.weights.unused import unused_message
from tunesmith.xbleu.list_record import sparse_digest
from tunesmith.xbleu.reordering import TrainedReordering

__all__ = ["other_model", "start_weights"]


def start_weights(
    model: Model,
    trained: TrainedReordering,
    weights: Mapping[str, float] | PathLike | None,
    announce: Callable[[str], None] | None,
) -> dict[str, float]:
    """Return the weights of the model's features: given ones, those of the lists, or its own."""
    own = dict(model.weights)
    if weights is None:
        given: Mapping[str, float] | None = trained.decoder_weights
    else:
        given = weights if isinstance(weights, Mapping) else open_weights(weights)
        if not any(name in given for name in own):
            raise InputError(
                f"has no weight of the model {model.directory}; expected weights that were tuned for it",
                path=None if isinstance(weights, Mapping) else weights,
            )
    if given is None:
        if announce is not None:
            announce(
                f"{trained.directory} does not record the weights of the decoder that made its lists; the"
                " start weights are the model's own"
            )
        return own
    found = _fitted(model, trained, given, is_given=weights is not None)
    sparse = trained.record.get("sparse_weights")
    differs = weights is None and sparse is not None and sparse != sparse_digest(found, given)
    if differs and announce is not None:
        announce(
            f"the lists of {trained.directory} were made with other weights of sparse features than"
            f" {model.directory} has, which are not recorded one by one; give the file of these weights"
        )
    return found


def _fitted(
    model: Model, trained: TrainedReordering, weights: Mapping[str, float], *, is_given: bool
) -> dict[str, float]:
    """Return the weights of the model's features, dense and sparse; warn of all others."""
    own, templates, sparse = model.weights, model.own_templates(), model.sparse_names()
    named = weights if isinstance(weights, WeightStore) else Weights(weights)
    fitting = FittedNames(templates, sparse).fit(named, own)
    more = [name for name in fitting if name not in own]
    of_model = [name for name in more if name in sparse or any(each.owns(name) for each in templates)]
    if others := sorted(set(more) - set(of_model)):
        place = named.path if is_given else f"{trained.directory}: its lists"
        text = unused_message(others, f"because {model.directory} has no such feature")
        warnings.warn(text if place is None else f"{place}: {text}", UnusedWeightWarning, stacklevel=4)
    found = {name: float(fitting.get(name, value)) for name, value in own.items()}
    return found | {name: float(fitting[name]) for name in of_model}


def other_model(model: Model, trained: TrainedReordering) -> str:
    """Return in what a model is not the one that the lists of a training were made of; nothing if it is.

    Trainings of earlier versions do not record it.
    """
    recorded = trained.record.get("parts")
    if recorded is None:
        return ""
    own = part_checksums(model)
    parts = [name for name in {**own, **recorded} if own.get(name) != recorded.get(name)]
    if not parts:
        return ""
    return (
        f"is another model than the one whose lists {trained.directory} was trained on: it has another"
        f" {', '.join(parts)}, and the weights of those lists are not for it"
    )
