"""Clauses: a rule per kind orders the slots of both languages.

German verbs are discontinuous, so that this is a parallel multiple context-free grammar, Seki et al. (1991).
"""

from __future__ import annotations

from tunesmith.generated.draw import Choice, Draw, weighted
from tunesmith.generated.frame import Clause, fill, modify
from tunesmith.generated.german import ENDINGS
from tunesmith.generated.lexicon import Noun, Verb
from tunesmith.generated.nominal import NOM, Derivation, Nominal, nominal
from tunesmith.generated.tokens import COMMA, Phrase, Say, Token, literal, said, sequence
from tunesmith.generated.verb_group import MODAL_NAMES, Time, english_chain, english_form, german_group

__all__ = ["TENSES", "clause", "draw_verb", "relativize"]

RULES = {
    "main": ("S V P T D A N M X E C", "F S Q B N M V E C"),
    "adverb first": ("T V S P U D A N M X E C", "F S Q B N M V E C"),
    "object first": ("A V S P T D N M X E C", "F S Q B N M V E C"),
    "clause first": ("V S P T D A N M X E C", "S Q B N M V E C"),
    "question": ("W V S P T D A N M X E C", "W B S N M V E C"),
    "command": ("V S P T D A N M X E C", "B N M V E C"),
    "subordinate": ("S P T D A N M X E V C", "S Q B N M V E C"),
    "relative": ("W S P T D A N M X E V C", "W S Q B N M V E C"),
    "infinitive": ("P T D A N M X E C", "N B M V E C"),
}
"""Slots in German: Subject, Verb, Pronouns, Time and sentence adverbials (U those that are left), Dative,
Accusative, Not, Manner, the rest of the predicate (X), End of the verb, Clause, question or relative Word.
In English: adverbials in Front, before the auxiliary (Q), in the Middle and at the End, auxiliary (B), verb
with its objects (V), and the others as in German."""

PLAIN = "intransitive 12; motion 8; placed 8; transitive 30; ditransitive 9; prepositional 11"
PLAIN_GROUPS = weighted(PLAIN)
GROUPS = weighted(f"{PLAIN}; copula 9; dative 6; clausal 11; idioms 3; weather 1")
TENSES = weighted("present 38; past 26; perfect 28; future 8")
SHORTENED = (
    "do",
    "does",
    "did",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "could",
    "would",
    "should",
)
PERSONAL = ("person", "animate", "actor", "human")
EMPTY = literal("")


def clause(
    state: Derivation,
    kind: str,
    *,
    time: Time | None = None,
    verb: Verb | None = None,
    subject: Nominal | None = None,
    word: Phrase | None = None,
) -> Phrase:
    """Draw a clause; a question or a relative one may begin with a word, which is an object if no subject."""
    verb = verb or draw_verb(state, plain=kind in ("infinitive", "command"))
    time = _changed(state, kind, verb, time or Time(TENSES(state.draw)))
    filled = time.passive or (kind == "relative" and not subject)
    subject = subject or _subject(state, kind, verb, time)
    made = Clause(state, kind, verb, time, subject, state.anchor(), state.anchor())
    if filled:
        made.roles["A"] = EMPTY
    if word:
        made.put("W", "W", word)
    quiet = kind == "command" or bool(verb.fixed) or subject.pronoun == "niemand"
    fill(made, negated=not quiet and state.chance(0.12))
    modify(made)
    _complement(made)
    return Phrase(_german(made), _english(made))


def draw_verb(state: Derivation, *, plain: bool) -> Verb:
    """Draw a verb; a plain one has a person as its subject, who may be left out."""
    while True:
        verb = state.words.verbs[(PLAIN_GROUPS if plain else GROUPS)(state.draw)](state.draw)
        if (not plain or verb.subject in PERSONAL) and (state.depth == 0 or verb.group != "clausal"):
            return verb


def _changed(state: Derivation, kind: str, verb: Verb, time: Time) -> Time:
    """Draw a modal verb or the passive."""
    if kind in ("command", "infinitive"):
        return Time("present")
    simple = time.tense in ("present", "past")
    if simple and verb.subject in PERSONAL and not verb.fixed and state.chance(0.17):
        return Time(time.tense, MODAL_NAMES[int(state.draw() * len(MODAL_NAMES))])
    return Time(time.tense, "", verb.passive and kind != "relative" and state.chance(0.1))


def _subject(state: Derivation, kind: str, verb: Verb, time: Time) -> Nominal:
    if kind in ("infinitive", "command"):
        return Nominal(said("Sie" if kind == "command" else ""), EMPTY, EMPTY, 5, 1)
    if verb.subject == "es":
        it = literal("it", anchor := state.anchor())
        return Nominal(said("es", anchor), it, it)
    return nominal(state, verb.slots[0].spec if time.passive else verb.subject, NOM)


def _complement(made: Clause) -> None:
    """Draw the clause that the verb asks for."""
    role = made.verb.slots[-1].role if made.verb.slots else ""
    if role not in ("dass", "ob", "zu"):
        return
    made.state.depth += 1
    inner = clause(made.state, "infinitive" if role == "zu" else "subordinate")
    made.state.depth -= 1
    anchor = made.state.anchor()
    that = Choice(
        (option, 1.0) for option in {"dass": ["that", ""], "ob": ["whether", "if"], "zu": [""]}[role]
    )
    german = [COMMA, *said(role if role != "zu" else "", anchor), *inner.german, COMMA]
    made.put("C", "C", Phrase(german, sequence(lambda draw: said(that(draw), anchor), inner.english)))


def _german(made: Clause) -> list[Token]:
    """Put the slots in order; a main clause may begin with an adverbial or an object."""
    slots, forms = made.slots, made.verb.paradigm
    finite, end = german_group(made.verb, made.time, made.subject.person, made.main, made.aux)
    made.put("S", "", made.subject)
    if made.kind == "main" and "T" in slots and made.first and made.state.chance(0.45):
        made.kind = "adverb first"
        slots["T"], slots["U"] = slots["T"][: made.first], slots["T"][made.first :]
    elif made.kind == "main" and slots.get("A") and made.state.chance(0.06):
        made.kind = "object first"
    if made.kind == "infinitive":
        zu, *verb = forms.zu.split()
        finite, end = (
            [],
            [*said(zu, made.aux, *([] if verb else [made.main])), *said(" ".join(verb), made.main)],
        )
    elif made.kind == "command":
        finite = said(forms.present[5], made.main)
    elif "E V" in RULES[made.kind][0] and end and end == said(forms.prefix, made.main):
        finite, end = said(forms.prefix + finite[0][0], made.main), []
    slots |= {"V": finite, "E": end}
    return [token for slot in RULES[made.kind][0].split() for token in slots.get(slot, [])]


def _english(made: Clause) -> Say:
    """Say a pattern of the verb with its roles, and the adverbials in places that they may have."""
    order = RULES[made.kind][1].split()
    nominals = {"S": made.subject, **made.nominals}

    def say(draw: Draw) -> list[Token]:
        pattern = made.verb.patterns(draw)
        role = pattern[0] if pattern[0] in ("S", "D", "it", "there") else ""
        base, *rest = pattern[1:] if role else pattern
        subject = nominals["A" if role == "there" else role if role in nominals else "S"]
        parts = _places(made, order, draw) | _chain(made, base, subject.agreement, draw)
        parts["S"] = said("there", made.main) if role == "there" else subject.subject(draw)
        parts["V"] += _rest(made, rest, draw)
        parts |= {letter: made.roles[letter](draw) for letter in "CW" if letter in made.roles}
        return [token for letter in order for token in parts.get(letter, [])]

    return say


def _places(made: Clause, order: list[str], draw: Draw) -> dict[str, list[Token]]:
    """Put adverbials in front, before the auxiliary if the clause is negated, in the middle or at the end."""
    parts: dict[str, list[Token]] = {letter: [] for letter in "FQME"}
    for number, (adverb, places) in enumerate(made.adverbs):
        place = places[int(draw() * len(places))]
        if number == 0 and made.kind == "adverb first" and "F" in places and draw() < 0.6:
            place = "F"
        if place == "F" and ("F" not in order or parts["F"]):
            place = "M" if "M" in places else "E"
        if place == "M" and made.negation and "Q" in order:
            place = "Q"
        pause = [COMMA] if place == "F" and draw() < 0.6 else []
        parts[place] = [*adverb(draw), *pause, *parts[place]]
    return parts


def _chain(made: Clause, base: str, agreement: int, draw: Draw) -> dict[str, list[Token]]:
    """Say auxiliaries and the verb, with `not` between them."""
    time, negated = made.time, bool(made.negation)
    first, rest = ["to"] if made.kind == "infinitive" else [], [base]
    if made.kind not in ("infinitive", "command"):
        when = "habit" if made.kind in ("subordinate", "relative") else made.when
        form = english_form(time, base, when, draw, dated=made.dated)
        first, rest = english_chain(base, form, agreement, time, alone=negated or made.kind == "question")
    german = time.modal or time.passive or time.tense not in ("present", "past") or made.kind == "infinitive"
    chain: list[Token] = [(word, (made.aux if german else made.main,)) for word in (*first, *rest)]
    chain[-1] = (chain[-1][0], (made.main,) if chain[1:] else (made.main, made.aux))
    short = first and first[0] in SHORTENED and made.kind != "question" and draw() < 0.25
    no = said("n't" if short else "not", made.negation) if negated else []
    return {"B": chain[: len(first)], "V": chain[len(first) :], "N": no}


def _rest(made: Clause, words: list[str], draw: Draw) -> list[Token]:
    """Say what follows the verb in a pattern; a particle comes before or after the object."""
    out: list[Token] = []
    particle = ""
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word in ("A", "D", "P", "L", "K"):
            pronoun = word in made.nominals and bool(made.nominals[word].pronoun)
            parts = [said(particle, made.main), made.roles[word](draw)]
            later = particle and (pronoun or draw() < 0.5)
            out += [token for part in (reversed(parts) if later else parts) for token in part]
        elif word == "S":
            out += made.subject.english(draw)
        elif word[0] == "~":
            particle = word[1:]
        elif word not in ("C", "Z"):
            out.append((word, {"P": (made.preposition,), "D": ()}.get(following, (made.main,))))
    return out


def relativize(state: Derivation, noun: Noun, column: int, agreement: int) -> Phrase | None:
    """Draw a relative clause of a noun, in which it is the subject or the object."""
    for _ in range(6):
        verb = state.words.verbs[PLAIN_GROUPS(state.draw)](state.draw)
        if state.words.includes(verb.subject, noun) and state.chance(0.6):
            subject = Nominal([], EMPTY, EMPTY, 5 if column == 3 else 2, agreement, noun)
            return _relative(state, noun, column, verb, subject)
        alone = [slot.role for slot in verb.slots] == ["A"] and verb.subject != "es"
        if alone and state.words.includes(verb.slots[0].spec, noun):
            return _relative(state, noun, column, verb, None)
    return None


def _relative(state: Derivation, noun: Noun, column: int, verb: Verb, subject: Nominal | None) -> Phrase:
    words = ["who" if noun.kind in ("human", "kin", "job") else "which", "that", *([] if subject else [""])]
    which, anchor = Choice((word, 1.0) for word in words), state.anchor()
    state.depth += 1
    pronoun = said(ENDINGS["who"][column * 4 + (subject is None)], anchor)
    word = Phrase(pronoun, lambda draw: said(which(draw), anchor))
    phrase = clause(state, "relative", verb=verb, subject=subject, word=word)
    state.depth -= 1
    return phrase
