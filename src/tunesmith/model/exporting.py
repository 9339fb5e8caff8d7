"""A model of Moses from a model directory that was trained or imported."""

from __future__ import annotations

from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.lm.estimate import estimate
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model
from tunesmith.model.moses_export import export_moses
from tunesmith.model.parts.language_model import LM_STEP
from tunesmith.model.parts.names import TARGET
from tunesmith.model.steps import Progress
from tunesmith.weights import Weights

__all__ = ["export_model"]


def export_model(
    directory: PathLike,
    output: PathLike,
    *,
    weights: Weights | None = None,
    progress: Progress = lambda line: None,
) -> Path:
    """Write text tables and a moses.ini; return the name of the latter.

    A mapped language model does not hold its n-grams as text: that of a trained model is estimated again
    from the model's own text, with the options of the manifest, which gives the same model.
    """

    def write_arpa(compiled: Path, arpa: Path) -> None:
        progress(f"{compiled.name}: estimated again, to be written as text")
        _write_arpa(Path(directory), arpa, progress)

    model = Model.open(directory)
    without_text = any(part.arpa is None for part in model.language_models)
    given = write_arpa if without_text else None
    return export_moses(model, output, weights=weights, write_arpa=given, progress=progress)


def _write_arpa(directory: Path, arpa: Path, progress: Progress) -> None:
    step = Manifest.read(directory).steps.get(LM_STEP)
    if step is None or set(step.inputs) != {TARGET}:
        raise InputError(
            "has a language model of text that is not in the directory: write it as ARPA by"
            " `tunesmith lm train` and name it in the moses.ini",
            path=directory,
        )
    options = step.options
    text = directory / TARGET
    model = estimate(
        text, order=options["order"], prune=options["prune"], discount_fallback=True, progress=progress
    )
    model.write_arpa(arpa)
