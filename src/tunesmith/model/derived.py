"""Model directories derived from another model, whose binary files are not copied."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.files import PathLike, open_write
from tunesmith.model.file_names import with_links
from tunesmith.model.manifest import IMPORTED
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
    origin: str = IMPORTED,
    before: Sequence[BuildStep] = (),
) -> Trained:
    """Write a model's list of parts and weights, and the `texts` of its rules by name, in one step.

    Further files of the new model are outputs of the steps `before`. The record of the sentences that the
    model was trained on is copied. All other files of the model are inputs of the step, so their paths must
    be absolute (see `Model.anchored`); the list of parts has relative names of those that lie near. Nothing
    is done if neither they nor the texts have changed. `origin` is for errors, which say which command makes
    the model again.
    """
    if (model.directory / SEEN).is_file():
        texts = {**texts, SEEN: (model.directory / SEEN).read_bytes()}

    written = with_links(model, Path(directory))

    def run(shop: Workshop) -> None:
        for name, text in texts.items():
            with open_write(shop[name]) as stream:
                stream.write(text)
        replace(written, directory=shop.directory).write()

    needs = tuple(name for each in before for name in each.outputs)
    wanted = {
        "features": written.record,
        "weights": dict(model.weights),
        "texts": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
    }
    outputs = (*texts, FEATURES_FILE, START_FILE)
    made = BuildStep(step, outputs, run, inputs=model.outside(), needs=needs, options=wanted)
    return trained(directory, run_steps(directory, kind, [*before, made], progress, origin=origin))
