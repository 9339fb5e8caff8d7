"""Fillers of the roles of a clause: pronouns, names, question words, and pairs of phrases.

Noun phrases proper are in `noun_phrase`.
"""

from __future__ import annotations

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.determiner import PERSONAL
from tunesmith.generated.grammar.tokens import NOTHING, Tokens
from tunesmith.generated.lexicon.entries import Name, Noun, Words
from tunesmith.generated.lexicon.read_nouns import words_choice
from tunesmith.generated.lexicon.rows import columns
from tunesmith.generated.lexicon.tables.function_words import INDEFINITES as INDEFINITE_TABLE
from tunesmith.generated.morphology.german_nouns import GEN, NOM, RELATIVE

__all__ = [
    "INDEFINITES",
    "POLITE",
    "THEY",
    "City",
    "Indefinite",
    "Named",
    "Nominal",
    "One",
    "Pair",
    "Pronoun",
    "Relative",
    "Silent",
    "Wh",
    "agreement_of",
    "person_of",
]

THEY, POLITE = 7, 8
_PERSONS = (0, 1, 2, 2, 2, 3, 4, 5, 5)
_AGREEMENTS = (0, 2, 1, 1, 1, 2, 2, 2, 2)


def person_of(pronoun: int) -> int:
    """Return the German person 0 to 5 of a personal pronoun."""
    return _PERSONS[pronoun]


def agreement_of(pronoun: int) -> int:
    """Return the English agreement of a personal pronoun: I 0, third singular 1, others 2."""
    return _AGREEMENTS[pronoun]


class Nominal:
    """What a clause can ask of any phrase that fills a role."""

    __slots__ = ("anchor", "definite", "english_pronoun", "light", "noun", "person", "pronoun")

    def __init__(self, pronoun: int, english_pronoun: int, anchor: int, noun: Noun | None = None) -> None:
        self.pronoun = pronoun
        self.english_pronoun = english_pronoun
        self.person = _PERSONS[pronoun]
        self.anchor = anchor
        self.noun = noun
        """Decides what verbs fit; none for names and pronouns of people."""
        self.light = False
        """A personal pronoun: comes early in German, before particles in English."""
        self.definite = True

    @property
    def agreement(self) -> int:
        """The agreement of an English verb: I 0, third singular 1, others 2."""
        return _AGREEMENTS[self.english_pronoun]

    def german(self, case: int, out: Tokens) -> None:
        """Say it in German."""
        raise NotImplementedError

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        """Say it in English; `negated` if the verb already says the `not` of a `kein`."""
        raise NotImplementedError


class Pronoun(Nominal):
    """A personal pronoun; the English one may differ: `er` of a table is `it`."""

    __slots__ = ()

    def __init__(self, pronoun: int, english_pronoun: int, anchor: int, noun: Noun | None = None) -> None:
        super().__init__(pronoun, english_pronoun, anchor, noun)
        self.light = True

    def german(self, case: int, out: Tokens) -> None:
        out.put(PERSONAL[self.pronoun].forms[case], self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put(PERSONAL[self.english_pronoun].english[0 if subject else 1], self.anchor)


class Silent(Nominal):
    """A subject that is not said again: `und liest`, `zu lesen`."""

    __slots__ = ("same",)

    def __init__(self, same: Nominal) -> None:
        super().__init__(same.pronoun, same.english_pronoun, NOTHING, same.noun)
        self.same = same

    @property
    def agreement(self) -> int:
        return self.same.agreement

    def german(self, case: int, out: Tokens) -> None:
        """Say nothing."""

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        """Say nothing."""


class Indefinite(Nominal):
    """`jemand`, `niemand`, `alle`."""

    __slots__ = ("forms", "negative", "words")

    def __init__(self, row: tuple[Words, Choice[Words], bool], anchor: int) -> None:
        forms, words, negative = row
        everybody = forms[0] == "alle"
        super().__init__(THEY if everybody else 2, THEY, anchor)
        self.forms = forms
        self.words = words
        self.negative = negative

    @property
    def agreement(self) -> int:
        return 1

    def german(self, case: int, out: Tokens) -> None:
        out.put(self.forms[case], self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put_all(self.words(draw), self.anchor)


INDEFINITES = [
    (tuple(german.split()), words_choice(english), bool(negative))
    for german, english, negative in columns(INDEFINITE_TABLE, 3)
]


class One(Nominal):
    """The impersonal `man`: `one`, `you`, `people`, or a passive that the clause decides on."""

    __slots__ = ()
    _WORDS = Choice([("people", 5.0), ("you", 4.0), ("one", 2.0)])

    def __init__(self, anchor: int) -> None:
        super().__init__(2, THEY, anchor)

    def german(self, case: int, out: Tokens) -> None:
        out.put("man", self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put("people", self.anchor)

    def decide(self, draw: Draw) -> tuple[str, int]:
        """Choose the English word before the verb has to agree with it."""
        word = self._WORDS(draw)
        return word, 1 if word == "one" else 2


class Named(Nominal):
    """A person's name."""

    __slots__ = ("name",)

    def __init__(self, name: Name, anchor: int) -> None:
        super().__init__(name.natural, name.natural, anchor)
        self.name = name

    def german(self, case: int, out: Tokens) -> None:
        words = self.name.words if case == NOM else self.name.oblique
        if case == GEN:
            words = (*words[:-1], words[-1] + "s")
        out.put_all(words, self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put_all(self.name.english(draw), self.anchor)


class City(Nominal):
    """The name of a city or country."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, str], anchor: int) -> None:
        super().__init__(4, 4, anchor)
        self.names = names

    def german(self, case: int, out: Tokens) -> None:
        out.put(self.names[0], self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put(self.names[1], self.anchor)


class Pair(Nominal):
    """Two phrases joined by `und`; always plural."""

    __slots__ = ("first", "second")

    def __init__(self, first: Nominal, second: Nominal, anchor: int) -> None:
        super().__init__(THEY, THEY, anchor, first.noun)
        self.first = first
        self.second = second
        self.definite = first.definite and second.definite

    def german(self, case: int, out: Tokens) -> None:
        self.first.german(case, out)
        out.put("und", self.anchor)
        self.second.german(case, out)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        self.first.english(subject, out, draw, negated)
        out.put("or" if negated else "and", self.anchor)
        self.second.english(subject, out, draw, negated)


class Relative(Nominal):
    """A relative pronoun: `der`, which agrees with its head, and `who`, `that`, `which` or nothing."""

    __slots__ = ("column",)
    _PERSON: Choice[Words] = Choice([(("who",), 7.0), (("that",), 3.0)])
    _THING: Choice[Words] = Choice([(("that",), 6.0), (("which",), 4.0)])
    _PERSON_OBJECT: Choice[Words] = Choice([(("whom",), 3.0), (("that",), 3.0), (("who",), 1.0), ((), 3.0)])
    _THING_OBJECT: Choice[Words] = Choice([(("that",), 5.0), (("which",), 2.0), ((), 3.0)])

    def __init__(self, head: Nominal, column: int, anchor: int) -> None:
        super().__init__(head.pronoun, head.english_pronoun, anchor, head.noun)
        self.column = column

    def german(self, case: int, out: Tokens) -> None:
        out.put(RELATIVE[self.column * 4 + case], self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        person = self.noun is None or self.noun.kind in ("human", "job")
        if subject:
            words = (self._PERSON if person else self._THING)(draw)
        else:
            words = (self._PERSON_OBJECT if person else self._THING_OBJECT)(draw)
        out.put_all(words, self.anchor)


class Wh(Nominal):
    """`wer` and `was`, in the case of their role."""

    __slots__ = ("thing",)
    _WHOM = Choice([("who", 7.0), ("whom", 3.0)])

    def __init__(self, thing: bool, anchor: int, noun: Noun | None = None) -> None:
        super().__init__(4 if thing else 2, 4 if thing else 2, anchor, noun)
        self.thing = thing

    def german(self, case: int, out: Tokens) -> None:
        out.put("was" if self.thing else ("wer", "wen", "wem")[case], self.anchor)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        out.put("what" if self.thing else "who" if subject else self._WHOM(draw), self.anchor)
