"""Export of a trained or imported model directory to Moses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, suggest
from tunesmith.files import PathLike, open_write, read_chunks
from tunesmith.lm.estimate import estimate
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import LanguageModelPart, Model
from tunesmith.model.moses_export import export_moses
from tunesmith.model.parts.language_model import LM_STEP
from tunesmith.model.parts.names import TARGET
from tunesmith.model.steps import Progress
from tunesmith.weights import Weights

__all__ = ["export_model"]

_UNTUNED = {"UnknownWordPenalty0"}
"""Features that weights may lack: they are equal for all candidates of a list."""


def export_model(
    directory: PathLike,
    output: PathLike,
    *,
    weights: Weights | None = None,
    progress: Progress = lambda line: None,
) -> Path:
    """Write text tables and a moses.ini; return the path of the latter.

    The language model of a trained model is estimated again from the text of that model, with the options of
    its manifest, which gives the same digits; that of an imported one is copied from its original ARPA file;
    others, of further text, mixed or given to training, are written from their mapped form. All checks are
    made before anything is written.
    """

    def write_arpa(part: LanguageModelPart, arpa: Path) -> None:
        if part.arpa is not None:
            with open_write(arpa) as stream:
                stream.writelines(read_chunks(model.directory / part.arpa, regular=True))
            return
        path = model.directory / (part.path or "")
        options = _estimation(path)
        if options is None:
            model.language_model(model.language_models.index(part)).write_arpa(arpa)
            return
        progress(f"{part.name}: estimating it again, to write it as text")
        estimate(path.parent / TARGET, **options, progress=progress).write_arpa(arpa)

    model = Model.open(directory)
    if model.decoder_kind != "phrase":
        kind = Manifest.read(directory).kind
        raise InputError(f"only phrase models are exported; this one is of kind {kind}", path=directory)
    if model.trained_reordering:
        origin = f", {model.base}" if model.base else ""
        raise InputError(
            f"has the reordering model {model.trained_reordering[0].name!r}, which Moses does not have;"
            f" export the model without it{origin}",
            path=directory,
        )
    _check_folder(Path(output))
    if weights is not None:
        sparse = model.sparse_names()
        templates = model.own_templates()
        foreign = sorted(
            name
            for name in set(weights) - set(model.weights) - sparse
            if not any(each.owns(name) for each in templates)
        )
        if foreign:
            hint = suggest(foreign[0], model.weights)
            raise InputError(f"the model has no feature {foreign[0]!r} to give a weight{hint}")
        if missing := sorted(set(model.weights) - set(weights) - _UNTUNED - sparse):
            raise InputError(f"there is no weight for the feature {missing[0]!r}; add one")
    for number, part in enumerate(model.language_models):
        if part.arpa is None:
            again = _estimation(model.directory / (part.path or ""))
            if again is None and part.classes is None and model.language_model(number).native.has_classes:
                raise InputError(
                    f"has the class-based language model {part.name}, which Moses does not have",
                    path=directory,
                )
            continue
        arpa = model.directory / part.arpa
        if not arpa.is_file():
            raise InputError(f"the ARPA file of the language model {part.name} does not exist", path=arpa)
        if Path(part.arpa).is_absolute():
            Manifest.read(directory).check_outside(directory, {part.name: arpa}, verify=True)
    return export_moses(model, output, weights=weights, write_arpa=write_arpa, progress=progress)


def _check_folder(folder: Path) -> None:
    """Refuse a folder that contains anything but an earlier export."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file; expected a folder", path=folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "moses.ini").is_file():
        raise InputError("is not empty; name a new folder", path=folder)


def _estimation(path: Path) -> dict[str, Any] | None:
    """Return the options for estimating a language model again; None if its text is not beside its file."""
    step = Manifest.read(path.parent).steps.get(LM_STEP)
    if step is None or path.name not in step.outputs or set(step.inputs) != {TARGET}:
        return None
    kept = {name: step.options[name] for name in ("order", "prune", "skip_marks")}
    return kept | {"discount_fallback": True}
