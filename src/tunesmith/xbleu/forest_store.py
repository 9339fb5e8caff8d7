"""The store of forests, and which kind a store is: of lists or of forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.runs.kind import format_of
from tunesmith.runs.store import Pieces, Store
from tunesmith.xbleu.forest_counts import ForestCounts
from tunesmith.xbleu.store import STORE, ListStore, store_kind
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["FORESTS", "ForestStore", "check_forest_options", "open_store", "settings_of"]

_OF_LISTS = ("smoothing", "joint", "learners", "shards")
"""Options that forests do not have."""


class ForestFiles(Pieces[ForestCounts]):
    """The files of forests."""

    noun = "forests"
    type_of_counts = ForestCounts


FORESTS = store_kind(
    "tunesmith-event-forests", ForestFiles, {"features": str, "blocks": bool, "density": float}
)


class ForestStore(Store[ForestCounts]):
    """The forests of a text, for feature sets with or without the block on top of the stack."""

    kind = FORESTS
    command = "`tunesmith xbleu forests`"

    @property
    def blocks(self) -> bool:
        """Whether events know the block on top of the stack."""
        return bool(self.record["blocks"])


def open_store(path: PathLike) -> ListStore | ForestStore:
    """Open a complete store of lists or of forests, by what its record says; else an InputError."""
    if not (Path(path) / STORE).is_file():
        raise InputError(
            f"is not a store of lists or forests: it has no {STORE} (make one with {ListStore.command} or"
            f" {ForestStore.command})",
            path=path,
        )
    return ForestStore.open(path) if format_of(Path(path) / STORE) == FORESTS.format else ListStore.open(path)


def settings_of(store: ListStore | ForestStore, options: ReorderingOptions) -> dict[str, Any]:
    """Return the options that a training on a store depends on."""
    left_out = _OF_LISTS if isinstance(store, ForestStore) else ()
    return {name: value for name, value in options.settings().items() if name not in left_out}


def check_forest_options(
    store: ForestStore, options: ReorderingOptions, start: PathLike | None, others: Sequence[PathLike]
) -> None:
    """Refuse feature sets that the forests were not made for, and options that they do not have."""
    if options.features != "local" and not store.blocks:
        raise OptionError(
            "{folder} has forests for the features local, which do not know the block on top of the stack;"
            " {} {chosen} needs it: make forests for it, `tunesmith xbleu forests --features {chosen}`",
            "features",
            folder=store.path,
            chosen=options.features,
        )
    defaults = {field.name: field.default for field in fields(options)}
    given = {name: getattr(options, name) != defaults[name] for name in _OF_LISTS}
    for name, is_given in {**given, "start": start is not None, "with": bool(others)}.items():
        if is_given and name != "smoothing":
            raise OptionError(
                "{} is an option of training on lists (`tunesmith xbleu lists`), not on forests", name
            )
        if is_given:
            raise OptionError(
                "{} is an option of lists: the gain of a derivation of a forest is linear BLEU; leave it out,"
                " or train on lists (`tunesmith xbleu lists`)",
                name,
            )
