"""German conjugation: weak verbs by rule, strong ones from three given forms.

Persons are numbered ich 0, du 1, er 2, wir 3, ihr 4, sie 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith.generated.morphology.german_nouns import row

__all__ = ["AUXILIARIES", "MODALS", "Paradigm", "conjugate"]

INSEPARABLE = ("be", "ver", "er", "ent", "emp", "zer", "ge", "miss", "über", "unter")


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The forms of a verb that clauses need, prefix not included except in the last three."""

    present: tuple[str, ...]
    past: tuple[str, ...]
    prefix: str
    infinitive: str
    participle: str
    zu: str
    """`zu lesen`, or `anzurufen` in one word."""
    sein: bool
    """Whether the perfect takes `sein`."""


def conjugate(infinitive: str, forms: str) -> Paradigm:
    """Return the paradigm of `an-rufen` given `ruft rief gerufen`, of a weak verb given nothing.

    The past of weak verbs ends in `te`; a stem in `t`, `d` or an obstruent with `n` takes an `e` before
    endings that begin with `t` or `s`.
    """
    prefix, _, simple = infinitive.rpartition("-")
    given = forms.split()
    sein = "s" in given
    strong = [form for form in given if form != "s"]
    if simple in IRREGULAR:
        present, past = IRREGULAR[simple]
        participle = strong[2]
    else:
        present = _present(simple, strong[0] if strong else "")
        third_past = strong[1] if strong else _weak(simple)[0]
        past = _past(third_past)
        participle = strong[2] if strong else _weak(simple)[1]
    zu = f"{prefix}zu{simple}" if prefix else f"zu {simple}"
    return Paradigm(present, past, prefix, prefix + simple, prefix + participle, zu, sein)


def _stem(infinitive: str) -> str:
    return infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]


def _link(stem: str) -> str:
    """Return the `e` that keeps `arbeitet` and `öffnet` pronounceable."""
    if stem[-1] in "td":
        return "e"
    return "e" if stem[-1] in "mn" and stem[-2] not in "aeiouäöülrhmn" else ""


def _present(infinitive: str, third: str) -> tuple[str, ...]:
    stem = _stem(infinitive)
    third, _, second = third.partition("/")
    if not third:
        third = stem + _link(stem) + "t"
    if not second:
        second = third if third[-2] in "sßzx" else third[:-1] + "st"
    first = stem[:-2] + "le" if infinitive.endswith("eln") else stem + "e"
    return (first, second, third, infinitive, stem + _link(stem) + "t", infinitive)


def _weak(infinitive: str) -> tuple[str, str]:
    stem = _stem(infinitive)
    plain = stem.startswith(INSEPARABLE) or infinitive.endswith("ieren")
    tail = _link(stem) + "t"
    return stem + tail + "e", ("" if plain else "ge") + stem + tail


def _past(third: str) -> tuple[str, ...]:
    if third.endswith("e"):
        return (third, third + "st", third, third + "n", third + "t", third + "n")
    second = third + ("est" if third[-1] in "sßztd" else "st")
    fifth = third + ("et" if third[-1] in "td" else "t")
    return (third, second, third, third + "en", fifth, third + "en")


IRREGULAR = {
    "sein": (row("bin bist ist sind seid sind"), _past("war")),
    "haben": (row("habe hast hat haben habt haben"), _past("hatte")),
    "werden": (row("werde wirst wird werden werdet werden"), _past("wurde")),
    "wissen": (row("weiß weißt weiß wissen wisst wissen"), _past("wusste")),
}

AUXILIARIES = {
    "hat": IRREGULAR["haben"][0],
    "ist": IRREGULAR["sein"][0],
    "hatte": IRREGULAR["haben"][1],
    "war": IRREGULAR["sein"][1],
    "wird": IRREGULAR["werden"][0],
    "wurde": IRREGULAR["werden"][1],
    "würde": _past("würde"),
}

MODALS = {
    "können": (row("kann kannst kann können könnt können"), _past("konnte")),
    "müssen": (row("muss musst muss müssen müsst müssen"), _past("musste")),
    "wollen": (row("will willst will wollen wollt wollen"), _past("wollte")),
    "dürfen": (row("darf darfst darf dürfen dürft dürfen"), _past("durfte")),
    "sollen": (row("soll sollst soll sollen sollt sollen"), _past("sollte")),
    "möchten": (row("möchte möchtest möchte möchten möchtet möchten"), _past("wollte")),
}
