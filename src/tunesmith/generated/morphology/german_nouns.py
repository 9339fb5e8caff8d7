"""German nominal inflection: nouns, adjectives, determiners, pronouns.

Cases are numbered nominative 0, accusative 1, dative 2, genitive 3; columns of gender are
masculine 0, feminine 1, neuter 2, plural 3. A cell is `column * 4 + case`.
"""

from __future__ import annotations

__all__ = [
    "ACC",
    "DAT",
    "DEFINITE",
    "EIN_ENDINGS",
    "GEN",
    "MASCULINE",
    "MIXED",
    "NOM",
    "PLURAL",
    "RELATIVE",
    "STRONG",
    "STRONG_ENDINGS",
    "WEAK",
    "noun_forms",
    "row",
]


def row(forms: str) -> tuple[str, ...]:
    """Split the forms of a paradigm, written in one line."""
    return tuple(forms.split())


NOM, ACC, DAT, GEN = range(4)
MASCULINE, PLURAL = 0, 3

DEFINITE = row("der den dem des die die der der das das dem des die die den der")
RELATIVE = row("der den dem dessen die die der deren das das dem dessen die die denen deren")

STRONG_ENDINGS = row("er en em es e e er er es es em es e e en er")
"""Of `dieser`, `jeder`, `viele`."""

EIN_ENDINGS = ("", "en", "em", "es", "e", "e", "er", "er", "", "", "em", "es", "e", "e", "en", "er")
"""Of `ein`, `kein`, `mein`."""

WEAK = row("e en en en e e en en e e en en en en en en")
"""Adjectives after `der`, `dieser`, `jeder`, `alle`."""

MIXED = row("er en en en e e en en es es en en en en en en")
"""Adjectives after `ein`, `kein`, `mein`."""

STRONG = row("er en em en e e er er es es em en e e en er")
"""Adjectives without an article, or after a numeral or `viele`."""


def noun_forms(lemma: str, plural: str, genitive: str) -> tuple[str, ...]:
    """Return the eight forms: four cases singular, four cases plural.

    A genitive in `n` or `en` is the weak declension; the dative plural adds `n` unless the plural
    ends in `n` or `s`.
    """
    if genitive in ("n", "en"):
        singular = (lemma, *(lemma + genitive,) * 3)
    else:
        singular = (lemma, lemma, lemma, lemma + genitive.replace("-", ""))
    if plural == "-":
        return singular + singular
    dative = plural if plural[-1] in "ns" else plural + "n"
    return (*singular, plural, plural, dative, plural)
