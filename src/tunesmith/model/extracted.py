"""Whether the counts of a model's phrase tables are those of its training text."""

from __future__ import annotations

from tunesmith.errors import InputError
from tunesmith.model.manifest import REESTIMATED, Manifest
from tunesmith.model.model import Model
from tunesmith.model.parts.names import JOINED_STEP

__all__ = ["check_sentence_counts", "count_aligners", "has_extracted_tables"]


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


def count_aligners(model: Model) -> int:
    """Return in how many alignments of the text phrase pairs were counted."""
    return 1 + sum(step.startswith(JOINED_STEP) for step in Manifest.read(model.home).steps)


def check_sentence_counts(model: Model, advice: str) -> None:
    """Raise InputError unless the counts of a sentence, in one alignment, can be subtracted from the model's.

    The advice says what to do instead, with {} for the option that leaves one out.
    """
    why = None
    if not has_extracted_tables(model):
        why = "has a re-estimated phrase table"
    elif count_aligners(model) > 1:
        why = "has phrase pairs from the alignments of several aligners"
    if why is not None:
        raise InputError(
            f"{why}, from whose counts those of one sentence cannot be subtracted; {advice}",
            "leave_one_out",
            path=model.directory,
        )
