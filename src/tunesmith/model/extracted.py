"""Whether the counts of a model's phrase tables are those of its training text."""

from __future__ import annotations

from tunesmith.model.manifest import REESTIMATED, Manifest
from tunesmith.model.model import Model

__all__ = ["has_extracted_tables"]


def has_extracted_tables(model: Model) -> bool:
    """Return whether the tables were extracted from the text in the model's home, and not re-estimated.

    Only from such counts can those of a sentence or a fold be subtracted. A model that adds other parts to a
    re-estimated one has its tables.
    """
    if Manifest.read(model.directory).origin == REESTIMATED:
        return False
    if not model.base:
        return True
    own, extracted = (each.anchored().phrase_tables for each in (model, Model.read(model.base)))
    return [part.path for part in own] == [part.path for part in extracted]
