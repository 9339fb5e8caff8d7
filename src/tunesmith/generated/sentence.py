"""Sentences: one clause or two, a question, a command, or a phrase of its own."""

from __future__ import annotations

from tunesmith.generated.clause import TENSES, clause, draw_verb, relativize
from tunesmith.generated.draw import Choice, Draw, weighted
from tunesmith.generated.lexicon import choice, equations
from tunesmith.generated.nominal import Derivation
from tunesmith.generated.tokens import COMMA, Phrase, Say, Token, aligned, literal, punctuated, said, sequence
from tunesmith.generated.verb_group import Time
from tunesmith.generated.words import CONJUNCTIONS, PHRASES, QUESTIONS

__all__ = ["LONGEST", "derive"]

LONGEST = 40
"""Sentences with more German words than this are drawn again."""

KINDS = weighted("main 46; question 7; word 4; pair 12; after 15; before 8; aim 5; command 2; phrase 2")
MARKS = {"question": "?", "word": "?", "command": "!", "phrase": ""}
SUBORDINATORS = [(left.split(), choice(right)) for left, right in equations(CONJUNCTIONS)]
COORDINATORS = weighted("und and 6; aber but 4; oder or 1; denn because 2")
TIMES = {
    "present": {"same": ["present"], "present": ["present"]},
    "past": {"same": ["past", "perfect"], "past": ["past"], "before": ["pluperfect"]},
}
"""The tenses of adverbial clauses, by the time of the main clause and of the conjunction."""
QUESTION_WORDS, FIXED = equations(QUESTIONS), equations(PHRASES)


def derive(draw: Draw) -> tuple[list[Token], Say]:
    """Draw a sentence: its German words, and how to say it in English."""
    while True:
        kind = KINDS(draw)
        mark = (MARKS.get(kind, "."), (0,))
        phrase = _sentence(Derivation(draw, relativize), kind)
        if kind == "phrase":
            return phrase.german, phrase.english
        german = punctuated(phrase.german, mark)
        if len(german) <= LONGEST:
            return german, _marked(phrase.english, mark)


def _marked(english: Say, mark: Token) -> Say:
    return lambda draw: punctuated(english(draw), mark)


def _sentence(state: Derivation, kind: str) -> Phrase:
    if kind == "phrase":
        german, english = FIXED[int(state.draw() * len(FIXED))]
        words, wordings = german.split(), choice(english)
        return Phrase(
            aligned(words, len(words), 0), lambda draw: aligned(wordings(draw).split(), len(words), 0)
        )
    if kind == "word":
        german, english = QUESTION_WORDS[int(state.draw() * len(QUESTION_WORDS))]
        anchor = state.anchor()
        return clause(state, "question", word=Phrase(said(german, anchor), literal(english, anchor)))
    if kind == "pair":
        (german, english), anchor = COORDINATORS(state.draw).split(), state.anchor()
        comma = "," if german in ("aber", "denn") else ""
        first, second = clause(state, "main"), clause(state, "main")
        link = sequence(literal(comma), literal(english, anchor))
        tokens = [*first.german, *said(comma), (german, (anchor,)), *second.german]
        return Phrase(tokens, sequence(first.english, link, second.english))
    if kind == "aim":
        return _aim(state)
    return _subordinated(state, kind) if kind in ("after", "before") else clause(state, kind)


def _aim(state: Derivation) -> Phrase:
    main, anchor = clause(state, "main", verb=draw_verb(state, plain=True)), state.anchor()
    state.depth += 1
    aim, order = clause(state, "infinitive"), Choice([("", 5.0), ("in order", 2.0)])
    english = sequence(main.english, lambda draw: said(order(draw), anchor), aim.english)
    return Phrase([*main.german, COMMA, ("um", (anchor,)), *aim.german], english)


def _subordinated(state: Derivation, kind: str) -> Phrase:
    """Draw a main clause with an adverbial clause after or before it."""
    tense = TENSES(state.draw)
    times = TIMES["present" if tense in ("present", "future") else "past"]
    fitting = [entry for entry in SUBORDINATORS if entry[0][1] in times]
    (german, when), english = fitting[int(len(fitting) * state.draw() ** 1.5)]
    anchor = state.anchor()
    main = clause(state, "clause first" if kind == "before" else "main", time=Time(tense))
    state.depth += 1
    sub = clause(state, "subordinate", time=Time(times[when][int(state.draw() * len(times[when]))]))
    source = [(german, (anchor,)), *sub.german]
    said_sub = sequence(lambda draw: said(english(draw), anchor), sub.english)
    last = sequence(main.english, said_sub)
    if kind == "after":
        return Phrase([*main.german, COMMA, *source], last)
    first = sequence(said_sub, literal(","), main.english)
    return Phrase([*source, COMMA, *main.german], lambda draw: (first if draw() < 0.7 else last)(draw))
