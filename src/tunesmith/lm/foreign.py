"""Binary language models of other programs: how to recognize them, and what to read instead."""

from __future__ import annotations

from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.text_beside import text_beside

__all__ = ["foreign_lm", "refuse_binary_lm"]

_LANGUAGE_MODELS = (
    (
        b"mmap lm http://kheafield.com/code",
        "is a binary file of KenLM, made by `build_binary lm.arpa lm.binary`; nothing turns it back: name the"
        " ARPA file it was made from, or estimate the model again from its text, by `tunesmith lm train` or"
        " lmplz",
    ),
    (
        b"blmt",
        "is a binary file of IRSTLM; write it as text by `compile-lm --text=yes lm.blm lm.arpa`, and name"
        " that",
    ),
    (
        b"SRILM_BINARY",
        "is a binary file of SRILM; write it as text by `ngram -order N -lm lm.bin -write-lm lm.arpa`, and"
        " name that",
    ),
)


def foreign_lm(path: PathLike, start: bytes) -> InputError | None:
    """Return the error for a binary language model of another program, by its first bytes, or None."""
    for magic, message in _LANGUAGE_MODELS:
        if magic in start[:64]:
            return InputError(message + text_beside(path, Path(path).name), path=path)
    return None


def refuse_binary_lm(path: PathLike, start: bytes) -> InputError:
    """Return the error for a language model that is not an ARPA file, by its first bytes."""
    named = InputError("is not an ARPA file; name the text file that it was made from", path=path)
    return foreign_lm(path, start) or named
