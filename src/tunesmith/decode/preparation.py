"""Preparing raw text like the training text of a model, and making readable text of its output."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tunesmith.corpus import Bitext, Sentences
from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.side import Side
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.corpus.truecase import Truecaser
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.model.parts.names import TRUECASERS

__all__ = ["SIDES", "SideName", "model_side", "prepared_bitext"]

SideName: TypeAlias = Literal["source", "target"]
SIDES: tuple[SideName, ...] = ("source", "target")


def model_side(model: Model | PathLike, side: SideName) -> Side:
    """Return how text of the source or target side was prepared for the model, and its inverse.

    An InputError if that is unknown, such as for an imported model.
    """
    if side not in SIDES:
        raise OptionError("{} cannot be {side!r}{hint}", "side", side=side, hint=suggest(side, SIDES))
    opened = model if isinstance(model, Model) else Model.open(model)
    text = opened.text
    if "tokenize" not in text or "case" not in text:
        raise InputError(
            "does not record how its text was prepared; tokenize and case the text yourself",
            path=opened.directory,
        )
    language = text.get(f"{side}_language")
    tokenizer = None if text["tokenize"] == "none" or language is None else Tokenizer(language)
    number = SIDES.index(side)
    truecaser = Truecaser.load(opened.text_file(TRUECASERS[number])) if text["case"] == "true" else None
    return Side(tokenizer, text["case"], truecaser)


def prepared_bitext(model: Model, source: PathLike, target: PathLike, threads: int | None = None) -> Bitext:
    """Read raw parallel text and prepare both sides like the model's training text; no pair is dropped."""
    sides = [model_side(model, name) for name in SIDES]
    lines: tuple[list[str], list[str]] = ([], [])
    for block in parallel_blocks([source, target]):
        for side, texts, tokens in zip(sides, block, lines, strict=True):
            tokens.extend(side.prepare(texts, threads))
    return Bitext(*map(Sentences.of, lines))
