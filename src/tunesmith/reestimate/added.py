"""Finished derivations of other runs, such as forced ones beside oracles, that are counted as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.decode.made_by import digest_of_record
from tunesmith.errors import InputError, OptionError
from tunesmith.reestimate.store import DerivationStore

__all__ = ["added_derivations", "added_record", "digests"]

_SAME = ("model", "weights")
"""What all derivations that are counted together must be made with."""


def added_derivations(
    folders: Sequence[Path], own: Path, made_by: Mapping[str, Any]
) -> tuple[DerivationStore, ...]:
    """Open the finished stores in some folders; they fit derivations in the folder `own` that are `made_by`.

    A folder that is named twice, is the run's own, or a copy of one of these is an OptionError: its uses
    would count twice. One of another model or other weights is an InputError: its pairs need not be those of
    the model's table, and its scores are not comparable.
    """
    every = [own, *folders]
    _refuse_twice([folder.resolve() for folder in every], every)
    stores = tuple(DerivationStore.open(folder.absolute()) for folder in folders)
    _refuse_twice([digest_of_record(made_by), *digests(stores)], every)
    for store in stores:
        for name in _SAME:
            if store.record["made_by"].get(name) != made_by[name]:
                other = "another model" if name == "model" else "other weights"
                raise InputError(
                    f"has derivations by {other} ({store.record['method']}); derivations that are counted"
                    " together must be made with one model and the same weights: make them again",
                    path=store.path,
                )
    return stores


def digests(stores: Sequence[DerivationStore]) -> list[str]:
    """Return what says how the derivations of each store were made."""
    return [digest_of_record(store.record["made_by"]) for store in stores]


def added_record(stores: Sequence[DerivationStore]) -> list[dict[str, Any]]:
    """Return what a report says about them."""
    return [
        {
            "folder": str(store.path),
            "method": store.record["method"],
            "text_sentences": store.counts.all_sentences,
            "sentences": store.counts.sentences,
            "derivations": store.counts.derivations,
        }
        for store in stores
    ]


def _refuse_twice(names: Sequence[object], folders: Sequence[Path]) -> None:
    """Raise OptionError for the first folder that has the name of an earlier one."""
    for number, folder in enumerate(folders):
        if names[number] in names[:number]:
            raise OptionError("{} {folder}: its derivations would count twice", "added", folder=folder)
