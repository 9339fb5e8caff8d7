"""English inflection: plurals, verb forms, comparatives, and the choice between `a` and `an`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

__all__ = ["ENDURING", "STATIVE", "VerbForms", "comparative", "is_vowel_sound", "plural", "verb_forms"]

PLURALS = {
    "man": "men", "woman": "women", "child": "children", "mouse": "mice", "sheep": "sheep",
    "fish": "fish", "wolf": "wolves", "knife": "knives", "thief": "thieves", "shelf": "shelves",
    "policeman": "policemen", "salesman": "salesmen", "fireman": "firemen", "potato": "potatoes",
    "tomato": "tomatoes", "crisis": "crises", "person": "people", "wife": "wives",
}  # fmt: skip

VERBS = """
be was been|become became become|begin began begun|bite bit bitten|break broke broken|bring brought brought
build built built|burn burned burned|buy bought bought|catch caught caught|choose chose chosen
come came come|cut cut cut|do did done|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed fed|feel felt felt|fight fought fought|find found found|fit fit fit|fly flew flown
forbid forbade forbidden|forget forgot forgotten|get got gotten|give gave given|go went gone
grow grew grown|have had had|hear heard heard|hit hit hit|keep kept kept|know knew known|lay laid laid
leave left left|lend lent lent|let let let|lie lay lain|lose lost lost|make made made|meet met met
pay paid paid|put put put|read read read|rise rose risen|run ran run|say said said|see saw seen
seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|shine shone shone
show showed shown|shut shut shut|sing sang sung|sit sat sat|sleep slept slept|speak spoke spoken
stand stood stood|steal stole stolen|swim swam swum|take took taken|tell told told|think thought thought
throw threw thrown|understand understood understood|wear wore worn|weep wept wept|win won won
write wrote written|awaken awakened awakened|beat beat beaten|draw drew drawn|hold held held
wake woke woken
"""

DOUBLED = {"spot", "stop", "plan", "shop", "regret", "admit", "chat", "rip", "permit"}
"""Regular verbs that double their last letter: `stopped`, `stopping`."""

DOUBLED_ING = DOUBLED | {
    "begin", "cut", "forget", "get", "hit", "let", "put", "run", "set", "shut", "sit", "swim", "win",
    "forbid", "fit",
}  # fmt: skip

STATIVE = {
    "be", "have", "know", "like", "love", "hate", "need", "want", "belong", "own", "understand", "believe",
    "trust", "remember", "depend", "see", "hear", "find", "think", "hope", "please", "fit", "cost", "agree",
    "fear", "notice", "realize", "recall", "admire", "claim", "assert", "say", "lose", "forget", "regret",
    "spot", "arrest", "taste", "discover", "reach", "seem", "require", "receive", "die",
    "disappear", "vanish", "refuse", "accept", "reject", "abandon", "expect", "miss", "stand", "decide",
    "intend", "promise", "allow", "permit", "feel", "obtain", "stop", "break", "remain", "elect", "forbid",
    "throw", "bite", "kick", "hit", "annoy", "begin", "welcome", "come", "greet", "steal", "choose", "advise",
}  # fmt: skip
"""Verbs that this grammar never puts into the progressive."""

ENDURING = {
    "know", "like", "love", "hate", "need", "want", "have", "belong", "own", "understand", "believe", "trust",
    "think", "hope", "please", "fit", "depend", "fear", "seem", "admire", "miss", "taste", "agree",
}  # fmt: skip
"""States of mind and of possession, which are in the simple past rather than in the perfect."""

COMPARATIVES = {"good": "better", "bad": "worse", "well": "better", "ill": "sicker", "little": "smaller"}
LONG = {"tired", "famous", "honest", "polite", "modern", "useful", "stupid", "nervous", "serious", "secret"}
"""Short adjectives that take `more` all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class VerbForms:
    """The five forms of an English verb."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


def plural(noun: str) -> str:
    """Return the plural of a noun: of the last word if it has several."""
    head, _, last = noun.rpartition(" ")
    return f"{head} {_plural(last)}" if head else _plural(last)


def _plural(word: str) -> str:
    if word in PLURALS:
        return PLURALS[word]
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word[-1] == "y" and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


@cache
def verb_forms(base: str) -> VerbForms:
    """Return the forms of a verb, from the list of irregular ones or by rule; one object a verb."""
    if base == "be":
        return VerbForms("be", "is", "was", "been", "being")
    if base == "have":
        return VerbForms("have", "has", "had", "had", "having")
    third = "goes" if base == "go" else "does" if base == "do" else _plural(base)
    if base in _IRREGULAR:
        past, participle = _IRREGULAR[base]
    else:
        past = participle = _regular_past(base)
    return VerbForms(base, third, past, participle, _gerund(base))


def _regular_past(base: str) -> str:
    if base in DOUBLED:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base[-1] == "y" and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + "ed"


def _gerund(base: str) -> str:
    if base in DOUBLED_ING:
        return base + base[-1] + "ing"
    if base in ("lie", "die"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + "ing"


@cache
def comparative(adjective: str) -> tuple[str, ...]:
    """Return `bigger` as one word or `more expensive` as two."""
    if adjective in COMPARATIVES:
        return (COMPARATIVES[adjective],)
    vowels = sum(
        1
        for i, letter in enumerate(adjective)
        if letter in "aeiouy" and (i == 0 or adjective[i - 1] not in "aeiouy")
    )
    syllables = vowels - (adjective.endswith("e") and not adjective.endswith("le"))
    if (
        adjective in LONG
        or (syllables > 1 and not adjective.endswith(("y", "le", "et", "er")))
        or syllables > 2
    ):
        return ("more", adjective)
    if adjective.endswith("e"):
        return (adjective + "r",)
    if adjective.endswith("y"):
        return (adjective[:-1] + "ier",)
    if adjective in ("big", "hot", "sad", "thin", "wet"):
        return (adjective + adjective[-1] + "er",)
    return (adjective + "er",)


def is_vowel_sound(word: str) -> bool:
    """Tell whether `an` stands before the word."""
    lower = word.lower()
    if lower.startswith(("hour", "honest", "heir")):
        return True
    return lower[0] in "aeiou" and not lower.startswith(("uni", "use", "euro", "one", "once"))


_IRREGULAR = {
    row.split()[0]: (row.split()[1], row.split()[2])
    for line in VERBS.split("\n")
    for row in line.split("|")
    if row
}
