"""Whose a file is that lies in the folder of a model, a run or a store, and which files a model reads.

Folders are known by their records. Modules are imported only if there is one, so that starting stays quick.
"""

from __future__ import annotations

import importlib
import operator
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.errors import InputError

if TYPE_CHECKING:
    from tunesmith.runs.kind import RunKind

__all__ = ["KINDS", "WEIGHTS", "files_of_model", "is_model", "kind_of", "kinds_in", "owner_of"]

WEIGHTS = "weights.json"
MANIFEST = "manifest.json"
_RECORDS = ("run.json", "store.json", "derivations.json", "training.json", "tries.json")

KINDS = {
    "tunesmith-tuning": "tunesmith.tuning.loop.rounds:KIND",
    "tunesmith-tries": "tunesmith.tuning.trial_record:KIND",
    "tunesmith-online": "tunesmith.tuning.online.folder:KIND",
    "tunesmith-lists": "tunesmith.xbleu.store:LISTS",
    "tunesmith-event-forests": "tunesmith.xbleu.forest_store:FORESTS",
    "tunesmith-derivations": "tunesmith.reestimate.store:KIND",
    "tunesmith-training": "tunesmith.xbleu.training_folder:KIND",
}
"""Where the kind of a folder is defined, by the format that its record names; models have a manifest."""


def owner_of(path: Path, *, may_be_weights: bool = False) -> str | None:
    """Return `the model FOLDER`, or the like, if a file is one of a model, a run or a store.

    Links are followed. The weights of a model are its own even before there are any, unless the file
    `may_be_weights`.
    """
    if not (path.is_file() or path.name == WEIGHTS):
        return None
    for place in (path, Path(os.path.realpath(path))):
        for folder in place.parents[:2]:
            name = place.relative_to(folder).as_posix()
            if is_model(folder):
                if name == WEIGHTS and may_be_weights:
                    continue
                if name in (WEIGHTS, *_recorded(folder)):
                    return f"the model {folder}"
            for kind in kinds_in(folder):
                if kind.writes(name) and path.is_file():
                    return f"the {kind.noun} {folder}"
    return None


def is_model(folder: Path) -> bool:
    """Whether a folder has the manifest of a model, which may be damaged."""
    return (folder / MANIFEST).is_file()


def kinds_in(folder: Path) -> list[RunKind[Any]]:
    """Return the kinds that the records in a folder name."""
    found: list[RunKind[Any]] = []
    for name in _RECORDS:
        if (folder / name).is_file():  # before a slow import
            from tunesmith.runs.kind import format_of

            format_ = format_of(folder / name)
            if format_ in KINDS:
                found.append(kind_of(format_))
    return found


def kind_of(format_: str) -> RunKind[Any]:
    """Return the kind of the folders whose record names a format."""
    module, _, attributes = KINDS[format_].partition(":")
    found: RunKind[Any] = operator.attrgetter(attributes)(importlib.import_module(module))
    return found


def files_of_model(folder: Path) -> list[Path]:
    """Return the files that a model consists of, in its folder and outside.

    Of a damaged model, which cannot be read either, those that are known.
    """
    own = [folder / name for name in (WEIGHTS, *_recorded(folder))]
    try:
        return [*own, *_named_by_parts(folder)]
    except (InputError, OSError):
        return own


def _recorded(folder: Path) -> list[str]:
    from tunesmith.model.manifest import Manifest

    try:
        return [*Manifest.read(folder).files, MANIFEST]
    except InputError:
        return []


def _named_by_parts(folder: Path) -> Iterator[Path]:
    from tunesmith.model.file_names import with_file_names
    from tunesmith.model.model import Model

    names = list[str]()

    def note(name: str) -> str:
        names.append(name)
        return name

    model = Model.read(folder)
    with_file_names(model, note)
    yield from (folder / name for name in names)
    yield from model.files().values()
    yield from model.text_files().values()
    for record in model.templates:
        if whitelist := record["options"].get("only"):
            yield Path(whitelist)
