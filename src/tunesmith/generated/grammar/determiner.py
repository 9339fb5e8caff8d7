"""Determiners: German forms by gender, number and case; English ones by number."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith.generated.draw import Choice
from tunesmith.generated.lexicon.entries import Words
from tunesmith.generated.lexicon.rows import alternatives, columns
from tunesmith.generated.lexicon.tables.function_words import DETERMINERS as TABLE
from tunesmith.generated.lexicon.tables.function_words import PERSONAL as PERSONAL_TABLE
from tunesmith.generated.morphology.german_nouns import (
    DEFINITE,
    EIN_ENDINGS,
    MIXED,
    STRONG,
    STRONG_ENDINGS,
    WEAK,
)

__all__ = ["DETERMINERS", "MANY", "MASS", "ONE", "PERSONAL", "POSSESSIVES", "Determiner", "Personal"]

ONE, MANY, MASS = range(3)
"""English number of a noun phrase."""

ADJECTIVE_ENDINGS = {"weak": WEAK, "mixed": MIXED, "strong": STRONG}


@dataclass(frozen=True, slots=True, eq=False)
class Determiner:
    """`forms` has a word for each of the sixteen cells, empty where nothing is said."""

    name: str
    forms: Words
    endings: Words
    """Of the adjectives that follow."""
    english: tuple[Choice[Words], Choice[Words], Choice[Words]]
    """For one, for many, for a mass."""
    definite: bool


@dataclass(frozen=True, slots=True)
class Personal:
    """A personal pronoun with what agrees with it, in both languages."""

    forms: Words
    """Nominative, accusative, dative."""
    reflexive: str
    possessive: str
    english: tuple[str, str]
    """Subject and object."""
    english_possessive: str
    english_reflexive: str


def _forms(stem: str, endings: str) -> Words:
    if endings == "definite":
        return DEFINITE
    if endings == "none":
        return (stem,) * 16
    inflected = tuple(stem + ending for ending in (EIN_ENDINGS if endings == "ein" else STRONG_ENDINGS))
    return tuple(form.replace("euere", "eure") for form in inflected)


def _english(cell: str) -> Choice[Words]:
    return Choice((() if text == "-" else tuple(text.split()), w) for text, w in alternatives(cell))


DETERMINERS = {
    name: Determiner(
        name,
        _forms(stem, endings),
        ADJECTIVE_ENDINGS[adjective],
        (_english(one), _english(many), _english(mass)),
        name in ("def", "dieser", "jeder", "alle"),
    )
    for name, stem, endings, adjective, one, many, mass in columns(TABLE, 7)
}

PERSONAL = [
    Personal(tuple(g[:3]), g[3], g[4], (e[0], e[1]), e[2], e[3])
    for g, e in ((german.split(), english.split()) for german, english in columns(PERSONAL_TABLE, 2))
]

POSSESSIVES = {
    (german, english): Determiner(
        "possessive",
        _forms(PERSONAL[german].possessive, "ein"),
        MIXED,
        (_english(PERSONAL[english].english_possessive),) * 3,
        True,
    )
    for german in range(len(PERSONAL))
    for english in range(len(PERSONAL))
}
"""By German and English owner: `sein` of a man is `his`, of a table `its`."""
