"""Model directories derived from another model, whose binary files are not copied."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from tunesmith.files import PathLike, open_write
from tunesmith.model.model import FEATURES_FILE, START_FILE, Model
from tunesmith.model.seen import SEEN
from tunesmith.model.steps import BuildStep, Progress, Workshop, run_steps
from tunesmith.model.training import Trained, trained

__all__ = ["write_derived"]


def write_derived(
    model: Model,
    directory: PathLike,
    *,
    kind: str,
    step: str,
    texts: Mapping[str, bytes],
    progress: Progress,
) -> Trained:
    """Write a model's list of parts and weights, and the `texts` of its rules by name, in one step.

    The record of the sentences that the model was trained on is copied.
    All other files of the model are inputs of the step, so their paths must be absolute (see
    `Model.anchored`). Nothing is done if neither they nor the texts have changed.
    """
    if (model.directory / SEEN).is_file():
        texts = {**texts, SEEN: (model.directory / SEEN).read_bytes()}

    def run(shop: Workshop) -> None:
        for name, text in texts.items():
            with open_write(shop[name]) as stream:
                stream.write(text)
        replace(model, directory=shop.directory).write()

    own = {model.directory / name for name in texts}
    files = model.files() | (model.text_files() if model.text.get("folder") else {})
    inputs = {name: path for name, path in files.items() if path not in own}
    wanted = {
        "features": model.record,
        "weights": dict(model.weights),
        "texts": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
    }
    made = BuildStep(step, (*texts, FEATURES_FILE, START_FILE), run, inputs=inputs, options=wanted)
    return trained(directory, run_steps(directory, kind, [made], progress, origin="import"))
