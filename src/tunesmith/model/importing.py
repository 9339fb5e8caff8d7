"""Import of a Moses model into a model directory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tunesmith.files import PathLike
from tunesmith.lm import compile_lm
from tunesmith.model.model import FEATURES_FILE, START_FILE
from tunesmith.model.moses_import import import_moses, model_files
from tunesmith.model.steps import BuildStep, Progress, Workshop, run_steps
from tunesmith.model.training import Trained, trained

__all__ = ["import_model"]


def import_model(
    ini: PathLike,
    directory: PathLike,
    *,
    ignore: Iterable[str] = (),
    progress: Progress = lambda line: None,
) -> Trained:
    """Read a moses.ini and the files that it names into a model directory of kind `phrase` or `hiero`.

    Like training, it does nothing if the same files were imported before. Whatever changes translations and
    cannot be imported is an InputError that names it. `ignore` leaves it out instead: names of sections and
    features, and `FEATURE.ARGUMENT`, which may contain `*`. What was left out is recorded in the manifest.
    """
    asked = tuple(ignore)
    files = model_files(ini, asked)

    def run(shop: Workshop) -> None:
        # Not the progress of the shop, which drops lines that follow each other quickly.
        import_moses(ini, shop.directory, compile_lm=compile_lm, ignore=asked, progress=progress)

    outputs = (*files.outputs, FEATURES_FILE, START_FILE)
    step = BuildStep(
        "import",
        outputs,
        run,
        inputs={"ini": Path(ini), **files.inputs},
        options={"ignored": list(files.ignored)} if files.ignored else {},
        version=4,
    )
    return trained(directory, run_steps(directory, files.kind, [step], progress, origin="import"))
