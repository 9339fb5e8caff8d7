"""Planning of English clauses before linearization: pattern, voice, subject, tense, adverbials.

Choices between English alternatives are drawn here or while phrases are linearized, so that one tree has
many translations.
"""

from __future__ import annotations

from tunesmith.generated.draw import Draw
from tunesmith.generated.grammar.adverbial import Adverbial, Fixed, position
from tunesmith.generated.grammar.clause import AUXILIARY, MODAL, NEGATION, Clause
from tunesmith.generated.grammar.english_verb import (
    CONTRACTED,
    LIKE,
    MODALS,
    english_tense,
    verb_group,
)
from tunesmith.generated.grammar.nominal import Nominal, One, Pair, Silent
from tunesmith.generated.grammar.noun_phrase import NounPhrase, Prepositional
from tunesmith.generated.grammar.predicate import Profession
from tunesmith.generated.grammar.tokens import Anchor
from tunesmith.generated.lexicon.entries import Pattern
from tunesmith.generated.lexicon.rows import Aligned
from tunesmith.generated.morphology.english import ENDURING

__all__ = ["INFINITE", "Placed", "Plan"]

ACTIVE_FOR_PASSIVE = 0.15
PASSIVE_FOR_MAN = 0.4
CONTRACT_NOT = 0.3
NO_FOR_NOT = 0.4

INFINITE = ("to", "gerund", "imperative")
"""Forms of a clause that do not say their subject; the others are statement and question."""

MANY = (5, 6, 7)
"""The pronouns of several: we, you, they."""

VOLITION = ("wollen", "möchten")
"""Modal verbs that only the one who acts can have."""

Placed = tuple[Adverbial, Aligned]


class Plan:
    """The decisions about one clause; reading them off in order says it."""

    __slots__ = (
        "agreement",
        "anchors",
        "contracted",
        "dummy",
        "end",
        "form",
        "front",
        "group",
        "inverted",
        "middle",
        "negated",
        "operator",
        "passive",
        "pattern",
        "plural",
        "roles",
        "subject",
        "subject_word",
        "when",
    )

    def __init__(self, clause: Clause, form: str, later: bool, draw: Draw) -> None:
        """Decide; `later` if words of the sentence come before the clause."""
        self.form = form
        self.pattern = _pattern(clause, draw)
        self._voice(clause, draw)
        self._subject(clause, draw)
        self._adverbials(clause, later, draw)
        self._verb(clause, draw)

    def _voice(self, clause: Clause, draw: Draw) -> None:
        self.roles: dict[str, Nominal | None] = {**clause.roles}
        if clause.passive:
            self.roles["A"], self.roles["S"] = clause.subject, clause.agent
            self.passive = clause.agent is None or draw() >= ACTIVE_FOR_PASSIVE
            return
        self.roles["S"] = clause.subject
        impersonal = isinstance(clause.subject, One) and self.pattern.passive and "A" in clause.roles
        willing = clause.modal in VOLITION or any(a.kind == "gern" for a in clause.adverbials)
        self.passive = impersonal and not willing and draw() < PASSIVE_FOR_MAN
        if self.passive:
            self.roles["S"] = None

    def _subject(self, clause: Clause, draw: Draw) -> None:
        role = "A" if self.passive else self.pattern.subject
        self.dummy = role if role in ("it", "there") else ""
        subject = self.roles["A" if role == "there" else "S" if role == "it" else role]
        assert subject is not None
        self.subject: Nominal = subject
        self.subject_word = ""
        self.agreement = 1 if self.dummy == "it" else subject.agreement
        if isinstance(subject, One) and not self.dummy:
            self.subject_word, self.agreement = subject.decide(draw)
        # `niemand wurde Lehrer` is said of one, though `they` takes `nobody` up.
        many = subject.english_pronoun in MANY and subject.agreement == 2
        self.plural = self.subject_word == "people" if self.subject_word else many
        self.inverted = self.form == "question" and (clause.gap is not subject or bool(self.dummy))

    def _adverbials(self, clause: Clause, later: bool, draw: Draw) -> None:
        """Choose a place for each adverbial: front, middle or end."""
        self.front: list[Placed] = []
        self.middle: list[Placed] = []
        self.end: list[Placed] = []
        self.when = _asked_time(clause)
        infinite = self.form in INFINITE
        bound = infinite or self.form == "question" or clause.gap is not None
        bound = bound or isinstance(clause.subject, Silent)
        heavy = _heavy(clause) and not (later and clause.plain)
        for adverbial in clause.adverbials:
            if adverbial.kind in ("time", "frequency"):
                self.when = adverbial.when if adverbial.when != "any" else "dated"
            if adverbial.kind == "gern":
                continue
            words, places = adverbial.choose(draw)
            place = position(places, adverbial is clause.topic, draw)
            if heavy and "F" in places:
                place = "F"
            elif heavy and "M" in places:
                place = "M"
            if place == "F" and (bound or ((later or self.front) and places != "F" and not heavy)):
                place = "E" if "E" in places else "M"
            if place == "M" and (infinite or (clause.negation and adverbial.kind == "manner")):
                place = "E"
            target = self.front if place == "F" else self.middle if place == "M" else self.end
            target.append((adverbial, words))
        for placed in (self.front, self.middle):
            if len(placed) > 1:
                placed.sort(key=_is_not_of_sentence)
        if len(self.end) > 1:
            self.end.sort(key=lambda placed: placed[0].last)

    def _verb(self, clause: Clause, draw: Draw) -> None:
        """Choose the words of the verb, and whether they say `not`."""
        if clause.negation == "kein" and not isinstance(clause.predicate, Profession):
            self.negated = draw() >= NO_FOR_NOT
        else:
            self.negated = bool(clause.negation)
        modal = self._modal(clause, draw)
        tense = self._tense(clause, bool(modal), draw)
        do = self.inverted or (self.negated and self.form not in INFINITE)
        self.group, self.operator = verb_group(
            self.pattern.forms, tense, self.agreement, self.passive, modal, do=do
        )
        self.anchors = _verb_anchors(clause, self.group)
        first = self.group[0][0]
        self.contracted = (
            self.negated
            and self.operator
            and self.form not in INFINITE
            and first in CONTRACTED
            and draw() < CONTRACT_NOT
        )

    def _modal(self, clause: Clause, draw: Draw) -> tuple[str, ...]:
        if clause.modal:
            column = (clause.tense != "present") + 2 * bool(clause.negation)
            return MODALS[clause.modal][column](draw)
        if any(adverbial.kind == "gern" for adverbial in clause.adverbials):
            return LIKE
        return ()

    def _tense(self, clause: Clause, modal: bool, draw: Draw) -> str:
        if self.form in INFINITE:
            return "gerund" if self.form == "gerund" else "base"
        if modal:
            return "past" if clause.tense in ("past", "perfect", "pluperfect") else "present"
        plain = clause.plain or (clause.tense == "perfect" and self._endures())
        simple = self.pattern.stative or clause.steady
        tense = english_tense(clause.tense, self.when, simple, plain, draw)
        return "perfect" if self.passive and tense == "perfect progressive" else tense

    def _endures(self) -> bool:
        """Tell whether the verb names a state, as in `knew`, of which nothing `has already` happened."""
        return self.pattern.forms.base in ENDURING and self.when not in ("done", "never")

    def not_anchor(self, clause: Clause) -> int:
        """Return what `not` expresses: `nicht`, or the `kein` of the object."""
        if clause.negation != "kein":
            return clause.anchor + NEGATION
        if clause.predicate is not None:
            return clause.predicate.anchor + 1
        return clause.roles["A"].anchor


def _is_not_of_sentence(placed: Placed) -> bool:
    """Sort key: `probably often`, `of course last week`."""
    return placed[0].kind != "sentence"


def _asked_time(clause: Clause) -> str:
    """Return the time that a question word asks for: `when did he`, `how long has he been`."""
    topic = clause.topic
    if not isinstance(topic, Fixed) or topic.kind != "wh":
        return "any"
    word = topic.expression.german[-1][0]
    if word == "lange" and clause.tense == "present":
        return "since"
    return "dated" if word in ("wann", "lange") else "any"


def _pattern(clause: Clause, draw: Draw) -> Pattern:
    """Draw a pattern; of two objects the one with a relative clause should come last.

    `drive` says what vehicle it is, so that another must be named with `go`.
    """
    pattern = clause.verb.english(draw)
    while pattern.forms.base == "drive" and any(a.kind == "vehicle" for a in clause.adverbials):
        pattern = clause.verb.english(draw)
    while any(item.endswith("'s") and not _owns(clause, item[0]) for item in pattern.rest):
        pattern = clause.verb.english(draw)
    if "D" in clause.roles and "A" in clause.roles:
        for _ in range(3):
            first = clause.roles[min("AD", key=pattern.rest.index)]
            if not (isinstance(first, NounPhrase) and first.after is not None):
                break
            pattern = clause.verb.english(draw)
    return pattern


def _heavy(clause: Clause) -> bool:
    """Tell whether an adverbial at the end would seem part of a clause: `felt like in the evening going`."""
    return clause.verb.clause == "zu" or any(
        isinstance(nominal, NounPhrase)
        and nominal.after is not None
        and not isinstance(nominal.after, Prepositional)
        for nominal in clause.roles.values()
    )


def _owns(clause: Clause, role: str) -> bool:
    """Tell whether a role is short enough for `'s`, and is said in its place."""
    nominal = clause.roles[role]
    long = isinstance(nominal, NounPhrase) and (nominal.after is not None or nominal.genitive is not None)
    return not long and not isinstance(nominal, Pair) and nominal is not clause.gap


def _verb_anchors(clause: Clause, group: tuple[tuple[str, str], ...]) -> list[Anchor]:
    """Link helpers to the German helper if there is one, else to the verb; and the other way round."""
    verb = clause.anchor
    german_helper = not clause.modal and (clause.passive or clause.tense not in ("present", "past"))
    helper = verb + AUXILIARY if german_helper or clause.passive else verb
    english_helper = any(kind == "X" for _, kind in group)
    main: Anchor = (verb, verb + AUXILIARY) if german_helper and not english_helper else verb
    modal = verb + MODAL if clause.modal else _gern_anchor(clause)
    return [main if kind == "V" else helper if kind == "X" else modal for _, kind in group]


def _gern_anchor(clause: Clause) -> int:
    for adverbial in clause.adverbials:
        if adverbial.kind == "gern" and isinstance(adverbial, Fixed):
            return adverbial.anchor + 1
    return clause.anchor
