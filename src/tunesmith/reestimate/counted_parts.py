"""Which part of a model is re-estimated: phrase pairs, the rules of a table, or those of an index."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.model.model import Model

__all__ = ["CountedPart", "counted_part", "phrase_decoder", "text_parts"]

CountedPart: TypeAlias = Literal["phrases", "table", "index"]


def counted_part(model: Model) -> CountedPart:
    """Return what the derivations of a model are counted by; a model without it is an InputError.

    Rules of texts, such as glue, have no counts. So an ITG is re-estimated by its phrase pairs.
    """
    sources = [part.source for part in model.rules if part.source != "text"]
    if model.phrase_tables and not sources:
        return "phrases"
    if not model.phrase_tables and sources in (["table"], ["index"]):
        return "table" if sources == ["table"] else "index"
    found = ["phrase table"] * len(model.phrase_tables) + [
        f"rules of the source {each!r}" for each in sources
    ]
    raise InputError(
        "cannot be re-estimated: expected phrase tables, or one table or index of rules, but found "
        + (", ".join(found) or "none of them"),
        path=model.directory,
    )


def text_parts(decoder: ChartDecoder) -> list[int]:
    """Return, for each table and grammar of a native model, 1 if it is a text, and 0 if its uses count."""
    return [0] * len(decoder.model.phrase_tables) + [int(each) for each in decoder.grammars.are_texts]


def phrase_decoder(decoder: AnyDecoder, model: PathLike) -> PhraseDecoder:
    """Return a decoder of phrases; another one is an InputError."""
    if not isinstance(decoder, PhraseDecoder):
        raise InputError(
            "is decoded with a chart, and only phrase-based models have forced derivations; use {} oracle",
            "method",
            path=model,
        )
    return decoder
