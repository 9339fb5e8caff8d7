"""German inflection.

Cases are nominative 0 to genitive 3; genders masculine 0, feminine 1, neuter 2, plural 3. Persons are
numbered ich 0, du 1, er 2, wir 3, ihr 4, sie 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunesmith.generated.words import AUXILIARY_FORMS, CONTRACTIONS, ENDING_TABLE, STRONG

__all__ = ["AUXILIARIES", "CONTRACTED", "ENDINGS", "MODAL_FORMS", "Paradigm", "conjugate", "decline"]


def _rows(table: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(forms) for name, *forms in (row.split() for row in table.split(";"))}


ENDINGS = {name: tuple(form.strip("-") for form in forms) for name, forms in _rows(ENDING_TABLE).items()}
"""By gender, then case: of articles, relative pronouns, `dieser` and `ein`, and of adjectives after them."""
CONTRACTED = {" ".join(pair): whole for whole, pair in _rows(CONTRACTIONS).items()}
INSEPARABLE = ("be", "ver", "er", "ent", "emp", "zer", "ge", "über", "unter")


def decline(lemma: str, gender: str, plural: str) -> tuple[str, ...]:
    """Return the eight forms of a noun: four cases singular, four plural; `w` is the weak declension."""
    if gender == "w":
        singular = (lemma, plural, plural, plural)
    else:
        singular = (lemma, lemma, lemma, lemma if gender in "fpc" else lemma + _genitive(lemma, plural))
    if plural == "-":
        return singular + singular
    return (*singular, plural, plural, plural if plural[-1] in "ns" else plural + "n", plural)


def _genitive(lemma: str, plural: str) -> str:
    if plural.startswith(lemma + "s") and len(plural) > len(lemma) + 1:
        return "ses"
    short = len(re.findall("[aeiouyäöü]+", lemma.lower())) == 1 and lemma[-1] in "bdfgkmt"
    return "es" if lemma[-1] in "sßxz" or lemma.endswith("sch") or (short and plural[-1] != "s") else "s"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The forms of a verb; those of present and past are without the prefix."""

    present: tuple[str, ...]
    past: tuple[str, ...]
    prefix: str
    infinitive: str
    participle: str
    zu: str
    """`zu lesen`, or `anzurufen` in one word."""


def conjugate(infinitive: str) -> Paradigm:
    """Return the paradigm of `an-rufen`: of a strong verb from the table, of a weak one by rule."""
    prefix, _, simple = infinitive.rpartition("-")
    stem = simple[:-2] if simple.endswith("en") else simple[:-1]
    link = "e" if stem[-1] in "td" or (stem[-1] in "mn" and stem[-2] not in "aeiouäöülrhmn") else ""
    third, past, participle = _parts(simple, stem + link + "t")
    zu = f"{prefix}zu{simple}" if prefix else f"zu {simple}"
    present = IRREGULAR.get(simple) or _present(simple, stem, link, third)
    return Paradigm(present, _past(past), prefix, prefix + simple, prefix + participle, zu)


def _parts(simple: str, weak: str) -> tuple[str, str, str]:
    """Return third person, past and participle."""
    if simple in _STRONG:
        *third, past, participle = _STRONG[simple]
        return (third or [weak])[0], past, participle
    plain = simple.startswith(INSEPARABLE) or simple.endswith("ieren")
    return weak, weak + "e", ("" if plain else "ge") + weak


def _present(infinitive: str, stem: str, link: str, third: str) -> tuple[str, ...]:
    third, _, second = third.partition("/")
    if not second:
        second = third if third[-2] in "sßzx" else third[:-1] + "st"
    first = stem[:-2] + "le" if infinitive.endswith("eln") else stem + "e"
    return (first, second, third, infinitive, stem + link + "t", infinitive)


def _past(third: str) -> tuple[str, ...]:
    if third.endswith("e"):
        return (third, third + "st", third, third + "n", third + "t", third + "n")
    second = third + ("est" if third[-1] in "sßztd" else "st")
    return (third, second, third, third + "en", third + ("et" if third[-1] in "td" else "t"), third + "en")


_STRONG, IRREGULAR = _rows(STRONG), _rows(AUXILIARY_FORMS)
AUXILIARIES = IRREGULAR | {word: _past(word) for word in ("war", "hatte", "wurde")}
_MODAL_PAST = {
    "können": "konnte",
    "müssen": "musste",
    "wollen": "wollte",
    "dürfen": "durfte",
    "sollen": "sollte",
}
MODAL_FORMS = {name: (IRREGULAR[name], _past(past)) for name, past in _MODAL_PAST.items()}
"""Present and past; in the past, `möchten` is `wollen`."""
MODAL_FORMS["möchten"] = (IRREGULAR["möchten"], MODAL_FORMS["wollen"][1])
