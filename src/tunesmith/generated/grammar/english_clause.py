"""English clauses: statement, question, imperative, infinitive or gerund."""

from __future__ import annotations

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.adverbial import Adverbial
from tunesmith.generated.grammar.clause import CONJUNCTION, DUMMY, PREPOSITION, Clause
from tunesmith.generated.grammar.determiner import PERSONAL
from tunesmith.generated.grammar.english_plan import INFINITE, Plan
from tunesmith.generated.grammar.english_verb import CONTRACTED
from tunesmith.generated.grammar.nominal import Nominal
from tunesmith.generated.grammar.noun_phrase import NounPhrase, say_possessor
from tunesmith.generated.grammar.tokens import NOTHING, Tokens

__all__ = ["say_english"]

PARTICLE_LAST = 0.3
FRONT_COMMA = {"sentence": 0.9, "time": 0.5}

PREPOSITIONS = {"for", "of", "about", "to", "with", "in", "on", "at", "from", "against", "after", "by"}
ROLES = ("A", "D", "P", "S")

_THAT = Choice([("that", 7.0), ("", 3.0)])
_WHETHER = Choice([("whether", 6.0), ("if", 4.0)])


def say_english(clause: Clause, form: str, out: Tokens, draw: Draw) -> None:
    """Say a clause; `form` is statement, question, to, gerund or imperative."""
    later = bool(out.words)
    plan = Plan(clause, form, later, draw)
    for adverbial, words in plan.front:
        adverbial.english(words, out, draw)
        comma = FRONT_COMMA.get(adverbial.kind, 0.7)
        if not later and out.words[-1] not in ("maybe", "perhaps") and draw() < comma:
            out.comma()
    gap = clause.gap
    if isinstance(clause.topic, Adverbial) and clause.topic.kind == "wh":
        clause.topic.english(clause.topic.choose(draw)[0], out, draw)
    elif gap is not None and gap is not plan.subject:
        gap.english(False, out, draw)
    _subject_and_verb(clause, plan, out, draw)
    _rest(clause, plan, out, draw)
    agent = plan.roles["S"]
    if plan.passive and agent is not None:
        out.put("by", clause.anchor + PREPOSITION)
        agent.english(False, out, draw)
    _end(plan, out, draw)


def _subject_and_verb(clause: Clause, plan: Plan, out: Tokens, draw: Draw) -> None:
    """Say front helper, subject, `not`, middle adverbials and the verb, in the order of the form."""
    no = plan.not_anchor(clause) if plan.negated else NOTHING
    if plan.form in INFINITE:
        _infinite(clause, plan, out)
        return
    if plan.inverted:
        _operator(plan, no, out)
    if plan.dummy:
        out.put(plan.dummy, clause.anchor + DUMMY)
    elif plan.subject_word:
        out.put(plan.subject_word, plan.subject.anchor)
    else:
        plan.subject.english(True, out, draw)
    if plan.operator and not plan.inverted:
        if plan.negated:
            _middle(plan, "sentence", out, draw)
        _operator(plan, no, out)
    if plan.negated and not plan.contracted:
        out.put("not", no)
    _middle(plan, "", out, draw)
    for i in range(1 if plan.operator else 0, len(plan.group)):
        out.put(plan.group[i][0], plan.anchors[i])


def _infinite(clause: Clause, plan: Plan, out: Tokens) -> None:
    """Say `to read`, `reading`, `read`."""
    if plan.form == "to":
        out.put("to", clause.anchor)
    for (word, _), anchor in zip(plan.group, plan.anchors, strict=True):
        out.put(word, anchor)


def _operator(plan: Plan, no: int, out: Tokens) -> None:
    word = plan.group[0][0]
    if plan.contracted:
        out.put(CONTRACTED[word], plan.anchors[0])
        out.put("n't", no)
    else:
        out.put(word, plan.anchors[0])


def _middle(plan: Plan, kind: str, out: Tokens, draw: Draw) -> None:
    """Say the middle adverbials of a kind, or all that are left: `probably does not`, `does not often`."""
    if plan.middle:
        for adverbial, words in plan.middle:
            if kind in ("", adverbial.kind):
                adverbial.english(words, out, draw)
        plan.middle = [placed for placed in plan.middle if kind not in ("", placed[0].kind)]


def _end(plan: Plan, out: Tokens, draw: Draw) -> None:
    """Say the adverbials of the end, if that was not done before a clause that is longer still."""
    for adverbial, words in plan.end:
        adverbial.english(words, out, draw)
    plan.end = []


def _rest(clause: Clause, plan: Plan, out: Tokens, draw: Draw) -> None:
    """Say what follows the verb, role by role."""
    rest = plan.pattern.rest
    particle = ""
    for i, item in enumerate(rest):
        if item in ROLES:
            _role(clause, plan, item, particle, out, draw=draw)
            particle = ""
        elif item[0] == "~":
            particle = item[1:]
        elif item == "L" and clause.place is not None:
            clause.place.english(out, draw)
        elif item == "K" and clause.predicate is not None:
            clause.predicate.english(plan.plural, out, draw)
        elif item.endswith("'s"):
            owner = plan.roles[item[0]]
            assert owner is not None
            say_possessor(owner, NOTHING, out, draw)
        elif item in ("C", "Z", "Zing"):
            _end(plan, out, draw)
            _complement(clause, item, out, draw)
        else:
            _word(clause, plan, i, out)


def _role(clause: Clause, plan: Plan, role: str, particle: str, out: Tokens, *, draw: Draw) -> None:
    """Say a role and a particle, which follows pronouns and sometimes other phrases: `pick it up`."""
    nominal = plan.roles.get(role)
    said = nominal is not None and nominal is not clause.gap and not (plan.passive and role in "AS")
    if particle and not (said and nominal is not None and _goes_before_particle(nominal, draw)):
        out.put(particle, clause.anchor)
        particle = ""
    if said and nominal is not None:
        nominal.english(False, out, draw, role == "A" and plan.negated)
    if particle:
        out.put(particle, clause.anchor)


def _goes_before_particle(nominal: Nominal, draw: Draw) -> bool:
    if isinstance(nominal, NounPhrase) and (nominal.after is not None or nominal.genitive is not None):
        return False
    return nominal.light or draw() < PARTICLE_LAST


def _word(clause: Clause, plan: Plan, i: int, out: Tokens) -> None:
    """Say a fixed word of a pattern; a preposition before a role belongs to the German one."""
    item, following = plan.pattern.rest[i], plan.pattern.rest[i + 1 : i + 2]
    personal = PERSONAL[1 if plan.subject_word == "you" else plan.subject.english_pronoun]
    if item == "ones":
        out.put(personal.english_possessive, clause.anchor)
    elif item == "self":
        out.put(personal.english_reflexive, clause.anchor)
    elif item in PREPOSITIONS and following == ("P",):
        out.put(item, clause.anchor + PREPOSITION)
    elif item == "to" and following == ("D",):
        out.put(item, NOTHING)
    else:
        out.put(item, clause.anchor)


def _complement(clause: Clause, item: str, out: Tokens, draw: Draw) -> None:
    complement = clause.complement
    assert complement is not None
    if item != "C":
        say_english(complement, "to" if item == "Z" else "gerund", out, draw)
        return
    word = (_WHETHER if clause.verb.clause == "ob" else _THAT)(draw)
    if complement.adverbials and not word:
        word = "that"
    if word:
        out.put(word, complement.anchor + CONJUNCTION)
    say_english(complement, "statement", out, draw)
