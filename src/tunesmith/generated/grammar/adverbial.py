"""Adverbials: fixed ones from the lexicon and prepositional phrases, and where English puts them."""

from __future__ import annotations

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.noun_phrase import Prepositional
from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.lexicon.entries import Expression
from tunesmith.generated.lexicon.rows import Aligned

__all__ = ["Adverbial", "Fixed", "Phrase", "position"]

_LAST = {
    "manner": 0,
    "vehicle": 0,
    "company": 1,
    "place": 2,
    "frequency": 3,
    "time": 3,
    "reason": 4,
    "sentence": 5,
}
"""The order of adverbials at the end of an English clause."""

_FRONT_OR_MIDDLE = Choice([("F", 6.0), ("M", 4.0)])
_END_OR_MIDDLE = Choice([("E", 7.0), ("M", 3.0)])
_END_OR_FRONT = Choice([("E", 9.0), ("F", 1.0)])
_TOPIC = Choice([("E", 2.0), ("F", 8.0)])


def position(places: str, topic: bool, draw: Draw) -> str:
    """Choose among the places of an adverbial; what German puts first tends to come first."""
    if places == "FM":
        return _FRONT_OR_MIDDLE(draw)
    if places == "EM":
        return _END_OR_MIDDLE(draw)
    if places == "EF":
        return (_TOPIC if topic else _END_OR_FRONT)(draw)
    return places


class Adverbial:
    """What a clause can ask of any adverbial."""

    __slots__ = ("kind", "last", "when")

    def __init__(self, kind: str, when: str) -> None:
        self.kind = kind
        self.when = when
        self.last = _LAST.get(kind, 0)

    def german(self, out: Tokens) -> None:
        """Say it in German."""
        raise NotImplementedError

    def choose(self, draw: Draw) -> tuple[Aligned, str]:
        """Choose the English words, if they are fixed, and the places where they may stand."""
        raise NotImplementedError

    def english(self, words: Aligned, out: Tokens, draw: Draw) -> None:
        """Say what was chosen."""
        raise NotImplementedError


class Fixed(Adverbial):
    """An adverb or a fixed phrase."""

    __slots__ = ("anchor", "expression")

    def __init__(self, expression: Expression, anchor: int) -> None:
        super().__init__(expression.kind, expression.when)
        self.expression = expression
        self.anchor = anchor

    def german(self, out: Tokens) -> None:
        out.put_aligned(self.expression.german, self.anchor)

    def choose(self, draw: Draw) -> tuple[Aligned, str]:
        return self.expression.english(draw)

    def english(self, words: Aligned, out: Tokens, draw: Draw) -> None:
        out.put_aligned(words, self.anchor)


class Phrase(Adverbial):
    """A prepositional phrase."""

    __slots__ = ("phrase",)

    def __init__(self, kind: str, phrase: Prepositional) -> None:
        super().__init__(kind, "any")
        self.phrase = phrase

    def german(self, out: Tokens) -> None:
        self.phrase.german(out)

    def choose(self, draw: Draw) -> tuple[Aligned, str]:
        return (), "EF" if self.kind in ("time", "reason") else "E"

    def english(self, words: Aligned, out: Tokens, draw: Draw) -> None:
        self.phrase.english(out, draw)
