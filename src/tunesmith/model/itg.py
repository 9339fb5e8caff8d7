"""An ITG over the phrase tables of another model, trained or imported, which are not copied."""

from __future__ import annotations

from dataclasses import replace

from tunesmith.errors import InputError
from tunesmith.extract.glue import ItgForm, itg_grammar
from tunesmith.files import PathLike
from tunesmith.model.derived import write_derived
from tunesmith.model.model import Model, RulePart
from tunesmith.model.parts.features import ITG_SETTINGS, ITG_WEIGHTS
from tunesmith.model.parts.names import ITG
from tunesmith.model.steps import Progress
from tunesmith.model.training import Trained
from tunesmith.weights import Weights

__all__ = ["itg_over"]

_OF_PHRASE_SEARCH = ("distortion_limit", "stack_size", "early_distortion_cost")


def itg_over(
    phrase_model: PathLike,
    directory: PathLike,
    *,
    form: ItgForm = "normal",
    progress: Progress = lambda line: None,
) -> Trained:
    """Make a model directory of kind `itg` from one with phrase tables.

    Binary files are not copied, but referred to by path: call it again when they have moved.
    Straight and inverted rules, with start weights, replace distortion and lexicalized reordering; all other
    features keep their weights.
    """
    texts = {ITG: itg_grammar(form).encode()}
    model = _with_rules(Model.open(phrase_model))
    return write_derived(model, directory, kind="itg", step="itg", texts=texts, progress=progress)


def _with_rules(model: Model) -> Model:
    """Return the model with ITG rules for reordering, and absolute paths."""
    if not model.phrase_tables:
        raise InputError("has no phrase table; an ITG needs one", path=model.directory)
    if model.rules:
        raise InputError("already has rules; expected a phrase-based model", path=model.directory)
    dropped = {name for name, kind in model.penalties.items() if kind == "Distortion"}
    tables = {part.name for part in model.reordering} | {part.name for part in model.trained_reordering}
    kept = {
        name: value
        for name, value in model.weights.items()
        if name not in dropped and name not in tables and name.rpartition("_")[0] not in tables
    }
    return replace(
        model.anchored(),
        reordering=(),
        trained_reordering=(),
        base="",
        penalties={name: kind for name, kind in model.penalties.items() if name not in dropped},
        settings=ITG_SETTINGS
        | {name: value for name, value in model.settings.items() if name not in _OF_PHRASE_SEARCH},
        weights=Weights({**kept, **ITG_WEIGHTS}),
        chosen={name: why for name, why in model.chosen.items() if name not in _OF_PHRASE_SEARCH},
        rules=(RulePart("ITG", ITG, "text", tuple(ITG_WEIGHTS)),),
    )
