"""English inflection: plurals, verb forms, comparatives, and the choice between `a` and `an`."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["BE", "ENDURING", "STATIVE", "comparative", "gerund", "is_vowel_sound", "past", "plural", "third"]


def _row(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PLURALS = dict(
    pair.split("/")
    for pair in _row(
        """man/men woman/women child/children mouse/mice sheep/sheep fish/fish wolf/wolves knife/knives
        shelf/shelves policeman/policemen fireman/firemen potato/potatoes tomato/tomatoes crisis/crises"""
    )
)
VERBS = """
be was been; become became become; begin began begun; bite bit bitten; bring brought brought;
build built built; buy bought bought; catch caught caught; choose chose chosen; come came come; cut cut cut;
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; fight fought fought;
find found found; fly flew flown; forget forgot forgotten; get got gotten; give gave given; go went gone;
have had had; hear heard heard; hit hit hit; know knew known; lay laid laid; leave left left; lend lent lent;
let let let; lie lay lain; lose lost lost; meet met met; pay paid paid; put put put; read read read;
run ran run; say said said; see saw seen; sell sold sold; send sent sent; shine shone shone;
show showed shown; shut shut shut; sing sang sung; sit sat sat; sleep slept slept; speak spoke spoken;
stand stood stood; steal stole stolen; swim swam swum; take took taken; tell told told;
think thought thought; throw threw thrown; understand understood understood; wear wore worn; weep wept wept;
win won won; write wrote written
"""
IRREGULAR = {base: (one, two) for base, one, two in (row.split() for row in VERBS.split(";"))}
DOUBLED = _row("spot stop begin cut forget get hit let put run shut sit swim win")
"""Verbs that double their last letter: `stopped`, `stopping`."""
BE = {"present": ("am", "are", "is", "are"), "past": ("was", "were", "was", "were")}
"""Persons are I 0, you 1, he 2, plural 3."""

ENDURING = _row(
    """be know like love need have belong own understand believe trust think hope please fear seem taste
    remember recall look remain stay"""
)
"""States of mind and of possession, which are in the simple past rather than in the perfect."""
STATIVE = ENDURING + _row(
    """see hear find notice realize say lose forget spot discover reach require receive die accept reject
    expect stand decide promise stop elect throw bite kick begin come steal choose advise become tell"""
)
"""Verbs that are never put into the progressive."""

COMPARATIVES = {"good": "better", "bad": "worse", "ill": "sicker", "little": "smaller"}
LONG = _row("tired famous honest polite modern useful stupid nervous serious secret boring")
"""Short adjectives that take `more` all the same."""


def plural(noun: str) -> str:
    """Return the plural of a noun: of the last word if it has several."""
    head, space, last = noun.rpartition(" ")
    return head + space + (PLURALS.get(last) or _with_s(last))


def third(base: str) -> str:
    """Return the third person of the present: `goes`."""
    return {"have": "has", "go": "goes", "do": "does"}.get(base) or _with_s(base)


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if word[-1] == "y" and word[-2] not in "aeiou" else word + "s"


def past(base: str) -> tuple[str, str]:
    """Return past and participle."""
    if base in IRREGULAR:
        return IRREGULAR[base]
    if base[-1] == "y" and base[-2] not in "aeiou":
        form = base[:-1] + "ied"
    else:
        form = (base + base[-1] if base in DOUBLED else base.removesuffix("e")) + "ed"
    return form, form


def gerund(base: str) -> str:
    """Return the form in `ing`."""
    if base in ("lie", "die"):
        return base[:-2] + "ying"
    if base in DOUBLED:
        return base + base[-1] + "ing"
    return (base if base.endswith(("ee", "be")) else base.removesuffix("e")) + "ing"


@cache
def comparative(adjective: str) -> str:
    """Return `bigger` or `more expensive`."""
    if adjective in COMPARATIVES:
        return COMPARATIVES[adjective]
    syllables = len(re.findall("[aeiouy]+", adjective)) - bool(re.search("[^l]e$", adjective))
    if adjective in LONG or syllables > 2 or (syllables > 1 and not re.search("(y|le|et|er)$", adjective)):
        return f"more {adjective}"
    if adjective[-1] == "y":
        return adjective[:-1] + "ier"
    if adjective in ("big", "hot", "sad"):
        return adjective + adjective[-1] + "er"
    return adjective.removesuffix("e") + "er"


def is_vowel_sound(word: str) -> bool:
    """Tell whether `an` stands before the word."""
    return bool(re.match("hour|honest|(?!uni|use|euro|one)[aeiou]", word.lower()))
