"""Adjectives, names, adverbials, prepositions and whole phrases from their tables."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith.generated.draw import Choice
from tunesmith.generated.lexicon.entries import Adjective, Expression, Name, Preposition
from tunesmith.generated.lexicon.read_nouns import PRONOUNS, words_choice
from tunesmith.generated.lexicon.rows import Aligned, align, alternatives, columns
from tunesmith.generated.lexicon.tables import adverbials, prepositions
from tunesmith.generated.lexicon.tables.adjectives import ADJECTIVES, ORDER
from tunesmith.generated.lexicon.tables.function_words import MONTHS, NUMERALS
from tunesmith.generated.lexicon.tables.names import NAMES
from tunesmith.generated.lexicon.tables.phrases import PHRASES
from tunesmith.generated.morphology.english import plural
from tunesmith.generated.morphology.german_nouns import ACC, DAT, GEN

__all__ = [
    "read_adjectives",
    "read_attributes",
    "read_expressions",
    "read_names",
    "read_particles",
    "read_phrases",
    "read_prepositions",
    "read_questions",
    "read_relations",
    "read_times",
]

CASES = {"acc": ACC, "dat": DAT, "gen": GEN}
POSITIONS = {"frequency": "M", "time": "EF", "sentence": "FM", "manner": "EM"}


def read_adjectives() -> list[tuple[Adjective, str]]:
    """Return the adjectives with the classes of nouns that they go with."""
    entries = []
    order = {lemma: place for place, row in enumerate(ORDER.split("\n")) for lemma in row.split()}
    for head, classes, english in columns(ADJECTIVES, 3):
        lemma, *forms = head.split()
        stem = next(
            (form[:-1] for form in forms if form.endswith("-") and len(form) > 1), lemma.removesuffix("e")
        )
        given = next((form for form in forms if not form.endswith("-")), "")
        er = lemma + ("r" if lemma.endswith("e") else "er")
        comparative = "" if "-" in forms else given or er
        adjective = Adjective(lemma, stem, comparative, Choice(alternatives(english)), order.get(lemma, 0))
        entries.append((adjective, classes))
    return entries


def read_names() -> list[Name]:
    """Return the names of people."""
    names = []
    for german, pronoun, english in columns(NAMES, 3):
        first, _, oblique = german.partition(", ")
        words = tuple(first.split())
        names.append(Name(words, tuple(oblique.split()) or words, PRONOUNS[pronoun], words_choice(english)))
    return names


def read_expressions() -> list[Expression]:
    """Return adverbs and fixed adverbial phrases."""
    tables = {
        "frequency": adverbials.FREQUENCY,
        "time": adverbials.TIME,
        "sentence": adverbials.SENTENCE,
        "manner": adverbials.MANNER,
    }
    return [
        _expression(kind, when, german, alternatives(english))
        for kind, table in tables.items()
        for german, when, english in columns(table, 3)
    ]


def read_questions() -> list[Expression]:
    """Return question words that ask for an adverbial."""
    return [
        _expression("wh", when, german, alternatives(english))
        for german, when, english in columns(adverbials.QUESTIONS, 3)
    ]


def read_times() -> list[Expression]:
    """Return phrases of time with a number, a day, a month or a year in them."""
    return [
        _expression("time", when, german, [(text, 1.0) for text in english])
        for german, when, *english in _times()
    ]


def _times() -> Iterator[tuple[str, ...]]:
    for german, english in columns(adverbials.WEEKDAYS, 2):
        yield f"am:1 {german}:2", "any", f"on:1 {english}:2"
    for german, english in columns(MONTHS, 2):
        yield f"im:1 {german}:2", "past", f"in:1 {english}:2"
    for number, english in columns(NUMERALS, 2):
        if number in ("hundert", "tausend"):
            continue
        yield f"um:1 {number}:2 Uhr:3", "any", f"at:1 {english}:2 o'clock:3"
        for head, unit in columns(adverbials.UNITS, 2):
            form = head.split()[2]
            dative = form if form.endswith("n") else form + "n"
            units = plural(unit)
            yield f"vor:1 {number}:2 {dative}:3", "past", f"{english}:2 {units}:3 ago:1"
            yield f"seit:1 {number}:2 {dative}:3", "since", f"for:1 {english}:2 {units}:3"
            yield f"in:1 {number}:2 {dative}:3", "future", f"in:1 {english}:2 {units}:3"
    for year in range(1949, 2021):
        yield f"im:1 Jahr:1 {year}:2", "past", f"in:1 {year}:2"


def read_phrases() -> list[Expression]:
    """Return the sentences that are translated as a whole."""
    return [
        _expression("phrase", "any", german, alternatives(english)) for german, english in columns(PHRASES, 2)
    ]


def read_prepositions() -> list[Preposition]:
    """Return the prepositions of adverbials."""
    return [
        _preposition(kind, word, nouns, english)
        for kind, word, nouns, english in columns(prepositions.ADVERBIALS, 4)
    ]


def read_relations() -> list[Preposition]:
    """Return the prepositions that say where something is from something else."""
    return [
        _preposition("place", f"{word}+dat", nouns, english)
        for word, nouns, english in columns(prepositions.RELATIONS, 3)
    ]


def read_attributes() -> list[tuple[str, Preposition]]:
    """Return the prepositions of attributes with the classes of nouns that they go with."""
    return [
        (heads, _preposition("attribute", word, nouns, english))
        for heads, word, nouns, english in columns(prepositions.ATTRIBUTES, 4)
    ]


def read_particles() -> list[str]:
    """Return the modal particles, which English leaves unsaid."""
    return [word for (word,) in columns(adverbials.PARTICLES, 1)]


def _preposition(kind: str, word: str, nouns: str, english: str) -> Preposition:
    german, _, case = word.partition("+")
    bare = english.endswith("-")
    return Preposition(
        kind, german, CASES[case], nouns.replace(" ", "+"), words_choice(english.rstrip("-")), bare
    )


def _expression(kind: str, when: str, german: str, english: list[tuple[str, float]]) -> Expression:
    texts = [text.partition("@")[0] for text, _ in english]
    places = [text.partition("@")[2] or POSITIONS.get(kind, "E") for text, _ in english]
    source, targets = align(german, texts)
    pairs: list[tuple[tuple[Aligned, str], float]] = [
        ((target, place), weight) for target, place, (_, weight) in zip(targets, places, english, strict=True)
    ]
    width = 1 + max(number for _, number in source)
    return Expression(kind, when, source, Choice(pairs), width)
