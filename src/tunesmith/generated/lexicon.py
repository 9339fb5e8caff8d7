"""Reading the tables of words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from tunesmith.generated import words
from tunesmith.generated.draw import Choice, zipf
from tunesmith.generated.english import plural
from tunesmith.generated.german import Paradigm, conjugate, decline
from tunesmith.generated.nouns import CLASSES, MODIFIERS, NOUNS

__all__ = ["Adjective", "Adverb", "Lexicon", "Noun", "Slot", "Verb", "choice", "equations", "lexicon", "rows"]

STEMS = {"teuer": "teur", "hoch": "hoh", "dunkel": "dunkl"}
SLOTS = ("loc", "dir", "adj", "state", "nom", "dass", "ob", "zu")
FLATTER = 4.0
"""Ranks of nouns and adjectives are flatter than Zipf's, so that rare ones are seen too."""


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun; the English has singular, plural and mark, `where` prepositions, German ones first."""

    lemma: str
    kind: str
    gender: str
    """`c` if it is a name."""
    column: int
    """Of its singular in tables of endings."""
    forms: tuple[str, ...]
    countable: bool
    english: Choice[tuple[str, str, str]]
    where: tuple[str, ...]


class Adjective(NamedTuple):
    """An adjective; one without a comparative has an empty one."""

    lemma: str
    stem: str
    comparative: str
    english: Choice[str]


class Adverb(NamedTuple):
    """An adverbial, and where it may stand in English."""

    places: str
    german: list[str]
    english: Choice[str]


class Slot(NamedTuple):
    """What a verb asks for: a role, a class of nouns, a preposition and a case."""

    role: str
    spec: str
    preposition: str = ""
    case: str = ""


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb with its frame and its English patterns."""

    group: str
    paradigm: Paradigm
    fixed: list[str]
    sein: bool
    passive: bool
    subject: str
    slots: tuple[Slot, ...]
    patterns: Choice[list[str]]


def rows(table: str) -> list[str]:
    """Split a table at its semicolons."""
    return [" ".join(row.split()) for row in table.split(";")]


def equations(table: str) -> list[tuple[str, str]]:
    """Return the sides of a table of equations; the sides of a word alone are equal."""
    return [(german, english or german) for german, _, english in (row.partition("=") for row in rows(table))]


def choice(text: str) -> Choice[str]:
    """Read alternatives, the most frequent first."""
    return Choice(zipf(text.split("/"), 0.0))


def _paragraphs(table: str) -> Iterator[tuple[str, str]]:
    """Yield names and their entries; a line that does not end in a semicolon ends a paragraph."""
    for text in table.strip().replace(";\n", "; ").split("\n"):
        name, _, entries = text.partition(": ")
        yield name, entries


def _noun(kind: str, row: str) -> Noun:
    lemma, gender, several, *where, english = row.split(None, 5 if kind in ("building", "place") else 3)
    forms = decline(lemma, gender.lower(), lemma + several[1:] if several[0] == "+" else several)
    marked = [(text.rstrip("*+"), text[len(text.rstrip("*+")) :]) for text in english.split("/")]
    pairs = Choice(zipf([(text, text if mark else plural(text), mark) for text, mark in marked], 0.0))
    column = {"m": 0, "w": 0, "f": 1, "p": 3}.get(gender.lower(), 2)
    places = tuple(part for pair in where for part in pair.split(":"))
    return Noun(lemma, kind, gender, column, forms, several != "-" and gender != "p", pairs, places)


def _name(kind: str, german: str, english: str) -> Noun:
    pairs = Choice(zipf([(text, text, "") for text in english.split("/")], 0.0))
    return Noun(german, kind, "c", 2, (german,) * 8, False, pairs, ())


def _compound(modifier: str, english: str, head: Noun) -> Noun:
    forms = tuple(modifier + form.lower() for form in head.forms)
    pairs = [
        (f"{e} {s}", f"{e} {p}", mark) for e in english.split("/") for s, p, mark in head.english.entries
    ]
    return replace(head, lemma=forms[0], forms=forms, english=Choice(zipf(pairs, 0.0)))


def _slot(part: str) -> Slot:
    role, _, spec = part.partition(":")
    preposition, dot, case = role.partition(".")
    return Slot("P", spec, preposition, case) if dot else Slot(role, spec)


def _verb(group: str, left: str, english: str) -> Verb:
    name, *frame = left.split()
    slots = tuple(_slot(part) for part in frame if part.partition(":")[0] in SLOTS or ":" in part)
    subject = "person" if len(frame) == len(slots) else frame[0]
    *fixed, infinitive = name.rstrip("+!").split("_")
    passive = slots[:1] != () and slots[0].role == "A" and "!" not in name
    patterns = Choice(zipf([pattern.split() for pattern in english.split("/")], 0.0))
    return Verb(group, conjugate(infinitive), fixed, "+" in name, passive, subject, slots, patterns)


def _adverbs(name: str, entries: str) -> tuple[tuple[str, str], Choice[Adverb]]:
    kind, when, places = name.split()
    return (kind, when), Choice(
        zipf([Adverb(places, de.split(), choice(en)) for de, en in equations(entries)], 2.0)
    )


class Lexicon:
    """All words, and choices of nouns by class, which are made when they are first asked for."""

    def __init__(self) -> None:
        self.nouns: dict[str, Noun] = {}
        self._classes: dict[str, list[str]] = {}
        self._choices: dict[str, Choice[Noun]] = {}
        self._adjectives: dict[str, list[Adjective]] = {}
        for kind, entries in _paragraphs(NOUNS):
            self._add(kind, [_noun(kind, row) for row in rows(entries)])
        simple = {kind: names.copy() for kind, names in self._classes.items()}
        for left, heads in (row.split(": ") for row in rows(MODIFIERS)):
            modifier, english = left.split(" ", 1)
            for head in [name for part in heads.split() for name in simple.get(part, [part])]:
                self._add(self.nouns[head].kind, [_compound(modifier, english, self.nouns[head])])
        for kind, table in (("name", words.NAMES), ("city", words.CITIES)):
            self._add(kind, [_name(kind, *pair) for pair in equations(table)])
        self._classes |= {name: names.split() for name, names in (row.split(": ") for row in rows(CLASSES))}
        for row in rows(words.ADJECTIVES):
            self._read_adjective(*row.split(" ", 2))
        self.verbs = {
            group: Choice(zipf([_verb(group, *pair) for pair in equations(entries)], 2.0))
            for group, entries in _paragraphs(words.VERBS)
        }
        self.adverbs = dict(_adverbs(name, entries) for name, entries in _paragraphs(words.ADVERBIALS))
        years = [
            Adverb("EEF", ["im", "Jahr", str(year)], choice(f"in {year}")) for year in range(2024, 1800, -1)
        ]
        self.adverbs["year", "past"] = Choice(zipf(years, 99.0))

    def _add(self, kind: str, nouns: list[Noun]) -> None:
        self.nouns |= {noun.lemma: noun for noun in nouns}
        self._classes.setdefault(kind, []).extend(noun.lemma for noun in nouns)

    def _read_adjective(self, left: str, spec: str, english: str) -> None:
        lemma, comma, comparative = left.partition(",")
        more = comparative.strip("-") if comma else lemma.removesuffix("e") + "er"
        entry = Adjective(lemma, STEMS.get(lemma, lemma.removesuffix("e")), more, choice(english))
        for noun in self.choose(spec).entries:
            self._adjectives.setdefault(noun.lemma, []).append(entry)

    def _weighted(self, name: str) -> list[tuple[Noun, float]]:
        names = self._classes.get(name, [name])
        if names[0] in self._classes:
            return [pair for part in names for pair in self._weighted(part)]
        return zipf([self.nouns[part] for part in names], FLATTER)

    def choose(self, spec: str) -> Choice[Noun]:
        """Return the choice of nouns of one or several classes, joined by `+`."""
        if spec not in self._choices:
            self._choices[spec] = Choice(pair for name in spec.split("+") for pair in self._weighted(name))
        return self._choices[spec]

    def includes(self, spec: str, noun: Noun) -> bool:
        """Tell whether a noun is of the classes."""
        return spec not in ("", "es") and noun in self.choose(spec).entries

    @cache  # noqa: B019
    def adjectives(self, lemma: str, *, state: bool = False) -> Choice[Adjective] | None:
        """Return the adjectives of a noun, or of what it can become."""
        states = words.STATES.split()
        found = [entry for entry in self._adjectives.get(lemma, []) if not state or entry.lemma in states]
        return Choice(zipf(found, FLATTER)) if found else None


@cache
def lexicon() -> Lexicon:
    """Return the words, read once."""
    return Lexicon()
