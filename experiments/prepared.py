"""Texts in the form of a model's: raw ones are tokenized and cased as translations are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from experiments.commands import tunesmith

__all__ = ["prepared"]


def prepared(text: Path, raw: object, model: Callable[[], Path], side: str = "target") -> Path:
    """Return a text as it is, or if it is `raw` as the model prepares it, in a file that is written once."""
    if not raw:
        return text
    path = text.with_name(f"{text.name}.prepared")
    if not path.exists():
        tunesmith("prepare", model(), "--side", side, text, "-o", path)
    return path
