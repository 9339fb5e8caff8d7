"""German clauses: verb second, verb first, verb last, or an infinitive with `zu`.

Topological fields: first field, left bracket (the finite verb), middle field, right bracket (prefix,
participle, infinitive), last field (clauses).
"""

from __future__ import annotations

from tunesmith.generated.grammar.adverbial import Adverbial
from tunesmith.generated.grammar.clause import (
    AUXILIARY,
    CONJUNCTION,
    MODAL,
    NEGATION,
    PREPOSITION,
    Clause,
)
from tunesmith.generated.grammar.determiner import PERSONAL
from tunesmith.generated.grammar.nominal import Nominal
from tunesmith.generated.grammar.noun_phrase import NounPhrase, Said, say_preposition
from tunesmith.generated.grammar.tokens import NOTHING, Anchor, Tokens
from tunesmith.generated.morphology.german_nouns import ACC, DAT, NOM
from tunesmith.generated.morphology.german_verbs import AUXILIARIES, MODALS

__all__ = ["say_final", "say_first", "say_second", "say_zu"]

Bracket = list[tuple[str, Anchor]]

BEFORE_OBJECTS = ("sentence", "time", "frequency", "reason")
AFTER_NEGATION = ("company", "gern", "manner", "vehicle", "place")


def say_second(clause: Clause, out: Tokens) -> None:
    """Say a main clause: `Gestern hat der Mann das Buch gelesen`."""
    topic = clause.topic
    if clause.gap is not None:
        _gap(clause, clause.gap, out)
    elif isinstance(topic, Adverbial):
        topic.german(out)
    elif topic == "A":
        clause.roles["A"].german(ACC, out)
    else:
        clause.subject.german(NOM, out)
    finite, right = _brackets(clause)
    out.put(*finite)
    subject_said = clause.gap is clause.subject or (clause.gap is None and not topic)
    _fields(clause, right, out, subject=not subject_said, topic=topic)


def say_first(clause: Clause, out: Tokens) -> None:
    """Say a question or a polite imperative: `Hat der Mann das Buch gelesen`."""
    finite, right = _brackets(clause)
    out.put(*finite)
    _fields(clause, right, out, subject=True)


def say_final(clause: Clause, out: Tokens) -> None:
    """Say a subordinate clause: `der Mann das Buch gelesen hat`."""
    if clause.gap is not None:
        _gap(clause, clause.gap, out)
    finite, right = _brackets(clause)
    prefix = clause.verb.paradigm.prefix
    if prefix and right and right[-1][0] == prefix:
        right[-1] = (prefix + finite[0], finite[1])
    else:
        right.append(finite)
    _fields(clause, right, out, subject=clause.gap is not clause.subject)


def say_zu(clause: Clause, out: Tokens) -> None:
    """Say an infinitive: `das Buch zu lesen`, `ihn anzurufen`."""
    right: Bracket = [(word, clause.anchor) for word in clause.verb.paradigm.zu.split()]
    _fields(clause, right, out, subject=False)


def _brackets(clause: Clause) -> tuple[tuple[str, Anchor], Bracket]:
    """Return the finite verb and the right bracket."""
    paradigm = clause.verb.paradigm
    person = clause.subject.person
    verb = clause.anchor
    auxiliary = verb + AUXILIARY
    right: Bracket
    if clause.modal:
        word = MODALS[clause.modal][0 if clause.tense == "present" else 1][person]
        right = (
            [(paradigm.participle, verb), ("werden", auxiliary)]
            if clause.passive
            else [(paradigm.infinitive, verb)]
        )
        return (word, verb + MODAL), right
    if clause.passive:
        if clause.tense in ("perfect", "pluperfect"):
            right = [(paradigm.participle, verb), ("worden", auxiliary)]
            word = AUXILIARIES["ist" if clause.tense == "perfect" else "war"][person]
            return (word, auxiliary), right
        word = AUXILIARIES["wurde" if clause.tense == "past" else "wird"][person]
        return (word, auxiliary), [(paradigm.participle, verb)]
    match clause.tense:
        case "present" | "past":
            forms = paradigm.present if clause.tense == "present" else paradigm.past
            return (forms[person], verb), [(paradigm.prefix, verb)] if paradigm.prefix else []
        case "perfect" | "pluperfect":
            names = ("ist", "war") if paradigm.sein else ("hat", "hatte")
            word = AUXILIARIES[names[clause.tense == "pluperfect"]][person]
            return (word, auxiliary), [(paradigm.participle, verb)]
        case _:
            word = AUXILIARIES["wird" if clause.tense == "future" else "würde"][person]
            return (word, auxiliary), [(paradigm.infinitive, verb)]


def _gap(clause: Clause, gap: Nominal, out: Tokens) -> None:
    gap.german(NOM if gap is clause.subject else ACC, out)


def _fields(
    clause: Clause, right: Bracket, out: Tokens, *, subject: bool, topic: Adverbial | str = ""
) -> None:
    """Say middle field, right bracket and last field, but for what was said first."""
    heavy = _early(clause, out, subject=subject, topic=topic)
    adverbials = [adverbial for adverbial in clause.adverbials if adverbial is not topic]
    _adverbials(adverbials, BEFORE_OBJECTS, out)
    moved: list[Said] = []
    last = _last_nominal(clause, heavy) if clause.extrapose and right else None
    for nominal, case in heavy:
        if nominal.definite or case == DAT:
            _nominal(nominal, case, out, moved if nominal is last else None)
    if clause.negation == "nicht":
        out.put("nicht", clause.anchor + NEGATION)
    if clause.agent is not None:
        say_preposition("von", DAT, clause.agent, clause.anchor + PREPOSITION, out)
    _adverbials(adverbials, AFTER_NEGATION, out)
    for nominal, case in heavy:
        if not nominal.definite and case == ACC:
            _nominal(nominal, case, out, moved if nominal is last else None)
    _complements(clause, out, moved, last)
    for word, anchor in right:
        out.put(word, anchor)
    for relative in moved:
        relative.german(out)
    if clause.complement is not None:
        _last_field(clause, clause.complement, out)


def _early(
    clause: Clause, out: Tokens, *, subject: bool, topic: Adverbial | str
) -> list[tuple[Nominal, int]]:
    """Say subject, reflexive, pronouns and particle; return the objects that are left, dative first."""
    if subject:
        clause.subject.german(NOM, out)
    if clause.verb.reflexive:
        out.put(PERSONAL[clause.subject.pronoun].reflexive, clause.anchor)
    heavy: list[tuple[Nominal, int]] = []
    for role, case in (("A", ACC), ("D", DAT)):
        nominal = clause.roles.get(role)
        if nominal is None or nominal is clause.gap or topic == role:
            continue
        if nominal.light:
            nominal.german(case, out)
        else:
            heavy.insert(0, (nominal, case))
    if clause.particle:
        out.put(clause.particle, NOTHING)
    return heavy


def _adverbials(adverbials: list[Adverbial], kinds: tuple[str, ...], out: Tokens) -> None:
    """Say the adverbials of some kinds, in the order of the kinds."""
    if adverbials:
        for kind in kinds:
            for adverbial in adverbials:
                if adverbial.kind == kind:
                    adverbial.german(out)


def _complements(clause: Clause, out: Tokens, moved: list[Said], last: Nominal | None) -> None:
    """Say what stands next to the right bracket: place, fixed words, prepositional object, predicate."""
    if clause.place is not None:
        clause.place.german(out)
    out.put_all(clause.verb.fixed, clause.anchor)
    prepositional = clause.roles.get("P")
    if prepositional is not None and prepositional is not clause.gap:
        assert clause.preposition is not None
        slot, target = clause.preposition, moved if prepositional is last else None
        say_preposition(slot.word, slot.case, prepositional, clause.anchor + PREPOSITION, out, moved=target)
    if clause.predicate is not None:
        clause.predicate.german(clause.subject, out)


def _last_nominal(clause: Clause, objects: list[tuple[Nominal, int]]) -> Nominal | None:
    """Return the object whose relative clause may move: the last one before the right bracket."""
    if clause.place is not None or clause.predicate is not None or clause.complement is not None:
        return None
    return clause.roles.get("P") or (objects[-1][0] if objects else None)


def _nominal(nominal: Nominal, case: int, out: Tokens, moved: list[Said] | None) -> None:
    if isinstance(nominal, NounPhrase):
        nominal.german(case, out, moved=moved)
    else:
        nominal.german(case, out)


def _last_field(clause: Clause, complement: Clause, out: Tokens) -> None:
    out.comma()
    if clause.verb.clause == "zu":
        say_zu(complement, out)
    else:
        out.put(clause.verb.clause, complement.anchor + CONJUNCTION)
        say_final(complement, out)
    out.comma()
