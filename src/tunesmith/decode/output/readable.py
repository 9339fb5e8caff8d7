"""Readable text of translations, in which unknown words keep the case of the input."""

from __future__ import annotations

from collections.abc import Iterable

from tunesmith.corpus.side import Forms
from tunesmith.decode.request import Request
from tunesmith.decode.translation import UNKNOWN_WORD, Phrase

__all__ = ["forms_of_unknown"]


def forms_of_unknown(request: Request, phrases: Iterable[Phrase], text: str) -> Forms:
    """Return the words that a translation passed through as the input has them, by their target positions."""
    if not request.written:
        return {}
    written, source, target = request.written.split(" "), request.words, text.split(" ")
    return {
        to: written[begin]
        for (begin, end), (to, _), rule in ((each.source, each.target, each.rule) for each in phrases)
        if rule == UNKNOWN_WORD and end == begin + 1 and target[to : to + 1] == source[begin:end]
    }
