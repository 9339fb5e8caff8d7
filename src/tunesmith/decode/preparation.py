"""Preparing raw text like the training text of a model, and making readable text of its output."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from tunesmith.corpus import Bitext, Sentences
from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.recase import Recaser
from tunesmith.corpus.side import SIDES, Side, side_of
from tunesmith.corpus.truecase import Truecaser
from tunesmith.errors import InputError, Message, OptionError, TunesmithWarning, suggest
from tunesmith.files import PathLike
from tunesmith.metrics.form import LINES, form_differences
from tunesmith.model.model import Model
from tunesmith.model.parts.names import RECASER, TRUECASERS
from tunesmith.named_files import check_regular
from tunesmith.texts import Texts

__all__ = ["model_side", "prepared_bitext", "readable_side", "warn_of_raw_source"]


def model_side(model: Model | PathLike, side: str) -> Side:
    """Return how text of the source or target side was prepared for the model, and its inverse.

    An InputError if that is unknown, such as for an imported model. Programs of the model are announced when
    they run, or forbidden (see `corpus.segment`).
    """
    name = next((each for each in SIDES if each == side), None)
    if name is None:
        raise OptionError("{} cannot be {side!r}{hint}", "side", side=side, hint=suggest(side, SIDES))
    opened = model if isinstance(model, Model) else Model.open(model)
    text = opened.text
    if not opened.records_preparation:
        raise InputError(
            "does not record how its text was prepared; tokenize and case the text yourself",
            path=opened.directory,
        )
    prepared = side_of(text, name)
    if prepared.segmenter is not None:
        prepared = replace(prepared, segmenter=prepared.segmenter.of_model(opened.directory))
    if prepared.case == "true":
        file = opened.text_file(TRUECASERS[SIDES.index(name)])
        check_regular(file)
        return replace(prepared, truecaser=Truecaser.load(file))
    file = opened.text_file(RECASER)
    if prepared.case == "lower" and side == "target" and file.exists():
        check_regular(file)
        return replace(prepared, recaser=Recaser.load(file))
    return prepared


def readable_side(model: Model | PathLike, name: str = "target") -> Side:
    """Return a side, if its tokens can be made readable text again; else raise InputError.

    A lowercased side without a recaser (the source side, and older models) is a TunesmithWarning: its text
    stays lowercase.
    """
    side = model_side(model, name)
    directory = model.directory if isinstance(model, Model) else model
    if side.segmenter is not None and not side.joins:
        raise InputError(
            "was trained with a segmenter of this side that has no inverse; train with {} or {}",
            f"{name}_joiner",
            f"{name}_join_with",
            path=directory,
        )
    if not side.joins:
        raise InputError(
            "was trained on text that was tokenized before, so its tokenization is not known;"
            " detokenize the output yourself, such as by `tunesmith corpus tokenize --detokenize`",
            path=directory,
        )
    if side.case == "lower" and side.recaser is None:
        remedy = "; train it again" if name == "target" else ""
        text = f"{directory}: the model has no recaser of this side, so that its text stays lowercase{remedy}"
        warnings.warn(text, TunesmithWarning, stacklevel=2)
    return side


def warn_of_raw_source(model: Model, lines: Sequence[str]) -> bool:
    """Issue a TunesmithWarning if source text is visibly not prepared like the model's training text.

    Return whether it is so. Nothing is said of models that do not record their preparation, or have a program
    as segmenter, which is not run for this.
    """
    if not model.records_preparation:
        return False
    side = side_of(model.text, "source")
    texts = Texts.of(islice((line for line in lines if line.strip()), LINES))
    runs = side.segmenter is not None and side.segmenter.runs
    if runs or not form_differences(texts, [side.prepare(texts)]):
        return False
    text = Message(
        "the source is not tokenized or cased like the training text of {model}, so that many words are"
        " unknown; prepare it ({})",
        "prepare",
        model=model.directory,
    )
    warnings.warn(text, TunesmithWarning, stacklevel=2)
    return True


def prepared_bitext(model: Model, source: PathLike, target: PathLike, threads: int | None = None) -> Bitext:
    """Read raw parallel text and prepare both sides like the model's training text; no pair is dropped."""
    sides = [model_side(model, name) for name in SIDES]
    lines: tuple[list[str], list[str]] = ([], [])
    for block in parallel_blocks([source, target]):
        for side, texts, tokens in zip(sides, block, lines, strict=True):
            tokens.extend(side.prepare(texts, threads))
    return Bitext(*map(Sentences.of, lines))
