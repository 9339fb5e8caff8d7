"""Words with anchors: numbers of the pieces of meaning that they express, by which both sides are aligned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tunesmith.generated.draw import Draw
from tunesmith.generated.english import is_vowel_sound

__all__ = [
    "COMMA",
    "Alignment",
    "Phrase",
    "Say",
    "Token",
    "aligned",
    "link",
    "literal",
    "punctuated",
    "said",
    "sequence",
]

Token = tuple[str, tuple[int, ...]]
"""A word and its anchors, none if the other language says nothing of it."""
Say = Callable[[Draw], list[Token]]
"""Says a phrase in English; the draws choose between wordings."""
Alignment = tuple[tuple[int, int], ...]
"""Links (German position, English position), from 0, sorted."""

COMMA: Token = (",", ())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A node of the grammar: what it says in German, and how to say it in English."""

    german: list[Token]
    english: Say


def said(text: str, *anchors: int) -> list[Token]:
    """Return the words of a text, which all express the same."""
    return [(word, anchors) for word in text.split()]


def literal(text: str, *anchors: int) -> Say:
    """Say the same words always."""
    tokens = said(text, *anchors)
    return lambda draw: tokens


def sequence(*parts: Say) -> Say:
    """Say one after the other."""
    return lambda draw: [token for part in parts for token in part(draw)]


def aligned(words: list[str], count: int, first: int) -> list[Token]:
    """Return words that count from an anchor, if the other side has as many; else all have the first."""
    return [(word, (first + (i if len(words) == count else 0),)) for i, word in enumerate(words)]


def punctuated(tokens: Iterable[Token], mark: Token) -> list[Token]:
    """Drop commas that begin, meet or end, choose between `a` and `an`, and set the mark."""
    out: list[Token] = [COMMA]
    for token in tokens:
        if token[0] == "," == out[-1][0]:
            continue
        if out[-1][0] == "a" and is_vowel_sound(token[0]):
            out[-1] = ("an", out[-1][1])
        out.append(token)
    return [*(out[1:-1] if out[-1][0] == "," else out[1:]), mark]


def link(source: list[Token], target: list[Token]) -> Alignment:
    """Return the pairs of positions that share an anchor, sorted."""
    places: dict[int, list[int]] = {}
    for j, (_, anchors) in enumerate(target):
        for anchor in anchors:
            places.setdefault(anchor, []).append(j)
    return tuple(
        sorted({(i, j) for i, (_, own) in enumerate(source) for a in own for j in places.get(a, ())})
    )
