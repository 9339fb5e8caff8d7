"""Verb groups: a German finite verb and what stands at the end, and an English chain of auxiliaries."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith.generated.draw import Draw, weighted
from tunesmith.generated.english import BE, ENDURING, STATIVE, gerund, past, third
from tunesmith.generated.german import AUXILIARIES, MODAL_FORMS
from tunesmith.generated.lexicon import Verb, choice, rows
from tunesmith.generated.tokens import Token, said
from tunesmith.generated.words import MODALS

__all__ = ["MODAL_NAMES", "Time", "english_chain", "english_form", "german_group"]

_MODALS = {name: (choice(now), choice(then)) for name, now, then in (row.split("=") for row in rows(MODALS))}
MODAL_NAMES = tuple(_MODALS)
INVARIANT = {"can", "could", "should", "may", "will", "would"}
FUTURE = weighted("will 6; be going to 4")


@dataclass(frozen=True)
class Time:
    """When a clause happens: a German tense, a modal verb, the passive."""

    tense: str
    """present, past, perfect, pluperfect or future."""
    modal: str = ""
    passive: bool = False


def german_group(verb: Verb, time: Time, person: int, main: int, aux: int) -> tuple[list[Token], list[Token]]:
    """Return the finite verb and what stands at the end of the clause: prefix, participle, infinitive."""
    forms = verb.paradigm
    end = said(forms.participle if time.passive else forms.infinitive, main)
    infinitive = end + said("werden" if time.passive else "", aux)
    past_tense = time.tense in ("past", "perfect", "pluperfect")
    if time.modal:
        return said(MODAL_FORMS[time.modal][past_tense][person], aux), infinitive
    if time.tense == "future":
        return said(AUXILIARIES["werden"][person], aux), infinitive
    if time.tense in ("perfect", "pluperfect"):
        present, past_name = ("sein", "war") if verb.sein or time.passive else ("haben", "hatte")
        name = present if time.tense == "perfect" else past_name
        worden = said("worden" if time.passive else "", aux)
        return said(AUXILIARIES[name][person], aux), said(forms.participle, main) + worden
    if time.passive:
        return said(AUXILIARIES["wurde" if past_tense else "werden"][person], aux), end
    return said((forms.past if past_tense else forms.present)[person], main), said(forms.prefix, main)


def english_form(time: Time, base: str, when: str, draw: Draw, *, dated: bool) -> str:
    """Return the English tense: `past`, `progressive`, or the words before the base, such as `will`."""
    if time.modal:
        return _MODALS[time.modal][time.tense != "present"](draw)
    if time.tense == "future" or (time.tense == "present" and when == "future"):
        return FUTURE(draw)
    if time.tense == "pluperfect" and draw() < 0.7:
        return "pluperfect"
    if time.tense == "perfect" and not dated and base not in ENDURING and draw() < 0.3:
        return "perfect"
    if time.tense == "present" and base not in STATIVE and when == "any" and draw() >= 0.6:
        return "progressive"
    return "present" if time.tense == "present" else "past"


def english_chain(
    base: str, form: str, agreement: int, time: Time, *, alone: bool
) -> tuple[list[str], list[str]]:
    """Return the finite auxiliary, if there is one, and the rest; `alone` asks for one, `do` if need be."""
    lemma, rest = ("be", [past(base)[1]]) if time.passive else (base, [])
    tense = (
        "past" if form in ("past", "pluperfect") or (time.modal and time.tense != "present") else "present"
    )
    auxiliary = True
    if form == "progressive":
        lemma, rest = "be", [gerund(lemma), *rest]
    elif form in ("perfect", "pluperfect"):
        lemma, rest = "have", [past(lemma)[1], *rest]
    elif form in ("present", "past"):
        auxiliary = lemma == "be"
    else:
        first, *more = form.split()
        lemma, rest = first, [*more, lemma, *rest]
        auxiliary = first in INVARIANT or first == "be"
    if not auxiliary and alone:
        return [_finite("do", tense, agreement)], [lemma, *rest]
    finite = _finite(lemma, tense, agreement)
    return ([finite], rest) if auxiliary else ([], [finite, *rest])


def _finite(lemma: str, tense: str, agreement: int) -> str:
    if lemma in INVARIANT:
        return lemma
    if lemma == "be":
        return BE[tense][agreement]
    if tense == "past":
        return past(lemma)[0] if lemma != "do" else "did"
    return third(lemma) if agreement == 2 else lemma
