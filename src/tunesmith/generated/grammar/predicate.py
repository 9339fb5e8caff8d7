"""Predicates of the copula: an adjective, a comparison, a profession."""

from __future__ import annotations

from typing import ClassVar

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.nominal import POLITE, Nominal
from tunesmith.generated.grammar.tokens import NOTHING, Tokens
from tunesmith.generated.lexicon.entries import Adjective, Noun
from tunesmith.generated.morphology.english import comparative
from tunesmith.generated.morphology.german_nouns import NOM

__all__ = ["Comparison", "Predicate", "Profession", "Quality"]


class Predicate:
    """What a clause can ask of any predicate."""

    __slots__ = ("anchor",)

    def __init__(self, anchor: int) -> None:
        self.anchor = anchor

    def german(self, subject: Nominal, out: Tokens) -> None:
        """Say it in German."""
        raise NotImplementedError

    def english(self, plural: bool, out: Tokens, draw: Draw) -> None:
        """Say it in English of one or of many."""
        raise NotImplementedError


class Quality(Predicate):
    """`sehr alt`, `very old`."""

    __slots__ = ("adjective", "degree")
    _DEGREES: ClassVar[dict[str, Choice[str]]] = {
        "": Choice([("", 1.0)]),
        "sehr": Choice([("very", 9.0), ("really", 1.0)]),
        "zu": Choice([("too", 1.0)]),
        "ziemlich": Choice([("quite", 5.0), ("rather", 4.0), ("pretty", 2.0)]),
        "so": Choice([("so", 1.0)]),
    }
    DEGREES = Choice([("", 12.0), ("sehr", 4.0), ("zu", 1.0), ("ziemlich", 1.0), ("so", 1.0)])

    def __init__(self, adjective: Adjective, degree: str, anchor: int) -> None:
        super().__init__(anchor)
        self.adjective = adjective
        self.degree = degree

    def german(self, subject: Nominal, out: Tokens) -> None:
        if self.degree:
            out.put(self.degree, self.anchor + 1)
        out.put(self.adjective.lemma, self.anchor)

    def english(self, plural: bool, out: Tokens, draw: Draw) -> None:
        if self.degree:
            out.put(self._DEGREES[self.degree](draw), self.anchor + 1)
        out.put(self.adjective.english(draw), self.anchor)


class Comparison(Predicate):
    """`größer als der Hund`, or `so groß wie der Hund`."""

    __slots__ = ("adjective", "equal", "other")

    def __init__(self, adjective: Adjective, other: Nominal, equal: bool, anchor: int) -> None:
        super().__init__(anchor)
        self.adjective = adjective
        self.other = other
        self.equal = equal

    def german(self, subject: Nominal, out: Tokens) -> None:
        if self.equal:
            out.put("so", self.anchor + 1)
            out.put(self.adjective.lemma, self.anchor)
            out.put("wie", self.anchor + 2)
        else:
            out.put(self.adjective.comparative, self.anchor)
            out.put("als", self.anchor + 2)
        self.other.german(NOM, out)

    def english(self, plural: bool, out: Tokens, draw: Draw) -> None:
        word = self.adjective.english(draw)
        if self.equal:
            out.put("as", self.anchor + 1)
            out.put(word, self.anchor)
            out.put("as", self.anchor + 2)
        else:
            out.put_all(comparative(word), self.anchor)
            out.put("than", self.anchor + 2)
        self.other.english(False, out, draw)


class Profession(Predicate):
    """`Lehrer` without an article, `a teacher` with one; `kein Lehrer` if negated."""

    __slots__ = ("negated", "noun")

    def __init__(self, noun: Noun, anchor: int) -> None:
        super().__init__(anchor)
        self.noun = noun
        self.negated = False

    def german(self, subject: Nominal, out: Tokens) -> None:
        plural = subject.person > 2 and subject.pronoun != POLITE
        if self.negated:
            ending = "e" if plural or self.noun.gender == 1 else ""
            out.put("kein" + ending, self.anchor + 1)
        out.put(self.noun.forms[4 if plural else 0], self.anchor)

    def english(self, plural: bool, out: Tokens, draw: Draw) -> None:
        one, many = self.noun.english(draw)
        if plural:
            out.put_all(many, self.anchor)
        else:
            out.put("a", self.anchor + 1 if self.negated else NOTHING)
            out.put_all(one, self.anchor)
