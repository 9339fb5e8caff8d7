"""Entries of the lexicon: a word with its grammatical properties in both languages."""

from __future__ import annotations

from dataclasses import dataclass, field

from tunesmith.generated.draw import Choice
from tunesmith.generated.lexicon.rows import Aligned
from tunesmith.generated.morphology.english import VerbForms
from tunesmith.generated.morphology.german_verbs import Paradigm

__all__ = [
    "Adjective",
    "Expression",
    "Name",
    "Noun",
    "Pattern",
    "Place",
    "Preposition",
    "Slot",
    "Verb",
    "Words",
]

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """How one is at a place and goes there; `where` takes the dative."""

    where: str
    whither: str
    english_where: Choice[Words]
    english_whither: Choice[Words]


@dataclass(frozen=True, slots=True, eq=False)
class Noun:
    """A noun; `forms` are four cases singular, four cases plural."""

    lemma: str
    kind: str
    """The basic class: human, food, ..."""
    gender: int
    forms: Words
    english: Choice[tuple[Words, Words]]
    """Singular and plural; both are the same where `english_number` says so."""
    owned: Choice[tuple[Words, Words]]
    """The same after a possessive: `meine Frau`, `my wife`."""
    english_number: str
    """`count`, or always `plural` or `mass` whatever the German number."""
    number: str
    """`count`, or only `plural` or `mass` in German."""
    natural: int
    """The pronoun for what it denotes: he 2, she 3, it 4."""
    definite: bool = False
    """Always with the definite article."""
    kin: bool = False
    """Most often with a possessive."""
    place: Place | None = None
    parts: tuple[str, str] = ("", "")
    """First part and head of a compound."""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A proper name; `oblique` is the accusative and dative."""

    words: Words
    oblique: Words
    natural: int
    english: Choice[Words]


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    """An adjective; endings go on the stem."""

    lemma: str
    stem: str
    comparative: str
    """Empty where there is none."""
    english: Choice[str]
    order: int
    """Its place among several adjectives."""


@dataclass(frozen=True, slots=True)
class Preposition:
    """A preposition with its case, for nouns of a class; `bare` drops the English article."""

    kind: str
    word: str
    case: int
    nouns: str
    english: Choice[Words]
    bare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A fixed adverbial or a fixed sentence, word by word, with its places in an English clause."""

    kind: str
    when: str
    german: Aligned
    english: Choice[tuple[Aligned, str]]
    """Words and where they may stand: `F` front, `M` middle, `E` end."""
    width: int
    """How many anchors the expression needs."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A complement that a verb asks for: what role, which preposition and case, which nouns."""

    role: str
    nouns: str = ""
    word: str = ""
    case: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """An English way to say a verb: who is the subject, the verb, and what follows it."""

    subject: str
    """The role that becomes the subject, or the dummy `it` or `there`."""
    forms: VerbForms
    rest: Words
    stative: bool
    passive: bool
    """Whether the accusative role can become the subject of a passive."""


@dataclass(frozen=True, slots=True, eq=False)
class Verb:
    """A verb with its frame and its English patterns."""

    lemma: str
    paradigm: Paradigm
    fixed: Words
    reflexive: bool
    subject: str
    slots: tuple[Slot, ...]
    clause: str
    """`dass`, `ob` or `zu` for verbs that take a clause, else empty."""
    english: Choice[Pattern]
    passive: bool
    agentive: bool
    """Somebody does something: manner adverbs, imperatives and modal verbs make sense."""
    swaps: bool
    """Some pattern makes another role than S the English subject."""
    cache: dict[object, object] = field(default_factory=dict)
