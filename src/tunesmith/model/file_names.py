"""The names of files in a model's list of parts: absolute, or relative to the model where a link may be so.

A model that was derived from another one reads its files. If that one lies beside it, or deeper in the same
folder, their names are relative (`../model/LM0.lm`), so that the folder around both may be moved.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tunesmith.model.model import Model

__all__ = ["leads_out", "resolved", "with_file_names", "with_links"]

Name = TypeVar("Name", str, str | None)


def leads_out(name: str) -> bool:
    """Return whether the relative name of a file leads out of the model."""
    return not Path(name).is_absolute() and Path(name).parts[:1] == ("..",)


def resolved(name: str, directory: Path) -> str:
    """Return an absolute path for a name that leads out of a model; other names as they are."""
    return os.path.normpath(directory.resolve() / name) if leads_out(name) else name


def with_links(model: Model, directory: Path) -> Model:
    """Return a model as its list of parts in a directory names files: by links where it may."""
    own = Path(os.path.realpath(directory))

    def link(name: str) -> str:
        if not Path(name).is_absolute():
            return name
        real = Path(os.path.realpath(name))
        return os.path.relpath(real, own) if real.is_relative_to(own.parent) else name

    return with_file_names(model, link)


def with_file_names(model: Model, rename: Callable[[str], str]) -> Model:
    """Return a model with other names of its files and of the folders that it reads."""

    def each(name: Name) -> Name:
        return rename(name) if name else name

    folder = str(model.text.get("folder", ""))
    return replace(
        model,
        phrase_tables=tuple(replace(part, path=each(part.path)) for part in model.phrase_tables),
        language_models=tuple(
            replace(part, arpa=each(part.arpa), path=each(part.path), classes=each(part.classes))
            for part in model.language_models
        ),
        rules=tuple(replace(part, path=each(part.path), folds=each(part.folds)) for part in model.rules),
        text={**model.text, "folder": rename(folder)} if folder else model.text,
        trained_reordering=tuple(
            replace(part, folder=each(part.folder), rows=tuple(map(each, part.rows)))
            for part in model.trained_reordering
        ),
        base=each(model.base),
    )
