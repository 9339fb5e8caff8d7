"""Import of a Moses model into a model directory."""

from __future__ import annotations

from pathlib import Path

from tunesmith.files import PathLike
from tunesmith.lm import compile_lm
from tunesmith.model.model import FEATURES_FILE, START_FILE
from tunesmith.model.moses_import import import_moses, model_files
from tunesmith.model.steps import BuildStep, Progress, Workshop, run_steps
from tunesmith.model.training import Trained, trained

__all__ = ["import_model"]


def import_model(ini: PathLike, directory: PathLike, *, progress: Progress = lambda line: None) -> Trained:
    """Read a moses.ini and the files that it names into a model directory of kind `phrase` or `hiero`.

    Like training, it does nothing if the same files were imported before.
    """
    files = model_files(ini)

    def run(shop: Workshop) -> None:
        import_moses(ini, shop.directory, compile_lm=compile_lm, progress=shop.progress)

    outputs = (*files.outputs, FEATURES_FILE, START_FILE)
    step = BuildStep("import", outputs, run, inputs={"ini": Path(ini), **files.inputs}, version=2)
    return trained(directory, run_steps(directory, files.kind, [step], progress, origin="import"))
