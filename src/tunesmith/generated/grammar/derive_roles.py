"""Drawing complements of a verb: objects, places, predicates."""

from __future__ import annotations

from tunesmith.generated.grammar.clause import Clause
from tunesmith.generated.grammar.derivation import DEPTH, Derivation
from tunesmith.generated.grammar.derive_nominal import draw_nominal, draw_noun_phrase, draw_place
from tunesmith.generated.grammar.determiner import DETERMINERS
from tunesmith.generated.grammar.nominal import Indefinite, Nominal, One, Pronoun
from tunesmith.generated.grammar.predicate import Comparison, Predicate, Profession, Quality
from tunesmith.generated.lexicon.entries import Slot, Verb
from tunesmith.generated.lexicon.lexicon import lexicon

__all__ = ["draw_subject", "fill"]

EQUAL = 0.3
"""The share of `so alt wie` among comparisons."""


def draw_subject(state: Derivation, verb: Verb, passive: bool, depth: int) -> Nominal:
    """Draw the German subject; that of a passive is what the verb has for an object."""
    if verb.subject == "es":
        return Pronoun(4, 4, state.anchors())
    nouns = next(slot.nouns for slot in verb.slots if slot.role == "A") if passive else verb.subject
    subject = draw_nominal(state, lexicon().select(nouns), depth, subject=True)
    if passive and isinstance(subject, (One, Indefinite)):
        return Pronoun(7, 7, state.anchors())
    return subject


def fill(state: Derivation, clause: Clause, slot: Slot, depth: int, accusative: Nominal | None) -> None:
    """Draw the filler of a slot; `accusative` is one that is given and stands first."""
    match slot.role:
        case "A":
            if accusative is not None:
                clause.roles["A"] = clause.gap = accusative
            elif clause.verb.subject == "es":
                clause.roles["A"] = _existing(state, slot, depth)
            elif not clause.passive:
                clause.roles["A"] = _object(state, clause, slot, depth)
        case "D":
            clause.roles["D"] = _object(state, clause, slot, depth)
        case "P":
            clause.preposition = slot
            clause.roles["P"] = _object(state, clause, slot, depth)
        case "L":
            clause.place = draw_place(state, slot.nouns, slot.word == "dir")
        case _:
            clause.predicate = _predicate(state, clause.subject, slot)


def _object(state: Derivation, clause: Clause, slot: Slot, depth: int) -> Nominal:
    return draw_nominal(state, lexicon().select(slot.nouns), depth, binder=clause.subject)


def _existing(state: Derivation, slot: Slot, depth: int) -> Nominal:
    """Draw what there is, which is never definite."""
    nouns = lexicon().select(slot.nouns).nouns
    assert nouns is not None
    phrase = draw_noun_phrase(state, nouns(state.draw), depth)
    if phrase.definite:
        phrase.determiner = DETERMINERS["bare" if phrase.plural or phrase.mass else "indef"]
        phrase.definite = False
        phrase.owner = phrase.genitive = None
    return phrase


def _predicate(state: Derivation, subject: Nominal, slot: Slot) -> Predicate:
    noun = subject.noun
    if slot.word == "nom":
        return _profession(state, subject)
    entries = lexicon()
    kind = noun.kind if noun is not None else "human"
    mass = noun is not None and noun.number == "mass"
    comparable = entries.comparable_of(kind, mass) if slot.word == "comparison" else None
    if comparable is not None:
        other = draw_nominal(state, entries.select(kind), DEPTH)
        if noun is not None and other.noun is noun:
            return Quality(comparable(state.draw), "", state.anchors(2))
        return Comparison(comparable(state.draw), other, state.draw() < EQUAL, state.anchors(3))
    adjectives = entries.states if slot.nouns == "state" else entries.adjectives_of(noun or entries.person)
    assert adjectives is not None
    adjective = adjectives(state.draw)
    degree = Quality.DEGREES(state.draw) if adjective.comparative else ""
    return Quality(adjective, degree, state.anchors(2))


def _profession(state: Derivation, subject: Nominal) -> Predicate:
    """Draw a profession of the sex of the subject, where it shows."""
    jobs = lexicon().select("job").nouns
    assert jobs is not None
    sex = subject.noun.natural if subject.noun is not None else subject.english_pronoun
    job = jobs(state.draw)
    while sex in (2, 3) and job.natural != sex:
        job = jobs(state.draw)
    return Profession(job, state.anchors(2))
