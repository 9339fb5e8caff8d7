"""Noun phrases: names, pronouns, nouns with determiner, adjective, genitive or relative clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tunesmith.generated import words
from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.german import CONTRACTED, ENDINGS
from tunesmith.generated.lexicon import Noun, lexicon, rows
from tunesmith.generated.tokens import COMMA, Phrase, Say, Token, aligned, literal, said, sequence

__all__ = [
    "CASES",
    "NO",
    "NOM",
    "A",
    "Derivation",
    "Nominal",
    "adjective",
    "nominal",
    "noun_phrase",
    "prepositional",
]

NOM, ACC, DAT, GEN = range(4)
CASES = {"A": ACC, "D": DAT, "G": GEN}
PLURAL = 3


class Determiner(NamedTuple):
    """A row of the table of determiners."""

    stem: str
    endings: str
    adjective: str
    english: list[str]


def _determiners(german: str, english: int) -> Choice[Determiner]:
    """Return those that go with a German number and an English one."""
    split = [row.split(None, 5) for row in rows(words.DETERMINERS)]
    fitting = [row for row in split if german in row[3] and row[5].split("/")[english] != "-"]
    entries = (Determiner(row[0].strip("-"), row[1], row[2], row[5].split("/")) for row in fitting)
    return Choice((entry, float(row[4])) for entry, row in zip(entries, fitting, strict=True))


_DETERMINERS = {(german, english): _determiners(german, english) for german in "spm" for english in range(3)}
_PRONOUNS = [row.split() for row in rows(words.PRONOUNS)]
_PRONOUN = {case: Choice((row, float(row[8])) for row in _PRONOUNS if row[case] != "-") for case in range(3)}
THE, NO = Determiner("", "def", "weak", ["the"] * 3), Determiner("kein", "ein", "mixed", ["no"] * 3)
A = Determiner("", "none", "bare", ["a", "", ""])
"""Of what somebody is or becomes: `Lehrer`, `a teacher`."""


@dataclass(frozen=True, slots=True)
class Nominal(Phrase):
    """A noun phrase in a case, with its persons in both languages; English pronouns differ as subjects."""

    subject: Say
    person: int = 2
    agreement: int = 2
    noun: Noun | None = None
    pronoun: str = ""


class Derivation:
    """What the draws of a sentence share: its anchors, its depth, and how a noun gets a relative clause."""

    def __init__(self, draw: Draw, relativize: Callable[[Derivation, Noun, int, int], Phrase | None]) -> None:
        self.draw, self.relativize, self.depth = draw, relativize, 0
        self.words, self._next = lexicon(), 1

    def anchor(self) -> int:
        """Return the number of a new piece of meaning."""
        return self.anchors(1)

    def anchors(self, number: int) -> int:
        """Return the first of several numbers."""
        self._next += number
        return self._next - number

    def chance(self, probability: float) -> bool:
        """Tell whether something happens."""
        return self.draw() < probability


def nominal(state: Derivation, spec: str, case: int) -> Nominal:
    """Draw a noun phrase: persons may be pronouns or names, and two may be joined."""
    noun = state.words.choose(spec)(state.draw)
    if noun.kind in ("human", "kin", "job"):
        if state.chance(0.48 if case == NOM else 0.17):
            return _pronoun(state, case)
        if state.chance(0.2):
            noun = state.words.choose("name")(state.draw)
    if noun.gender == "c":
        return _name(state, noun)
    first = noun_phrase(state, noun, case)
    if state.depth > 1 or not state.chance(0.04):
        return first
    other = state.words.choose(spec)(state.draw)
    second = _name(state, other) if other.gender == "c" else noun_phrase(state, other, case)
    english = sequence(first.english, literal("and", anchor := state.anchor()), second.english)
    german = [*first.german, ("und", (anchor,)), *second.german]
    return Nominal(german, english, english, 5, 3, first.noun)


def _pronoun(state: Derivation, case: int) -> Nominal:
    row, anchor = _PRONOUN[case](state.draw), state.anchor()
    subject, english = (literal(row[i], anchor) for i in (4, 5))
    return Nominal(said(row[case], anchor), english, subject, int(row[6]), int(row[7]), None, row[0])


def _name(state: Derivation, noun: Noun) -> Nominal:
    german = noun.lemma.split()
    first = state.anchors(len(german))

    def say(draw: Draw) -> list[Token]:
        return aligned(noun.english(draw)[0].split(), len(german), first)

    return Nominal(aligned(german, len(german), first), say, say, noun=noun)


def noun_phrase(
    state: Derivation, noun: Noun, case: int, given: Determiner | None = None, plural: bool | None = None
) -> Nominal:
    """Draw a phrase around a noun; with a determiner that is given, nothing follows it."""
    plural = state.chance(0.28) if plural is None else plural
    column = PLURAL if noun.countable and plural else noun.column
    mark = noun.english.entries[0][2]
    number = 1 if mark == "+" or (column == PLURAL and mark != "*") else 2 if mark else 0
    german_number = "p" if column == PLURAL else "s" if noun.countable else "m"
    chosen = given or (THE if noun.gender.isupper() else _DETERMINERS[german_number, number](state.draw))
    anchor, cell = state.anchor(), column * 4 + case
    article = said(chosen.stem + ENDINGS[chosen.endings][cell], anchor)
    parts = [Phrase(article, literal(chosen.english[number], anchor))]
    if state.chance(0.26) and given is not A:
        parts += adjective(state, noun, ENDINGS[chosen.adjective][cell])
    parts.append(_head(noun, noun.forms[case + (4 if column == PLURAL else 0)], number == 1, state.anchor()))
    german = [token for part in parts for token in part.german]
    english = sequence(*(part.english for part in parts))
    if (
        chosen.english[0] == "the"
        and noun.gender.islower()
        and not given
        and state.depth < 2
        and state.chance(0.12)
    ):
        owner = noun_phrase(state, state.words.choose("person")(state.draw), GEN, THE)
        english = _owned(sequence(*(part.english for part in parts[1:])), english, owner.english)
        german += owner.german
    elif not given and state.depth == 0 and state.chance(0.07):
        clause = state.relativize(state, noun, column, 3 if number == 1 else 2)
        if clause is not None:
            german += [COMMA, *clause.german, COMMA]
            english = sequence(english, clause.english)
    return Nominal(german, english, english, 5 if column == PLURAL else 2, 3 if number == 1 else 2, noun)


def _head(noun: Noun, form: str, plural: bool, anchor: int) -> Phrase:
    return Phrase(said(form, anchor), lambda draw: said(noun.english(draw)[plural], anchor))


def _owned(head: Say, whole: Say, owner: Say) -> Say:
    """Say `the teacher 's house` or `the house of the teacher`."""

    def say(draw: Draw) -> list[Token]:
        if draw() < 0.4:
            return [*whole(draw), ("of", ()), *owner(draw)]
        first = owner(draw)
        return [*first, ("'" if first[-1][0].endswith("s") else "'s", ()), *head(draw)]

    return say


def adjective(state: Derivation, noun: Noun, ending: str | None, *, state_only: bool = False) -> list[Phrase]:
    """Draw an adjective of a noun, if there are any; a predicate has no ending."""
    choices = state.words.adjectives(noun.lemma, state=state_only)
    if choices is None:
        return []
    entry, anchor, very = choices(state.draw), state.anchor(), state.anchor()
    form = entry.lemma if ending is None else entry.stem + ending
    phrase = Phrase(said(form, anchor), lambda draw: said(entry.english(draw), anchor))
    return [*[Phrase(said("sehr", very), literal("very", very))][: state.chance(0.08)], phrase]


def prepositional(german: str, anchor: int, english: Say, phrase: Nominal) -> Phrase:
    """Put a preposition before a noun phrase: `in dem` becomes `im`."""
    (word, anchors), *rest = phrase.german
    contracted = CONTRACTED.get(f"{german} {word}")
    tokens = (
        [(contracted, (anchor, *anchors)), *rest] if contracted else [(german, (anchor,)), *phrase.german]
    )
    return Phrase(tokens, sequence(english, phrase.english))
