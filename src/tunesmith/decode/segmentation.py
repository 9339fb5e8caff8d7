"""Derivations of sentence pairs as lines of text."""

from __future__ import annotations

from tunesmith.decode.reached import ForcedResult
from tunesmith.decode.rules import show_span
from tunesmith.decode.translation import Phrase

__all__ = ["format_segmentation"]

SEPARATOR = "|||"
ESCAPED = "&#124;" * len(SEPARATOR)


def format_segmentation(number: int, result: ForcedResult) -> str:
    """Return `id ||| target ||| 0-1=0-1 2=2 ||| 0-0 1-1 2-2 ||| score`.

    The phrases (`Translation.segments`) are in target order: source span `=` target span, as first-last like
    in Moses; nothing follows `=` for dropped words. If the target was not reached, the last three fields are
    empty. `|||` in the text is written `&#124;&#124;&#124;`.
    """
    phrases = " ".join(_phrase(phrase) for phrase in result.segments)
    links = " ".join(f"{source}-{target}" for source, target in result.alignment)
    score = "" if result.score is None else f"{result.score:.6f}"
    fields = [str(number), result.target.replace(SEPARATOR, ESCAPED), phrases, links, score]
    return f" {SEPARATOR} ".join(fields).rstrip(" ")


def _phrase(phrase: Phrase) -> str:
    return f"{show_span(*phrase.source)}={show_span(*phrase.target)}"
