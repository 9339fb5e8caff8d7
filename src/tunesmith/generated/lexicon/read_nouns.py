"""Nouns from their tables: plain ones, places, and compounds built from parts."""

from __future__ import annotations

from dataclasses import replace

from tunesmith.errors import InputError
from tunesmith.generated.draw import Choice
from tunesmith.generated.lexicon.entries import Noun, Place, Words
from tunesmith.generated.lexicon.rows import alternatives, columns
from tunesmith.generated.lexicon.tables import compounds, ideas, people, places, things
from tunesmith.generated.morphology.english import plural
from tunesmith.generated.morphology.german_nouns import noun_forms

__all__ = ["read_nouns", "words_choice"]

GENDERS = {"m": 0, "f": 1, "n": 2, "p": 1}
PRONOUNS = {"he": 2, "she": 3, "it": 4}

TABLES = {
    "human": people.HUMANS,
    "job": people.JOBS,
    "group": people.GROUPS,
    "animal": people.ANIMALS,
    "food": things.FOOD,
    "drink": things.DRINKS,
    "text": things.TEXTS,
    "clothes": things.CLOTHES,
    "vehicle": things.VEHICLES,
    "tool": things.TOOLS,
    "instrument": things.INSTRUMENTS,
    "furniture": things.FURNITURE,
    "part": things.PARTS,
    "event": ideas.EVENTS,
    "idea": ideas.IDEAS,
    "song": ideas.SONGS,
    "nature": ideas.NATURE,
    "sky": ideas.SKY,
}
PLACE_TABLES = {"building": places.BUILDINGS, "place": places.PLACES}


def read_nouns() -> list[Noun]:
    """Return all nouns, by class in order of frequency, compounds after the simple ones."""
    nouns = [
        _noun(kind, head, english) for kind, table in TABLES.items() for head, english in columns(table, 2)
    ]
    for kind, table in PLACE_TABLES.items():
        for head, where, whither, english_where, english_whither, english in columns(table, 6):
            place = Place(where, whither, words_choice(english_where), words_choice(english_whither))
            nouns.append(replace(_noun(kind, head, english), place=place))
    for kind, table in compounds.COMPOUNDS.items():
        nouns += [_noun(kind, head, english) for head, english in columns(table, 2)]
    heads: dict[str, Noun] = {}
    for noun in nouns:
        heads.setdefault(noun.lemma, noun)
    for first, english, tails in columns(compounds.MODIFIERS, 3):
        nouns += [_compound(first, english, heads[tail]) for tail in tails.split()]
    return nouns


def words_choice(cell: str) -> Choice[Words]:
    """Return the weighted alternatives of a cell, each split into words."""
    return Choice((tuple(text.split()), weight) for text, weight in alternatives(cell))


def _noun(kind: str, head: str, english: str) -> Noun:
    lemma, gender, plural_form, genitive, *flags = head.split()
    free, _, owned = english.partition(";")
    translations = alternatives(free)
    numbers = {text.partition("!")[2] or "count" for text, _ in translations}
    if len(numbers) != 1:
        raise InputError(f"noun {lemma!r}: the English alternatives must agree in number, found {english!r}")
    number = {"pl": "plural", "mass": "mass", "count": "count"}[numbers.pop()]
    person = kind in ("human", "job")
    natural = {"m": "he", "f": "she"}.get(gender, "it") if person else "it"
    natural = next((flag for flag in flags if flag in PRONOUNS), natural)
    return Noun(
        lemma,
        kind,
        GENDERS[gender],
        noun_forms(lemma, plural_form, genitive),
        _numbered(translations, number),
        _numbered(alternatives(owned) if owned else translations, number),
        number,
        "plural" if gender == "p" else "mass" if plural_form == "-" else "count",
        PRONOUNS[natural],
        "the" in flags,
        "kin" in flags,
    )


def _numbered(translations: list[tuple[str, float]], number: str) -> Choice[tuple[Words, Words]]:
    pairs = []
    for text, weight in translations:
        word = text.partition("!")[0]
        singular = tuple(word.split())
        pairs.append(((singular, tuple(plural(word).split()) if number == "count" else singular), weight))
    return Choice(pairs)


def _compound(first: str, english: str, head: Noun) -> Noun:
    pairs = []
    for modifier, weight in alternatives(english):
        words = tuple(modifier.split())
        for entry in head.english.entries:
            share = weight * head.english.probability(entry)
            pairs.append(((words + entry[0], words + entry[1]), share))
    forms = tuple(first + form.lower() for form in head.forms)
    whole = Choice(pairs)
    return replace(head, lemma=forms[0], forms=forms, english=whole, owned=whole, parts=(first, head.lemma))
