"""The references of one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith.errors import InputError
from tunesmith.texts import Texts

__all__ = ["reference_texts"]


def reference_texts(references: Sequence[str]) -> Texts:
    """Return references for native code; a single string instead of a list is an InputError."""
    if isinstance(references, str):
        raise InputError("the references are one string; expected a list of strings")
    return Texts.of(references)
