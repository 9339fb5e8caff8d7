"""Drawing adjuncts of a verb: adverbials, particles, negation."""

from __future__ import annotations

from tunesmith.generated.grammar.adverbial import Fixed, Phrase
from tunesmith.generated.grammar.clause import Clause
from tunesmith.generated.grammar.derivation import Derivation
from tunesmith.generated.grammar.derive_nominal import draw_place, draw_prepositional
from tunesmith.generated.grammar.determiner import DETERMINERS
from tunesmith.generated.grammar.nominal import Indefinite, Pair
from tunesmith.generated.grammar.noun_phrase import NounPhrase
from tunesmith.generated.grammar.predicate import Profession, Quality
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.morphology.english import ENDURING

__all__ = ["DURATIVE", "PLACE", "add_adverbials", "negate"]

# By depth: main clause, embedded clause, deeper.
TIME = (0.34, 0.22, 0.1)
SENTENCE = (0.12, 0.05, 0.0)
PLACE = (0.12, 0.06, 0.0)

TIME_PHRASE = 0.12
FREQUENCY = 0.06
MANNER = 0.13
COMPANY = 0.06
REASON = 0.03
VEHICLE = 0.15
PARTICLE = 0.03
NEGATION = 0.1

DURATIVE = {
    "arbeiten", "wohnen", "leben", "kennen", "warten", "lernen", "studieren", "lieben", "suchen", "spielen",
    "schlafen", "rauchen", "sein",
}  # fmt: skip
"""Verbs that go with `seit drei Jahren` and `wie lange`."""

UNNEGATED = {"einige", "mehrere", "etwas", "viele", "wenige", "alle", "jeder"}
"""Determiners whose scope under a negation this grammar avoids."""


def add_adverbials(state: Derivation, clause: Clause, depth: int, question: bool) -> None:
    """Add adverbials that fit verb, tense and kind of clause."""
    draw = state.draw
    verb = clause.verb
    entries = lexicon()
    simple = not (clause.passive or verb.clause or clause.predicate is not None)
    time = "modal" if clause.tense == "would" else "" if clause.tense == "pluperfect" else clause.tense
    if clause.modal and time == "present":
        time = "modal"
    if time and draw() < TIME[depth]:
        _add_time(state, clause, time)
    elif simple and draw() < FREQUENCY:
        expression = entries.adverbs("frequency", "present")(draw)
        clause.adverbials.append(Fixed(expression, state.anchors(expression.width)))
    if not question and draw() < SENTENCE[depth]:
        expression = entries.adverbs("sentence", "past" if time == "past" else "present")(draw)
        clause.adverbials.append(Fixed(expression, state.anchors(expression.width)))
    elif not question and draw() < PARTICLE:
        clause.particle = entries.particles(draw)
    if simple and verb.agentive and not verb.fixed:
        _add_manner(state, clause)
        _add_circumstances(state, clause, depth)
    if depth == 0 and not verb.clause and draw() < REASON:
        _add_phrase(state, clause, "reason")


def _add_time(state: Derivation, clause: Clause, time: str) -> None:
    if state.draw() < TIME_PHRASE:
        _add_phrase(state, clause, "time")
        return
    expression = lexicon().adverbs("time", time)(state.draw)
    if _timed(clause, expression.when):
        clause.adverbials.append(Fixed(expression, state.anchors(expression.width)))


def _timed(clause: Clause, when: str) -> bool:
    """Tell whether a verb goes with a time: one does not know somebody from tomorrow on."""
    verb = clause.verb
    if when == "since":
        return verb.lemma in DURATIVE
    if when == "habit":
        return clause.predicate is None
    endures = when == "future" and any(p.forms.base in ENDURING for p in verb.english.entries)
    return not endures or verb.clause != ""


def _add_manner(state: Derivation, clause: Clause) -> None:
    """Add how something is done; `gern` only where English can say `like to`."""
    if state.draw() >= MANNER:
        return
    expression = lexicon().adverbs("manner", "present")(state.draw)
    word = expression.german[0][0]
    if word == "sofort" and any(a.kind == "time" for a in clause.adverbials):
        return
    if word in ("zusammen", "gemeinsam") and clause.subject.person < 3:
        return
    timed = any(a.when in ("future", "since", "now") for a in clause.adverbials)
    if word == "gern" and (clause.tense != "present" or clause.modal or timed):
        return
    adverb = Fixed(expression, state.anchors(expression.width))
    adverb.kind = "gern" if word == "gern" else "manner"
    clause.adverbials.append(adverb)


def _add_circumstances(state: Derivation, clause: Clause, depth: int) -> None:
    """Add with whom, by what and where something is done."""
    draw = state.draw
    if draw() < COMPANY:
        _add_phrase(state, clause, "company")
    if clause.place is None:
        if draw() < PLACE[depth]:
            clause.adverbials.append(Phrase("place", draw_place(state, "", False)))
    elif clause.verb.lemma.endswith("fahren") and draw() < VEHICLE:
        _add_phrase(state, clause, "vehicle")


def _add_phrase(state: Derivation, clause: Clause, kind: str) -> None:
    choice = lexicon().phrases_of(kind)
    assert choice is not None
    clause.adverbials.append(Phrase(kind, draw_prepositional(state, choice(state.draw))))


def negate(state: Derivation, clause: Clause) -> None:
    """Say `nicht`, or `kein` where the object has no article or an indefinite one."""
    if state.draw() >= NEGATION or clause.particle or not _negatable(clause):
        return
    accusative = clause.roles.get("A")
    if isinstance(clause.predicate, Profession):
        clause.predicate.negated = True
        clause.negation = "kein"
    elif isinstance(accusative, NounPhrase) and accusative.determiner.name in ("indef", "bare"):
        if accusative.numeral is None:
            accusative.determiner = DETERMINERS["kein"]
            clause.negation = "kein"
    else:
        clause.negation = "nicht"


def _negatable(clause: Clause) -> bool:
    for nominal in (clause.subject, *clause.roles.values()):
        if isinstance(nominal, Indefinite):
            return False
        if isinstance(nominal, NounPhrase) and nominal.determiner.name in UNNEGATED:
            return False
    # `nicht` does not go with two objects of which one wants `kein`.
    accusative = clause.roles.get("A")
    if isinstance(accusative, Pair) and not accusative.definite:
        return False
    for adverbial in clause.adverbials:
        if adverbial.kind == "frequency" or adverbial.when in ("done", "never"):
            return False
    if isinstance(clause.predicate, Quality) and clause.predicate.degree == "ziemlich":
        return False
    fixed = clause.verb.fixed
    return not fixed or (fixed[0][0].islower() and fixed[0] not in ("die", "den", "das", "ein"))
