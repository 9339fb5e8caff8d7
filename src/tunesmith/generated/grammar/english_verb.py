"""The English verb group: helpers in their order, tense, voice, modal verbs, and `do`.

Each helper decides the form of the next verb: `will` the base, `have` the participle, `be` the gerund,
or the participle in the passive.
"""

from __future__ import annotations

from functools import cache

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.lexicon.rows import alternatives, columns
from tunesmith.generated.lexicon.tables.function_words import MODALS as MODAL_TABLE
from tunesmith.generated.morphology.english import VerbForms, verb_forms

__all__ = ["CONTRACTED", "LIKE", "MODALS", "Group", "english_tense", "verb_group"]

Group = tuple[tuple[str, str], ...]
"""Words with `V` main verb, `X` helper, `M` modal."""

_BE, _HAVE, _DO = verb_forms("be"), verb_forms("have"), verb_forms("do")

TENSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "present": ("present", ()),
    "past": ("past", ()),
    "progressive": ("present", ("be",)),
    "past progressive": ("past", ("be",)),
    "perfect": ("present", ("have",)),
    "past perfect": ("past", ("have",)),
    "perfect progressive": ("present", ("have", "be")),
    "will": ("present", ("will",)),
    "would": ("present", ("would",)),
    "going": ("present", ("going",)),
    "base": ("base", ()),
    "gerund": ("gerund", ()),
}
"""The form of the first verb, and the helpers."""

CONTRACTED = {
    "can": "ca", "will": "wo", "is": "is", "are": "are", "was": "was", "were": "were", "do": "do",
    "does": "does", "did": "did", "has": "has", "have": "have", "had": "had", "could": "could",
    "would": "would", "should": "should", "must": "must",
}  # fmt: skip
"""What stands before `n't`."""

OPERATORS = ("will", "would", "can", "could", "must", "may", "should")

LIKE = ("like", "to")
"""The English of `gern`, as a modal verb."""


def _modal_choices(cells: list[str]) -> list[Choice[tuple[str, ...]]]:
    return [Choice((tuple(text.split()), weight) for text, weight in alternatives(cell)) for cell in cells]


MODALS = {infinitive: _modal_choices(cells) for infinitive, *cells in columns(MODAL_TABLE, 5)}
"""Present, past, present negated, past negated."""

_TENSE_CHOICES: dict[str, Choice[str]] = {
    "present": Choice([("present", 6.0), ("progressive", 4.0)]),
    "present now": Choice([("progressive", 8.0), ("present", 2.0)]),
    "present future": Choice([("will", 6.0), ("going", 3.0)]),
    "present since": Choice([("perfect", 5.0), ("perfect progressive", 5.0)]),
    "past": Choice([("past", 9.0), ("past progressive", 1.0)]),
    "perfect": Choice([("past", 6.0), ("perfect", 4.0)]),
    "perfect done": Choice([("perfect", 8.0), ("past", 2.0)]),
    "perfect never": Choice([("perfect", 9.0), ("past", 1.0)]),
    "pluperfect plain": Choice([("past perfect", 7.0), ("past", 3.0)]),
    "future": Choice([("will", 7.0), ("going", 3.0)]),
}

_STATIVE = {
    "progressive": "present",
    "past progressive": "past",
    "perfect progressive": "perfect",
}


def english_tense(german: str, when: str, stative: bool, plain: bool, draw: Draw) -> str:
    """Choose the English tense of a German one: the perfect may be a past, the present a future.

    `when` is what an adverbial says of the time: past, dated, now, habit, future, since, done, never or any.
    """
    if german == "pluperfect":
        return _TENSE_CHOICES["pluperfect plain"](draw) if plain else "past perfect"
    if german == "would":
        return "would"
    if german == "perfect" and (plain or when in ("past", "dated")):
        return "past"
    if plain and german == "present":
        return "perfect" if when == "since" else "present"
    if when == "habit" and german in ("present", "past"):
        return german
    key = f"{german} {when}"
    tense = _TENSE_CHOICES[key if key in _TENSE_CHOICES else german](draw)
    return _STATIVE.get(tense, tense) if stative else tense


def _form(verb: VerbForms, form: str, agreement: int) -> str:
    match form:
        case "base":
            return verb.base
        case "participle":
            return verb.participle
        case "gerund":
            return verb.gerund
    if verb is _BE or verb.base == "be":
        present, past = ("am", "is", "are"), ("was", "was", "were")
        return (present if form == "present" else past)[agreement]
    if form == "past":
        return verb.past
    return verb.third if agreement == 1 else verb.base


@cache
def verb_group(
    verb: VerbForms, tense: str, agreement: int, passive: bool, modal: tuple[str, ...], *, do: bool
) -> tuple[Group, bool]:
    """Return the words, and whether the first is an operator: a helper that inverts and takes `not`.

    With `do` a group without an operator gets one. A modal takes the place of the helpers.
    """
    form, helpers = TENSES[tense]
    words: list[tuple[str, str]] = []
    operator = False
    if modal:
        operator = _add_modal(words, modal, form, agreement, do=do)
        form, helpers = "base", ()
    for helper in helpers:
        form = _add_helper(words, helper, form, agreement)
        operator = True
    if passive:
        operator = operator or not words
        words.append((_form(_BE, form, agreement), "X"))
        form = "participle"
    if form in ("present", "past"):
        if do and verb.base != "be":
            words.append((_form(_DO, form, agreement), "V"))
            form = "base"
        operator = do or verb.base == "be"
    words.append((_form(verb, form, agreement), "V"))
    return tuple(words), operator


def _add_modal(
    words: list[tuple[str, str]], modal: tuple[str, ...], form: str, agreement: int, *, do: bool
) -> bool:
    """Add a modal verb, and `do` before one like `have to`; tell whether it is an operator."""
    operator = modal[0] in OPERATORS or modal[0] == "be"
    if modal[0] in OPERATORS:
        words.append((modal[0], "M"))
    else:
        if do and not operator:
            words.append((_form(_DO, form, agreement), "M"))
            form, operator = "base", True
        words.append((_form(verb_forms(modal[0]), form, agreement), "M"))
    words += [(word, "M") for word in modal[1:]]
    return operator


def _add_helper(words: list[tuple[str, str]], helper: str, form: str, agreement: int) -> str:
    """Add a helper and return the form that it asks of the next verb."""
    if helper in OPERATORS:
        words.append((helper, "X"))
        return "base"
    if helper == "going":
        words += [(_form(_BE, form, agreement), "X"), ("going", "X"), ("to", "X")]
        return "base"
    words.append((_form(_HAVE if helper == "have" else _BE, form, agreement), "X"))
    return "participle" if helper == "have" else "gerund"
