"""Preparing raw input like the training text."""

from __future__ import annotations

from collections.abc import Callable

from tunesmith.corpus.clean import lowercase
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.corpus.truecase import Truecaser
from tunesmith.errors import InputError
from tunesmith.model.model import Model
from tunesmith.model.parts.names import TRUECASERS
from tunesmith.texts import Texts

__all__ = ["source_preparation"]


def source_preparation(model: Model, threads: int | None = None) -> Callable[[Texts], Texts]:
    """Return a function that tokenizes and cases source text as in the model's training.

    An InputError if that is unknown, such as for an imported model.
    """
    if "tokenize" not in model.text or "case" not in model.text:
        raise InputError(
            "does not record how its text was prepared; tokenize and case the input yourself",
            path=model.directory,
        )
    language, case = model.text.get("source_language"), model.text["case"]
    tokenizer = None if model.text["tokenize"] == "none" or language is None else Tokenizer(language)
    truecaser = Truecaser.load(model.directory / TRUECASERS[0]) if case == "true" else None

    def prepare(texts: Texts) -> Texts:
        tokens = texts if tokenizer is None else tokenizer.tokenize(texts, threads)
        if truecaser is not None:
            return truecaser.apply(tokens)
        return lowercase(tokens) if case == "lower" else tokens

    return prepare
