"""Drawing sentences: the start of every derivation."""

from __future__ import annotations

from collections.abc import Callable

from tunesmith.generated.draw import Choice, zipf
from tunesmith.generated.grammar.adverbial import Adverbial, Fixed
from tunesmith.generated.grammar.clause import Clause
from tunesmith.generated.grammar.derivation import DEPTH, Derivation
from tunesmith.generated.grammar.derive_adverbial import DURATIVE
from tunesmith.generated.grammar.derive_clause import (
    again,
    draw_clause,
    draw_infinitive,
    pick_verb,
)
from tunesmith.generated.grammar.determiner import DETERMINERS
from tunesmith.generated.grammar.nominal import Nominal, Pronoun, Silent, Wh
from tunesmith.generated.grammar.noun_phrase import ANCHORS as NOUN_ANCHORS
from tunesmith.generated.grammar.noun_phrase import NounPhrase
from tunesmith.generated.grammar.sentence import (
    Coordinated,
    Imperative,
    Purpose,
    Question,
    Saying,
    Sentence,
    Statement,
    Subordinated,
)
from tunesmith.generated.lexicon.entries import Words
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.lexicon.read_nouns import words_choice
from tunesmith.generated.lexicon.rows import columns
from tunesmith.generated.lexicon.tables.function_words import (
    COORDINATORS,
    INFINITIVE_CONJUNCTIONS,
    SUBORDINATORS,
)

__all__ = ["draw_sentence"]

FRONTED = 0.3
SAME_SUBJECT = 0.45
PLEASE = 0.6
ASK_SUBJECT, ASK_OBJECT = 0.25, 0.35
ASK_WHICH = 0.4

_COORDINATORS: Choice[tuple[str, bool, Choice[Words]]] = Choice(
    zipf([(word, bool(comma), words_choice(english)) for word, comma, english in columns(COORDINATORS, 3)])
)
_AND = (("und", False, words_choice("and")), ("aber", True, words_choice("but")))
_SUBORDINATORS: Choice[tuple[str, str, Choice[Words]]] = Choice(
    zipf([(word, time, words_choice(english)) for word, time, english in columns(SUBORDINATORS, 3)], 2)
)
_INFINITIVES: Choice[tuple[str, Choice[Words], bool]] = Choice(
    zipf([(w, words_choice(english), bool(ing)) for w, english, ing in columns(INFINITIVE_CONJUNCTIONS, 3)])
)
_PLAIN = ("wenn", "falls", "sobald", "bevor", "bis", "damit", "als", "während", "nachdem")
_TEMPORAL = ("als", "bevor", "bis", "während", "nachdem")
_STEADY = ("wenn", "falls", "sobald", "bevor", "bis", "nachdem", "damit")
_AFFIRMATIVE = ("bevor", "bis", "sobald", "nachdem")
_PAST = ("past", "perfect", "pluperfect")


def draw_sentence(state: Derivation) -> Sentence:
    """Draw the tree of a sentence."""
    return _KINDS(state.draw)(state)


def _statement(state: Derivation) -> Sentence:
    return Statement(draw_clause(state, main=True))


def _polar(state: Derivation) -> Sentence:
    return Question(draw_clause(state, depth=1, question=True), wh=False)


def _saying(state: Derivation) -> Sentence:
    expression = lexicon().phrases(state.draw)
    return Saying(expression, state.anchors(expression.width))


def _long(state: Derivation) -> Sentence:
    first = _subordinated(state, depth=1)
    second = Statement(draw_clause(state, depth=1, main=True))
    return Coordinated(first, second, _AND[int(state.draw() * 2)], state.anchors())


def _time(clause: Clause) -> str:
    return "past" if clause.tense in _PAST else "present"


def _subordinated(state: Derivation, depth: int = 0) -> Sentence:
    conjunction, time, english = _SUBORDINATORS(state.draw)
    fronted = state.draw() < FRONTED
    asked = {"past": "past", "before": "past", "present": "present"}.get(time, "")
    verb = pick_verb(state, depth=depth, clause=False)
    main = draw_clause(state, depth=depth, verb=verb, time=asked, main=not fronted)
    same = again(state, main.subject) if state.draw() < SAME_SUBJECT and main.verb.subject != "es" else None
    when = "before" if time == "before" else _time(main) if time == "same" else time
    sub = draw_clause(state, depth=1, subject=same, time=when, affirmative=conjunction in _AFFIRMATIVE)
    past = _time(sub) == "past"
    sub.plain = past or conjunction in _PLAIN
    main.steady = conjunction in _STEADY
    if main.steady:
        # `He sleeps right now as soon as` makes no sense.
        main.adverbials = [a for a in main.adverbials if a.when not in ("now", "since")]
        if isinstance(main.topic, Adverbial) and main.topic not in main.adverbials:
            main.topic = ""
    main.plain = past and conjunction in _TEMPORAL
    return Subordinated(main, sub, (conjunction, english), fronted)


def _coordinated(state: Derivation) -> Sentence:
    conjunction = _COORDINATORS(state.draw)
    first = draw_clause(state, depth=1, main=True, verb=pick_verb(state, depth=1, clause=False))
    same = again(state, first.subject) if state.draw() < SAME_SUBJECT and first.verb.subject != "es" else None
    second = draw_clause(state, depth=1, subject=same, main=True, time=_time(first))
    first.plain = second.plain = _time(first) == "past"
    return Coordinated(Statement(first), Statement(second), conjunction, state.anchors())


def _shared(state: Derivation) -> Sentence:
    """Draw one subject that does two things: `Er kauft das Buch und liest es`."""
    while True:
        verb = pick_verb(state, depth=1, clause=False, swap=False)
        first = draw_clause(state, depth=1, verb=verb, active=True)
        if verb.subject != "es" and again(state, first.subject) is not None:
            break
    verb = pick_verb(state, first.subject, depth=1, swap=False)
    second = draw_clause(state, depth=1, subject=Silent(first.subject), verb=verb, time=_time(first))
    first.plain = second.plain = _time(first) == "past"
    first.steady = second.steady = True
    conjunction = _AND[state.draw() < 0.15]
    return Coordinated(Statement(first), Statement(second), conjunction, state.anchors())


def _purpose(state: Derivation) -> Sentence:
    verb = pick_verb(state, clause=False, swap=False, agentive=True)
    main = draw_clause(state, verb=verb, main=True, active=True)
    return Purpose(main, draw_infinitive(state, main.subject, DEPTH), _INFINITIVES(state.draw))


def _imperative(state: Derivation) -> Sentence:
    you = Pronoun(8, 8, state.anchors())
    clause = draw_infinitive(state, you, 1, predicate=False)
    clause.subject = you
    return Imperative(clause, state.anchors() if state.draw() < PLEASE else None)


def _wh(state: Derivation) -> Sentence:
    """Draw a question for the subject, the object, or an adverbial."""
    kind = state.draw()
    if kind < ASK_SUBJECT:
        who = Wh(False, state.anchors())
        clause = draw_clause(state, depth=1, subject=who, verb=pick_verb(state, who, depth=1), question=True)
        clause.gap = who
    elif kind < ASK_SUBJECT + ASK_OBJECT:
        clause = _object_question(state)
    else:
        expression = lexicon().questions(state.draw)
        verb = pick_verb(state, depth=1, agentive=True)
        clause = draw_clause(state, depth=1, verb=verb, active=True, question=True)
        while not _askable(clause, [word for word, _ in expression.german]):
            expression = lexicon().questions(state.draw)
        clause.adverbials = [
            a for a in clause.adverbials if a.kind not in ("time", "frequency", "place", "reason")
        ]
        clause.topic = Fixed(expression, state.anchors(expression.width))
    return Question(clause, wh=True)


def _askable(clause: Clause, words: list[str]) -> bool:
    """Tell whether it makes sense to ask: not for a place that is said, nor how long a moment lasts."""
    if words == ["wo"]:
        return clause.place is None
    return words != ["wie", "lange"] or clause.verb.lemma in DURATIVE


def _object_question(state: Derivation) -> Clause:
    """Draw `was`, `wen` or `welches Buch` as the object."""
    verb = pick_verb(state, depth=1, clause=False)
    slot = next((slot for slot in verb.slots if slot.role == "A"), None)
    while slot is None or verb.subject == "es":
        verb = pick_verb(state, depth=1, clause=False)
        slot = next((slot for slot in verb.slots if slot.role == "A"), None)
    selection = lexicon().select(slot.nouns)
    assert selection.nouns is not None
    if state.draw() < ASK_WHICH:
        noun = selection.nouns(state.draw)
        gap: Nominal = NounPhrase(
            noun, noun.number == "plural", DETERMINERS["welcher"], state.anchors(NOUN_ANCHORS)
        )
    else:
        gap = Wh(not selection.person, state.anchors())
    return draw_clause(state, depth=1, verb=verb, accusative=gap, question=True)


_KINDS: Choice[Callable[[Derivation], Sentence]] = Choice(
    {
        _statement: 48.0,
        _subordinated: 17.0,
        _coordinated: 9.0,
        _shared: 6.0,
        _polar: 5.0,
        _wh: 5.0,
        _purpose: 4.0,
        _imperative: 2.5,
        _long: 2.0,
        _saying: 1.5,
    }.items()
)
"""The kinds of sentences and their weights."""
