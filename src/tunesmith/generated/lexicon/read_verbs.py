"""Verbs from their tables: frames and English patterns."""

from __future__ import annotations

from tunesmith.generated.draw import Choice
from tunesmith.generated.lexicon.entries import Pattern, Slot, Verb
from tunesmith.generated.lexicon.rows import alternatives, columns
from tunesmith.generated.lexicon.tables.idioms import IDIOMS
from tunesmith.generated.lexicon.tables.verbs_clause import CLAUSAL
from tunesmith.generated.lexicon.tables.verbs_object import TRANSITIVE
from tunesmith.generated.lexicon.tables.verbs_plain import (
    COPULA,
    INTRANSITIVE,
    MOTION,
    PLACED,
    WEATHER,
)
from tunesmith.generated.lexicon.tables.verbs_preposition import PREPOSITIONAL
from tunesmith.generated.lexicon.tables.verbs_recipient import DATIVE, DITRANSITIVE
from tunesmith.generated.morphology.english import STATIVE, verb_forms
from tunesmith.generated.morphology.german_nouns import ACC, DAT
from tunesmith.generated.morphology.german_verbs import conjugate

__all__ = ["GROUPS", "read_verbs"]

GROUPS: dict[str, tuple[str, float]] = {
    "transitive": (TRANSITIVE, 30),
    "copula": (COPULA, 14),
    "intransitive": (INTRANSITIVE, 12),
    "placed": (PLACED, 8),
    "motion": (MOTION, 8),
    "ditransitive": (DITRANSITIVE, 8),
    "prepositional": (PREPOSITIONAL, 9),
    "dative": (DATIVE, 6),
    "clausal": (CLAUSAL, 12),
    "idiom": (IDIOMS, 3),
    "weather": (WEATHER, 1),
}
"""Tables of verbs and their weights."""

CASES = {"acc": ACC, "dat": DAT}
CLAUSES = ("dass", "ob", "zu")
DUMMIES = ("it", "there")
ROLES = ("S", "A", "D", "P")


def read_verbs() -> dict[str, list[Verb]]:
    """Return the verbs of each group in order of frequency."""
    return {
        name: [_verb(*row, idiom=name == "idiom") for row in columns(table, 4)]
        for name, (table, _) in GROUPS.items()
    }


def _verb(infinitive: str, forms: str, frame: str, english: str, *, idiom: bool) -> Verb:
    *fixed, simple = infinitive.split()
    reflexive = "sich" in fixed
    subject, _, complements = frame.partition(">")
    slots = [item for item in complements.split() if item not in CLAUSES and not item.startswith("!")]
    clause = next((item for item in complements.split() if item in CLAUSES), "")
    patterns = Choice((_pattern(text), weight) for text, weight in alternatives(english, " / "))
    stative = any(pattern.stative for pattern in patterns.entries)
    transitive = any(slot.startswith("acc:") for slot in slots)
    return Verb(
        infinitive.replace("-", ""),
        conjugate(simple, forms),
        tuple(word for word in fixed if word != "sich"),
        reflexive,
        subject.strip(),
        tuple(_slot(item) for item in slots),
        clause,
        patterns,
        passive=transitive
        and "!active" not in complements
        and not idiom
        and clause == ""
        and subject.strip() != "es"
        and all(pattern.passive for pattern in patterns.entries),
        agentive=not stative and subject.strip() in ("person", "animate", "actor", "human"),
        swaps=any(pattern.subject != "S" for pattern in patterns.entries),
    )


def _slot(item: str) -> Slot:
    name, _, nouns = item.partition(":")
    word, plus, case = name.partition("+")
    if plus:
        return Slot("P", nouns, word, CASES[case])
    role = {"acc": "A", "dat": "D", "loc": "L", "dir": "L"}.get(name, "K")
    return Slot(role, nouns, name, CASES.get(name, 0))


def _pattern(text: str) -> Pattern:
    words = text.split()
    subject = words.pop(0) if words[0] in ROLES or words[0] in DUMMIES else "S"
    verb, *rest = words
    direct = [item for item in rest if not item.startswith("~")][:1] == ["A"]
    stative = verb in STATIVE or ("K" in rest and verb not in ("become", "get"))
    return Pattern(subject, verb_forms(verb), tuple(rest), stative, direct and subject == "S")
