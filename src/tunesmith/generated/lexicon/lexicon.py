"""The lexicon, built once from the tables: entries, classes of nouns, and weighted choices of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from tunesmith.errors import InputError
from tunesmith.generated.draw import Choice, zipf
from tunesmith.generated.lexicon import read_others
from tunesmith.generated.lexicon.entries import Adjective, Expression, Noun, Preposition, Verb
from tunesmith.generated.lexicon.read_nouns import read_nouns
from tunesmith.generated.lexicon.read_verbs import GROUPS, read_verbs
from tunesmith.generated.lexicon.rows import columns
from tunesmith.generated.lexicon.tables.adjectives import OPPOSITES, STATES
from tunesmith.generated.lexicon.tables.classes import CLASSES
from tunesmith.generated.lexicon.tables.places import CITIES

__all__ = ["Lexicon", "Selection", "lexicon"]

T = TypeVar("T")

CITY_SHARE = 0.35

SIZE = 1
"""The order of adjectives of size, which say nothing of a mass."""

WHEN = {
    "past": ("past", "any"),
    "perfect": ("past", "any", "done", "never"),
    "present": ("now", "habit", "any", "since", "future"),
    "future": ("future", "any"),
    "modal": ("any", "future"),
}
"""Which adverbials fit a clause that speaks of a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What a slot may be filled with."""

    nouns: Choice[Noun] | None
    person: bool
    """Names and personal pronouns are possible."""
    city: float
    """The probability of the name of a city or country."""


class Lexicon:
    """All entries, and choices among them by class; choices are built when first asked for."""

    def __init__(self) -> None:
        self.nouns = read_nouns()
        self.verbs = read_verbs()
        self.adjectives = read_others.read_adjectives()
        self.prepositions = read_others.read_prepositions()
        self.relations = Choice(zipf(read_others.read_relations()))
        self.attributes = read_others.read_attributes()
        self.expressions = read_others.read_expressions()
        self.times = read_others.read_times()
        self.names = Choice(zipf(read_others.read_names(), 2))
        self.cities = Choice(zipf([(row[0], row[1]) for row in columns(CITIES, 2)], 2))
        states = STATES.split()
        self.states = Choice(zipf([entry for entry, _ in self.adjectives if entry.lemma in states], 2))
        self.opposites = {
            frozenset((one, other))
            for row in OPPOSITES.split("\n")
            for one in row.split()
            for other in row.split()
        }
        """Pairs of adjectives that do not go together; each goes ill with itself."""
        self.phrases = Choice(zipf(read_others.read_phrases(), 2))
        self.questions = Choice(zipf(read_others.read_questions()))
        self.particles = Choice(zipf(read_others.read_particles()))
        self.person = self.nouns[0]
        """Stands for whoever a name or a pronoun denotes."""
        self._weights = _noun_weights(self.nouns)
        self._classes = {row[0]: row[1] for row in columns(CLASSES, 2)}
        self.members: Callable[[str], dict[Noun, float]] = cache(self._members)
        self.select: Callable[[str], Selection] = cache(self._select)
        self.adjectives_of: Callable[[Noun], Choice[Adjective] | None] = cache(self._adjectives_of)
        self.comparable_of: Callable[[str, bool], Choice[Adjective] | None] = cache(self._comparable_of)
        self.attributes_of: Callable[[Noun], Choice[Preposition] | None] = cache(self._attributes_of)
        self.verbs_with_subject: Callable[[Noun | None], Choice[Verb] | None] = cache(self._with_subject)
        self.verbs_with_object: Callable[[Noun], Choice[Verb] | None] = cache(self._with_object)
        self.adverbs: Callable[[str, str], Choice[Expression]] = cache(self._adverbs)
        self.phrases_of: Callable[[str], Choice[Preposition] | None] = cache(self._phrases_of)
        self.predicates = Choice(self._weighted_verbs(lambda verb: True))

    def entry_count(self) -> int:
        """Return the number of lexical entries; built compounds and phrases of time are not counted."""
        simple = [noun for noun in self.nouns if not noun.parts[0]]
        verbs = sum(len(group) for group in self.verbs.values())
        others = (self.names.entries, self.cities.entries, self.adjectives, self.expressions)
        return len(simple) + verbs + sum(len(entries) for entries in others)

    def _members(self, classes: str) -> dict[Noun, float]:
        """Return the nouns of `human+tool`, of aliases and of single nouns, with their weights."""
        found: dict[Noun, float] = {}
        for name in classes.replace("+", " ").split():
            alias = self._classes.get(name)
            if alias is not None:
                found |= self.members(alias)
            elif name not in ("city", "es"):
                nouns = {noun: w for noun, w in self._weights.items() if name in (noun.kind, noun.lemma)}
                if not nouns:
                    raise InputError(f"lexicon: no noun belongs to {name!r}")
                found |= nouns
        return found

    def _select(self, classes: str) -> Selection:
        nouns = self.members(classes)
        city = 0.0 if "city" not in classes.split("+") else CITY_SHARE if nouns else 1.0
        person = any(noun.kind == "human" for noun in nouns)
        return Selection(Choice(nouns.items()) if nouns else None, person, city)

    def _adjectives_of(self, noun: Noun) -> Choice[Adjective] | None:
        return _choice(
            [
                adjective
                for adjective, heads in self.adjectives
                if noun in self.members(heads) and not (noun.number == "mass" and adjective.order == SIZE)
            ]
        )

    def _comparable_of(self, kind: str, mass: bool) -> Choice[Adjective] | None:
        return _choice(
            [
                adjective
                for adjective, heads in self.adjectives
                if adjective.comparative
                and kind in heads.split() + self._expand(heads)
                and not (mass and adjective.order == SIZE)
            ]
        )

    def _expand(self, classes: str) -> list[str]:
        return [kind for name in classes.split() for kind in self._classes.get(name, "").split()]

    def _attributes_of(self, noun: Noun) -> Choice[Preposition] | None:
        return _choice([attribute for heads, attribute in self.attributes if noun in self.members(heads)])

    def _phrases_of(self, kind: str) -> Choice[Preposition] | None:
        return _choice([preposition for preposition in self.prepositions if preposition.kind == kind])

    def _with_subject(self, noun: Noun | None) -> Choice[Verb] | None:
        """Return the verbs that a noun can be the subject of; `None` stands for names and pronouns."""
        if noun is None:
            verbs = self._weighted_verbs(lambda verb: self.select(verb.subject).person)
        else:
            verbs = self._weighted_verbs(lambda verb: noun in self.members(verb.subject))
        return Choice(verbs) if verbs else None

    def _with_object(self, noun: Noun) -> Choice[Verb] | None:
        """Return the verbs that a noun can be the accusative object of."""
        verbs = self._weighted_verbs(
            lambda verb: (
                any(slot.role == "A" and noun in self.members(slot.nouns) for slot in verb.slots)
                and verb.subject != "es"
                and not verb.clause
            )
        )
        return Choice(verbs) if verbs else None

    def _weighted_verbs(self, fits: Callable[[Verb], bool]) -> list[tuple[Verb, float]]:
        weighted = []
        for group, verbs in self.verbs.items():
            ranked = zipf(verbs, 4)
            total = sum(weight for _, weight in ranked)
            weighted += [(verb, GROUPS[group][1] * weight / total) for verb, weight in ranked if fits(verb)]
        return weighted

    def _adverbs(self, kind: str, time: str) -> Choice[Expression]:
        fitting = [
            e for e in self.expressions if e.kind == kind and (e.when in WHEN[time] or kind == "frequency")
        ]
        if kind != "time":
            return Choice(zipf(fitting))
        # Phrases with numbers and years are many and rare: the long tail of the vocabulary.
        built = [e for e in self.times if e.when in WHEN[time]]
        return Choice(zipf(fitting, 2) + [(e, 0.8 / len(built)) for e in built])


@cache
def lexicon() -> Lexicon:
    """Return the one lexicon."""
    return Lexicon()


def _noun_weights(nouns: Iterable[Noun]) -> dict[Noun, float]:
    """Weight nouns by rank within their class; the first of two nouns of a name keeps the class rank."""
    ranks: dict[str, int] = {}
    weights = {}
    for noun in nouns:
        ranks[noun.kind] = ranks.get(noun.kind, 0) + 1
        weights[noun] = 1.0 / (ranks[noun.kind] + 2)
    return weights


def _choice(entries: list[T]) -> Choice[T] | None:
    return Choice(zipf(entries, 2)) if entries else None
