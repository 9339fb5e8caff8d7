"""Finished derivations of other runs, such as forced ones beside oracles, that are counted as well."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.reestimate.store import DerivationStore

__all__ = ["added_derivations", "added_record", "digests"]

_SAME = ("model", "weights")
"""What all derivations that are counted together must be made with."""


def added_derivations(
    folders: Sequence[Path], own: Path, made_by: Mapping[str, Any]
) -> tuple[DerivationStore, ...]:
    """Open the finished stores in some folders; they fit derivations in the folder `own` that are `made_by`.

    A folder that is named twice, or is the run's own, is an OptionError: its uses would count twice. One of
    another model or other weights is an InputError: its pairs need not be those of the model's table, and
    its scores are not comparable.
    """
    places = [folder.resolve() for folder in (own, *folders)]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise OptionError("{} {folder}: its derivations would count twice", "added", folder=place)
    stores = tuple(DerivationStore.open(folder) for folder in folders)
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
    texts = (json.dumps(store.record["made_by"], sort_keys=True) for store in stores)
    return [hashlib.blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]


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
