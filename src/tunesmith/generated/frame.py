"""What a clause is made of: the slots of a verb's frame and the adverbials around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from tunesmith.generated import nominal as noun_phrases
from tunesmith.generated.draw import Choice, weighted
from tunesmith.generated.english import comparative
from tunesmith.generated.lexicon import Adverb, Slot, Verb, choice, equations
from tunesmith.generated.nominal import CASES, NOM, Derivation, Nominal, nominal, noun_phrase, prepositional
from tunesmith.generated.tokens import Phrase, Say, Token, aligned, literal, said, sequence
from tunesmith.generated.verb_group import Time
from tunesmith.generated.words import PARTICLES, PREPOSITIONS

__all__ = ["Clause", "fill", "modify"]

REFLEXIVES = {0: "mich", 1: "dich", 3: "uns", 4: "euch"}
CIRCUMSTANCES = Choice(((left, choice(right)), 1.0) for left, right in equations(PREPOSITIONS))
ANY, PAST = "time any 12; sentence any 9", "time past 8; year past 8"
ALWAYS = "time habit 3; often habit 5"
ADVERBS = {
    "present": weighted(f"{ANY}; {ALWAYS}; time future 4"),
    "past": weighted(f"{ANY}; {ALWAYS}; {PAST}"),
    "perfect": weighted(f"{ANY}; {PAST}"),
    "pluperfect": weighted(f"{ANY}; {PAST}"),
    "future": weighted(f"{ANY}; time future 6"),
}
"""Kinds of adverbials by German tense."""


@dataclass
class Clause:
    """A clause in the making: German slots, English roles, and adverbials with their English positions."""

    state: Derivation
    kind: str
    verb: Verb
    time: Time
    subject: Nominal
    main: int
    aux: int
    roles: dict[str, Say] = field(default_factory=dict)
    nominals: dict[str, Nominal] = field(default_factory=dict)
    slots: dict[str, list[Token]] = field(default_factory=dict)
    adverbs: list[tuple[Say, str]] = field(default_factory=list)
    preposition: int = 0
    negation: int = 0
    denied: bool = False
    """Whether anything is negated, by `nicht` or `kein`."""
    dated: bool = False
    when: str = "any"
    first: int = 0
    """Number of words of the first adverbial."""

    def put(self, slot: str, role: str, phrase: Phrase) -> None:
        """Say a phrase in a German slot and, if it has one, in an English role."""
        self.slots.setdefault(slot, []).extend(phrase.german)
        if role:
            self.roles[role] = phrase.english

    def say(self, slot: str, text: str, *anchors: int) -> None:
        """Say words of the German only, or that the English finds by their anchors."""
        self.slots.setdefault(slot, []).extend(said(text, *anchors))


def fill(clause: Clause, *, negated: bool) -> None:
    """Fill the slots of the frame; `kein` goes into the object, `nicht` has its own slot."""
    state, clause.denied = clause.state, negated
    for word in clause.verb.fixed:
        if word == "sich":
            clause.say("P", REFLEXIVES.get(clause.subject.person, "sich"), clause.main)
        else:
            clause.say("X", word, clause.main)
    for slot in clause.verb.slots:
        if slot.role in clause.roles:
            continue
        if slot.role in ("A", "D"):
            negated = _object(clause, slot, negated=negated)
        elif slot.role == "P":
            phrase, clause.preposition = nominal(state, slot.spec, CASES[slot.case]), state.anchor()
            clause.put("X", "P", prepositional(slot.preposition, clause.preposition, literal(""), phrase))
        elif slot.role in ("loc", "dir"):
            clause.put("X", "L", _place(state, slot.spec, direction=slot.role == "dir"))
        elif slot.role in ("adj", "state", "nom"):
            clause.put("X", "K", _predicate(clause, slot.role))
    if negated:
        clause.negation = state.anchor()
        clause.say("N", "nicht", clause.negation)


def _object(clause: Clause, slot: Slot, *, negated: bool) -> bool:
    """Draw an object, and tell whether the clause is still to be negated."""
    state = clause.state
    noun = state.words.choose(slot.spec)(state.draw)
    if negated and slot.role == "A" and noun.gender.islower() and noun.gender != "c":
        phrase, negated = noun_phrase(state, noun, CASES["A"], noun_phrases.NO), False
    else:
        phrase = nominal(state, slot.spec, CASES[slot.role])
    clause.nominals[slot.role] = phrase
    clause.put("P" if phrase.pronoun else slot.role, slot.role, phrase)
    return negated


def _place(state: Derivation, spec: str, *, direction: bool) -> Phrase:
    """Draw a place, or a direction: prepositions depend on the noun."""
    noun = state.words.choose(spec or "building+place+city")(state.draw)
    german, english = "auf", "on"
    if noun.gender == "c":
        german, english = ("nach", "to") if direction else ("in", "in")
    elif noun.where:
        german, english = noun.where[direction], noun.where[2 + direction]
    case = CASES["A" if direction and german != "zu" else "D"]
    anchor, phrase = state.anchor(), nominal(state, noun.lemma, case)
    return prepositional(german, anchor, literal(english, anchor), phrase)


def _predicate(clause: Clause, role: str) -> Phrase:
    """Draw a predicate: `Lehrer`, `alt`, `sehr alt`, or `älter als mein Bruder`."""
    state = clause.state
    if role == "nom":
        noun, plural = state.words.choose("job")(state.draw), clause.subject.person > 2
        return noun_phrase(state, noun, NOM, noun_phrases.A, plural)
    own = clause.subject.noun
    noun = own if own and own.gender != "c" and role != "state" else state.words.nouns["Mann"]
    entry = choices(state.draw) if (choices := state.words.adjectives(noun.lemma)) else None
    if entry and entry.comparative and role == "adj" and state.chance(0.12):
        other, anchor, than = nominal(state, noun.kind, NOM), state.anchor(), literal("than", state.anchor())
        german = [*said(entry.comparative, anchor), *said("als", anchor + 1), *other.german]
        more: Say = lambda draw: said(comparative(entry.english(draw)), anchor)  # noqa: E731
        return Phrase(german, sequence(more, than, other.english))
    parts = noun_phrases.adjective(state, noun, None, state_only=role == "state")
    german = [token for part in parts for token in part.german]
    return Phrase(german, sequence(*(part.english for part in parts)))


def modify(clause: Clause) -> None:
    """Draw adverbials that go with the tense, a particle, a place and a circumstance."""
    state, group = clause.state, clause.verb.group
    rich = clause.kind in ("main", "clause first", "subordinate")
    for probability in (0.4, 0.12):
        if state.chance(probability):
            kind, when = ADVERBS[clause.time.tense](state.draw).split()
            dated = kind != "sentence"
            denied = kind == "often" and clause.denied
            if (rich or kind == "time") and not denied and not (dated and clause.dated):
                clause.when, clause.dated = when if dated else clause.when, dated or clause.dated
                _say_adverb(clause, "T", state.words.adverbs[kind, when](state.draw))
    if rich and state.chance(0.06):
        clause.say("T", PARTICLES.split()[int(state.draw() * 5)])
    if group in ("intransitive", "motion", "transitive", "ditransitive") and state.chance(0.08):
        _say_adverb(clause, "M", state.words.adverbs["manner", "any"](state.draw))
    if group not in ("placed", "motion", "copula", "idioms", "weather"):
        if state.chance(0.12):
            _say_phrase(clause, _place(state, "", direction=False), "E")
        if state.chance(0.1):
            _say_phrase(clause, _circumstance(state), "EEF")


def _circumstance(state: Derivation) -> Phrase:
    left, english = CIRCUMSTANCES(state.draw)
    german, spec = left.split()
    word, case = german.split(".")
    anchor, phrase = state.anchor(), nominal(state, spec, CASES[case])
    return prepositional(word, anchor, lambda draw: said(english(draw), anchor), phrase)


def _say_adverb(clause: Clause, slot: str, adverb: Adverb) -> None:
    count, first = len(adverb.german), clause.state.anchors(len(adverb.german))
    clause.put(slot, "", Phrase(aligned(adverb.german, count, first), literal("")))
    clause.first = clause.first or count
    clause.adverbs.append((lambda draw: aligned(adverb.english(draw).split(), count, first), adverb.places))


def _say_phrase(clause: Clause, phrase: Phrase, places: str) -> None:
    clause.put("M", "", phrase)
    clause.adverbs.append((phrase.english, places))
