"""A clause as a tree: a verb, its roles, its adverbials, and how it is put."""

from __future__ import annotations

from tunesmith.generated.grammar.adverbial import Adverbial
from tunesmith.generated.grammar.nominal import Nominal
from tunesmith.generated.grammar.noun_phrase import Prepositional
from tunesmith.generated.grammar.predicate import Predicate
from tunesmith.generated.lexicon.entries import Slot, Verb

__all__ = [
    "ANCHORS",
    "AUXILIARY",
    "CONJUNCTION",
    "DUMMY",
    "MODAL",
    "NEGATION",
    "PREPOSITION",
    "Clause",
]

AUXILIARY, MODAL, NEGATION, PREPOSITION, CONJUNCTION, DUMMY = 1, 2, 3, 4, 5, 6
ANCHORS = 7
"""The anchors of a clause: its verb is 0, then the others in this order."""


class Clause:
    """One verb with all that depends on it; said by `german_clause` and `english_clause`."""

    __slots__ = (
        "adverbials",
        "agent",
        "anchor",
        "complement",
        "extrapose",
        "gap",
        "modal",
        "negation",
        "particle",
        "passive",
        "place",
        "plain",
        "predicate",
        "preposition",
        "roles",
        "steady",
        "subject",
        "tense",
        "topic",
        "verb",
    )

    def __init__(self, verb: Verb, subject: Nominal, anchor: int) -> None:
        self.verb = verb
        self.subject = subject
        self.anchor = anchor
        self.roles: dict[str, Nominal] = {}
        """Fillers of A, D and P; the German subject is apart."""
        self.preposition: Slot | None = None
        """The preposition of role P."""
        self.place: Prepositional | None = None
        self.predicate: Predicate | None = None
        self.complement: Clause | None = None
        self.adverbials: list[Adverbial] = []
        self.particle = ""
        self.tense = "present"
        """present, past, perfect, pluperfect, future or would."""
        self.modal = ""
        self.passive = False
        """The subject is what an active clause would have in role A."""
        self.agent: Nominal | None = None
        self.negation = ""
        """`nicht`, `kein` or nothing."""
        self.topic: Adverbial | str = ""
        """What stands first in a German main clause: an adverbial, role `A`, or the subject if empty."""
        self.gap: Nominal | None = None
        """The relative or question word that stands first whatever its role."""
        self.plain = False
        """English must use the simple present or past: clauses with `if`, `when`, `before`, and those
        that share a past with another clause."""
        self.steady = False
        """English must not use the progressive: main clauses with `if`, `before`, two verbs of a subject."""
        self.extrapose = False
        """A relative clause in the middle field moves behind the verb."""
