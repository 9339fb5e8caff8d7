"""The references of one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith.errors import InputError
from tunesmith.texts import Texts

__all__ = ["reference_texts"]


def reference_texts(references: Sequence[str]) -> Texts:
    """Return references as native code takes them; one text in place of a list of them is an InputError."""
    if isinstance(references, str):
        raise InputError("the references are a text; expected a list of texts")
    return Texts.of(references)
