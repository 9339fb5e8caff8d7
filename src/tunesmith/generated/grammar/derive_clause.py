"""Drawing clauses: the verb and its roles, time, voice, what comes first, what is embedded."""

from __future__ import annotations

from tunesmith.generated.draw import Choice
from tunesmith.generated.grammar.adverbial import Phrase
from tunesmith.generated.grammar.clause import ANCHORS, Clause
from tunesmith.generated.grammar.derivation import DEPTH, Derivation
from tunesmith.generated.grammar.derive_adverbial import PLACE, add_adverbials, negate
from tunesmith.generated.grammar.derive_nominal import draw_nominal, draw_place
from tunesmith.generated.grammar.derive_roles import draw_subject, fill
from tunesmith.generated.grammar.nominal import (
    POLITE,
    City,
    Indefinite,
    Nominal,
    One,
    Pronoun,
    Relative,
    Silent,
    Wh,
)
from tunesmith.generated.grammar.noun_phrase import NounPhrase, Said
from tunesmith.generated.grammar.relative import RelativeClause
from tunesmith.generated.lexicon.entries import Verb
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.morphology.german_nouns import MASCULINE

__all__ = ["again", "draw_clause", "draw_infinitive", "pick_verb", "relativize"]

PASSIVE = 0.1
AGENT = 0.35
MODAL = 0.13
WOULD = 0.02
TOPIC_ADVERBIAL = 0.42
TOPIC_OBJECT = 0.05
EXTRAPOSE = 0.7
SUBJECT_RELATIVE = 0.6
SAME_SUBJECT = 0.3

TOPICS = ("time", "sentence", "place", "reason")
"""Kinds of adverbials that may stand first."""

_TIMES = Choice([("present", 47.0), ("past", 46.0), ("future", 7.0)])
_PAST = Choice([("perfect", 55.0), ("past", 45.0)])
_PAST_OF_COPULA = Choice([("past", 85.0), ("perfect", 15.0)])
_FUTURE = Choice([("future", 65.0), ("present", 35.0)])
_MODALS = Choice(
    {"können": 30.0, "müssen": 24.0, "wollen": 16.0, "sollen": 10.0, "möchten": 8.0, "dürfen": 7.0}.items()
)
_MODALS_OF_PASSIVE = Choice({"können": 30.0, "müssen": 24.0, "sollen": 10.0, "dürfen": 7.0}.items())
"""A letter may want to be written as little as a juice would like to be drunk."""


def pick_verb(
    state: Derivation,
    subject: Nominal | None = None,
    *,
    depth: int = 0,
    clause: bool = True,
    swap: bool = True,
    agentive: bool = False,
) -> Verb:
    """Draw a verb for a subject that is known, or any verb; deep clauses take no further clause.

    `clause`, `swap` allow verbs with clauses and with another subject in English; `agentive` asks for deeds.
    """
    entries = lexicon()
    choice = (None if subject is None else entries.verbs_with_subject(subject.noun)) or entries.predicates
    while True:
        verb = choice(state.draw)
        if verb.clause and (depth >= DEPTH or not clause):
            continue
        if (swap or not verb.swaps) and (verb.agentive or not agentive):
            return verb


def draw_clause(
    state: Derivation,
    *,
    depth: int = 0,
    subject: Nominal | None = None,
    verb: Verb | None = None,
    time: str = "",
    accusative: Nominal | None = None,
    main: bool = False,
    question: bool = False,
    active: bool = False,
    affirmative: bool = False,
) -> Clause:
    """Draw a finite clause.

    `accusative`, a relative or question word, fills that role and stands first; `main` allows a topic
    other than the subject; `question` forbids sentence adverbs and particles.
    """
    draw = state.draw
    if verb is None:
        verb = pick_verb(state, subject, depth=depth)
    free = subject is None and accusative is None and not active
    passive = free and verb.passive and draw() < PASSIVE
    if subject is None:
        subject = draw_subject(state, verb, passive, depth)
    clause = Clause(verb, subject, state.anchors(ANCHORS))
    clause.passive = passive
    if passive and draw() < AGENT:
        agent = draw_nominal(state, lexicon().select(verb.subject), DEPTH)
        clause.agent = agent if not isinstance(agent, Indefinite) else None
    _tense(state, clause, time)
    for slot in verb.slots:
        fill(state, clause, slot, depth, accusative)
    add_adverbials(state, clause, min(depth, DEPTH), question)
    if not affirmative:
        negate(state, clause)
    if verb.clause:
        clause.complement = _complement(state, clause, depth)
    if main:
        _topic(state, clause)
    clause.extrapose = draw() < EXTRAPOSE
    return clause


def draw_infinitive(state: Derivation, controller: Nominal, depth: int, *, predicate: bool = True) -> Clause:
    """Draw what somebody tries, hopes or forgets to do; `predicate` allows `Lehrer zu werden`."""
    verb = None
    while verb is None or (not predicate and any(slot.role == "K" for slot in verb.slots)):
        verb = pick_verb(state, controller, depth=depth, clause=False, swap=False, agentive=True)
    clause = Clause(verb, Silent(controller), state.anchors(ANCHORS))
    for slot in verb.slots:
        fill(state, clause, slot, depth, None)
    if clause.place is None and state.draw() < PLACE[1]:
        clause.adverbials.append(Phrase("place", draw_place(state, "", False)))
    clause.extrapose = state.draw() < EXTRAPOSE
    return clause


def _tense(state: Derivation, clause: Clause, time: str) -> None:
    draw = state.draw
    verb = clause.verb
    if time == "before":
        clause.tense = "pluperfect"
        return
    when = time or _TIMES(draw)
    if when == "past":
        copula = verb.paradigm.infinitive in ("sein", "haben")
        clause.tense = (_PAST_OF_COPULA if copula else _PAST)(draw)
    elif when == "future":
        clause.tense = "present" if clause.passive else _FUTURE(draw)
    if verb.agentive and when != "future" and draw() < MODAL:
        clause.modal = (_MODALS_OF_PASSIVE if clause.passive else _MODALS)(draw)
        clause.tense = "past" if when == "past" and clause.modal != "möchten" else "present"
    elif verb.agentive and not clause.passive and not time and draw() < WOULD:
        clause.tense = "would"
    # The simple past of `du` and `ihr` has gone out of use.
    if clause.tense == "past" and clause.subject.person in (1, 4) and not clause.modal:
        clause.tense = "perfect"


def _complement(state: Derivation, clause: Clause, depth: int) -> Clause:
    """Draw the clause that a verb takes; who does what an infinitive says depends on the verb."""
    if clause.verb.clause == "zu":
        controller = clause.subject
        if clause.verb.subject == "es":
            controller = Pronoun(POLITE, POLITE, state.anchors())
        elif clause.verb.lemma != "versprechen":
            controller = clause.roles.get("A") or clause.roles.get("D") or controller
        return draw_infinitive(state, controller, depth + 1)
    past = clause.tense in ("past", "perfect", "pluperfect")
    same = clause.verb.subject != "es" and state.draw() < SAME_SUBJECT
    subject = again(state, clause.subject) if same else None
    complement = draw_clause(state, depth=depth + 1, subject=subject, time="past" if past else "")
    complement.plain = past
    return complement


def again(state: Derivation, subject: Nominal) -> Nominal | None:
    """Return the pronoun that takes up a subject, if one can."""
    if isinstance(subject, (City, One, Indefinite, Relative, Wh, Silent)):
        return None
    return Pronoun(subject.pronoun, subject.english_pronoun, state.anchors(), subject.noun)


def _topic(state: Derivation, clause: Clause) -> None:
    """Choose what stands first."""
    draw = state.draw
    candidates = [a for a in clause.adverbials if a.kind in TOPICS and a.when not in ("done", "now")]
    if candidates and draw() < TOPIC_ADVERBIAL:
        clause.topic = candidates[int(draw() * len(candidates))]
        return
    accusative = clause.roles.get("A")
    if isinstance(accusative, NounPhrase) and _marked(clause, accusative) and draw() < TOPIC_OBJECT:
        clause.topic = "A"


def _marked(clause: Clause, accusative: NounPhrase) -> bool:
    """Tell whether a definite object is short, and the forms show which of subject and object is which."""
    subject = clause.subject
    if not accusative.definite or accusative.after is not None:
        return False
    if isinstance(subject, Pronoun) and subject.pronoun in (0, 1, 2, 5, 6):
        return True
    return accusative.column == MASCULINE and clause.verb.subject != "es"


def relativize(state: Derivation, head: NounPhrase, depth: int) -> Said | None:
    """Draw a relative clause whose subject or object is the head."""
    noun = head.noun
    assert noun is not None
    pronoun = Relative(head, head.column, state.anchors())
    if state.draw() < SUBJECT_RELATIVE:
        if lexicon().verbs_with_subject(noun) is None:
            return None
        verb = pick_verb(state, pronoun, depth=DEPTH)
        clause = draw_clause(state, depth=depth, subject=pronoun, verb=verb)
        clause.gap = pronoun
    else:
        choice = lexicon().verbs_with_object(noun)
        if choice is None:
            return None
        clause = draw_clause(state, depth=depth, verb=choice(state.draw), accusative=pronoun)
    # A present perfect would clash with a past around it, which is not known here.
    clause.plain = clause.tense == "perfect"
    return RelativeClause(clause)
