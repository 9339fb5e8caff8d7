"""Noun phrases: determiner, numeral, adjectives, noun, and what follows it."""

from __future__ import annotations

from typing import Protocol

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.determiner import MANY, MASS, ONE, PERSONAL, Determiner
from tunesmith.generated.grammar.nominal import THEY, Named, Nominal, agreement_of
from tunesmith.generated.grammar.tokens import NOTHING, Tokens
from tunesmith.generated.lexicon.entries import Adjective, Noun, Words
from tunesmith.generated.lexicon.tables.prepositions import CONTRACTIONS
from tunesmith.generated.morphology.german_nouns import DEFINITE, GEN, PLURAL, STRONG

__all__ = ["ANCHORS", "NounPhrase", "Prepositional", "Said", "say_possessor", "say_preposition"]

ANCHORS = 8
"""Of a noun phrase: determiner, noun, numeral, owner, and two adjectives with their degrees."""
_NOUN, _NUMERAL, _OWNER, _ADJECTIVE = 1, 2, 3, 4

_UNCOUNTED: Choice[Words] = Choice([((), 6.0), (("some",), 3.0), (("a", "piece", "of"), 1.0)])
_DEGREE = Choice([("very", 8.0), ("really", 2.0)])
_OF = Choice([(False, 7.0), (True, 3.0)])
_ANY: Choice[Words] = Choice([(("any",), 7.0), ((), 2.0)])


class Said(Protocol):
    """A clause or phrase that can follow a noun."""

    def german(self, out: Tokens) -> None: ...
    def english(self, out: Tokens, draw: Draw) -> None: ...


class NounPhrase(Nominal):
    """A noun with all that agrees with it."""

    __slots__ = ("adjectives", "after", "column", "determiner", "genitive", "numeral", "owner", "plural")

    def __init__(self, noun: Noun, plural: bool, determiner: Determiner, anchor: int) -> None:
        # `das Mädchen ... sie`, but `das Kind ... es`
        gender_pronoun = 3 if noun.natural == 3 else (2, 3, 4)[noun.gender]
        many = noun.english_number == "plural" or (plural and noun.english_number == "count")
        super().__init__(THEY if plural else gender_pronoun, THEY if many else noun.natural, anchor, noun)
        self.plural = plural
        self.column = PLURAL if plural else noun.gender
        self.determiner = determiner
        self.definite = determiner.definite
        self.numeral: tuple[str, Words] | None = None
        self.adjectives: list[tuple[Adjective, bool]] = []
        self.owner: Named | None = None
        """A name in the genitive, in the place of the determiner."""
        self.genitive: Nominal | None = None
        self.after: Said | None = None
        """A prepositional phrase or a relative clause."""

    @property
    def mass(self) -> bool:
        """Whether German cannot count it."""
        return self.noun is not None and self.noun.number == "mass"

    @property
    def paired(self) -> bool:
        """Whether English says `a pair of`: one thing with a plural name, like trousers."""
        noun = self.noun
        assert noun is not None
        indefinite = self.determiner.name == "indef" and noun.english_number == "plural"
        return indefinite and noun.kind in ("clothes", "tool")

    @property
    def agreement(self) -> int:
        return 1 if self.paired else agreement_of(self.english_pronoun)

    def german(
        self, case: int, out: Tokens, determined: bool = False, moved: list[Said] | None = None
    ) -> None:
        """Say it; `determined` if a contraction has already said the article.

        A relative clause goes to `moved`, if given, to be said later.
        """
        cell = self.column * 4 + case
        endings = self.determiner.endings
        if self.owner is not None:
            self.owner.german(GEN, out)
            endings = STRONG
        elif not determined:
            word = self.determiner.forms[cell]
            if word:
                out.put(word, self.anchor)
        if self.numeral is not None:
            out.put(self.numeral[0], self.anchor + _NUMERAL)
        anchor = self.anchor + _ADJECTIVE
        for adjective, degree in self.adjectives:
            if degree:
                out.put("sehr", anchor + 1)
            out.put(adjective.stem + endings[cell], anchor)
            anchor += 2
        noun = self.noun
        assert noun is not None
        out.put(noun.forms[4 + case if self.plural else case], self.anchor + _NOUN)
        if self.genitive is not None:
            self.genitive.german(GEN, out)
        if self.after is not None:
            if moved is None or isinstance(self.after, Prepositional):
                self.after.german(out)
            else:
                moved.append(self.after)

    def english(self, subject: bool, out: Tokens, draw: Draw, negated: bool = False) -> None:
        noun = self.noun
        assert noun is not None
        number = MASS if noun.english_number == "mass" else MANY if self.english_pronoun == THEY else ONE
        name = self.determiner.name
        of = self.genitive is not None and _OF(draw)
        if self.owner is not None:
            say_possessor(self.owner, self.anchor, out, draw)
        elif self.genitive is not None and not of:
            say_possessor(self.genitive, self.anchor, out, draw)
        else:
            self._determiner(number, out, draw, negated)
        if self.numeral is not None:
            out.put_all(self.numeral[1], self.anchor + _NUMERAL)
            if self.plural and noun.english_number == "mass":
                out.put_all(("pieces", "of"), NOTHING)
            elif noun.english_number == "plural" and noun.number == "count":
                out.put_all(("pairs", "of"), NOTHING)
        anchor = self.anchor + _ADJECTIVE
        for adjective, degree in self.adjectives:
            if degree:
                out.put(_DEGREE(draw), anchor + 1)
            out.put(adjective.english(draw), anchor)
            anchor += 2
        words = (noun.owned if name == "possessive" else noun.english)(draw)
        out.put_all(words[1] if number == MANY else words[0], self.anchor + _NOUN)
        if of and self.genitive is not None:
            out.put("of", NOTHING)
            self.genitive.english(False, out, draw)
        if self.after is not None:
            self.after.english(out, draw)

    def _determiner(self, number: int, out: Tokens, draw: Draw, negated: bool) -> None:
        name = self.determiner.name
        noun = self.noun
        assert noun is not None
        if name == "kein" and negated:
            words: Words = ("a",) if number == ONE else _ANY(draw)
        elif name == "indef" and number == MASS and noun.number == "count":
            words = _UNCOUNTED(draw)
        elif name == "indef" and number == MANY:
            words = ("a", "pair", "of") if self.paired else ("some",)
        else:
            words = self.determiner.english[number](draw)
        out.put_all(words, self.anchor)


def say_possessor(owner: Nominal, anchor: int, out: Tokens, draw: Draw) -> None:
    """Say an English owner: `Anna 's`, `the teachers '`, `his`."""
    if owner.light:
        out.put(PERSONAL[owner.english_pronoun].english_possessive, owner.anchor)
        return
    owner.english(False, out, draw)
    plural = owner.english_pronoun == THEY and out.words[-1].endswith("s")
    out.put("'" if plural else "'s", anchor)


class Prepositional:
    """A preposition with its phrase; German contracts `in dem` to `im`."""

    __slots__ = ("anchor", "bare", "case", "english_word", "nominal", "word")

    def __init__(
        self,
        word: str,
        case: int,
        english_word: Choice[Words],
        nominal: Nominal,
        anchor: int,
        *,
        bare: bool = False,
    ) -> None:
        self.word = word
        self.case = case
        self.english_word = english_word
        self.nominal = nominal
        self.anchor = anchor
        self.bare = bare

    def german(self, out: Tokens) -> None:
        """Say it in German."""
        say_preposition(self.word, self.case, self.nominal, self.anchor, out)

    def english(self, out: Tokens, draw: Draw) -> None:
        """Say it in English; `by car` has no article."""
        out.put_all(self.english_word(draw), self.anchor)
        if self.bare and self.nominal.noun is not None:
            out.put_all(self.nominal.noun.english(draw)[0], self.nominal.anchor + _NOUN)
        else:
            self.nominal.english(False, out, draw)


def say_preposition(
    word: str, case: int, nominal: Nominal, anchor: int, out: Tokens, *, moved: list[Said] | None = None
) -> None:
    """Say a German preposition and its phrase, contracted where both are plain."""
    if not isinstance(nominal, NounPhrase):
        out.put(word, anchor)
        nominal.german(case, out)
        return
    if nominal.determiner.forms is DEFINITE and nominal.owner is None:
        article = DEFINITE[nominal.column * 4 + case]
        short = CONTRACTIONS.get((word, article))
        if short is not None and (nominal.after is None or isinstance(nominal.after, Prepositional)):
            out.put(short, (anchor, nominal.anchor))
            nominal.german(case, out, determined=True)
            return
    out.put(word, anchor)
    nominal.german(case, out, moved=moved)
