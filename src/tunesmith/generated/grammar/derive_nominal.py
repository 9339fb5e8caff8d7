"""Drawing noun phrases: what fills a role, how it is determined, and what modifies it."""

from __future__ import annotations

from tunesmith.generated.draw import Choice, zipf
from tunesmith.generated.grammar.derivation import DEPTH, Derivation
from tunesmith.generated.grammar.determiner import DETERMINERS, POSSESSIVES, Determiner
from tunesmith.generated.grammar.nominal import (
    INDEFINITES,
    City,
    Indefinite,
    Named,
    Nominal,
    One,
    Pair,
    Pronoun,
)
from tunesmith.generated.grammar.noun_phrase import ANCHORS, NounPhrase, Prepositional
from tunesmith.generated.lexicon.entries import Adjective, Noun, Preposition, Words
from tunesmith.generated.lexicon.lexicon import Selection, lexicon
from tunesmith.generated.lexicon.read_nouns import words_choice
from tunesmith.generated.lexicon.rows import columns
from tunesmith.generated.lexicon.tables.function_words import NUMERALS as NUMERAL_TABLE
from tunesmith.generated.morphology.german_nouns import ACC, DAT, GEN

__all__ = ["draw_nominal", "draw_noun_phrase", "draw_place", "draw_prepositional"]

PLURAL, RARE_PLURAL = 0.3, 0.1
SUBJECT_PRONOUN, OBJECT_PRONOUN = 0.34, 0.16
SUBJECT_NAME, OBJECT_NAME = 0.14, 0.08
INDEFINITE = 0.02
IMPERSONAL = 0.03
PAIR = (0.05, 0.02, 0.0)
RELATIVE = (0.08, 0.04, 0.0)
ATTRIBUTE = (0.07, 0.04, 0.0)
GENITIVE = (0.06, 0.03, 0.0)
OWNER = 0.03
DEGREE = 0.07
BOUND = 0.6
CITY, RELATION = 0.2, 0.12

OWNING = ("human", "job", "group", "animal")
IT = 4

UNMARKED = ("bare", "etwas")
"""A genitive needs a word that shows it, which these are not."""

_ADJECTIVES = Choice([(0, 68.0), (1, 28.0), (2, 4.0)])
_SINGULAR = Choice([("def", 46.0), ("indef", 27.0), ("poss", 13.0), ("dieser", 8.0), ("jeder", 2.0)])
_PLURAL = Choice(
    {
        "def": 36.0,
        "bare": 20.0,
        "poss": 10.0,
        "numeral": 9.0,
        "dieser": 7.0,
        "viele": 6.0,
        "einige": 5.0,
        "alle": 3.0,
        "mehrere": 2.0,
        "wenige": 1.5,
    }.items()
)
_MASS = Choice([("def", 40.0), ("bare", 40.0), ("poss", 8.0), ("dieser", 5.0), ("etwas", 4.0)])
_KIN = Choice([("poss", 75.0), ("def", 20.0), ("dieser", 2.0)])
_PERSONS = Choice([(0, 22.0), (2, 20.0), (3, 18.0), (5, 14.0), (7, 10.0), (1, 8.0), (8, 6.0), (6, 2.0)])
_THIRD = Choice([(2, 10.0), (3, 10.0), (7, 8.0), (0, 8.0), (1, 4.0), (5, 4.0), (8, 2.0), (6, 1.0)])
_OWNERS = Choice([(0, 10.0), (2, 8.0), (3, 7.0), (5, 5.0), (7, 4.0), (1, 3.0), (8, 2.0), (6, 1.0)])
_INDEFINITES = Choice([(INDEFINITES[0], 4.0), (INDEFINITES[1], 3.0), (INDEFINITES[2], 3.0)])
_NUMERALS: Choice[tuple[str, Words]] = Choice(
    zipf([(german, words_choice(english).entries[0]) for german, english in columns(NUMERAL_TABLE, 2)])
)
_IN: Choice[Words] = Choice([(("in",), 1.0)])
_TO: Choice[Words] = Choice([(("to",), 1.0)])
_ON: Choice[Words] = Choice([(("on",), 1.0)])


def draw_nominal(
    state: Derivation,
    selection: Selection,
    depth: int,
    *,
    subject: bool = False,
    binder: Nominal | None = None,
) -> Nominal:
    """Draw what fills a role; `binder` is the subject that a possessive may refer to."""
    draw = state.draw
    if selection.city and draw() < selection.city:
        return City(lexicon().cities(draw), state.anchors())
    person = _person(state, subject, binder) if selection.person else None
    if person is not None:
        return person
    assert selection.nouns is not None
    phrase = draw_noun_phrase(state, selection.nouns(draw), depth, binder)
    if draw() < PAIR[min(depth, DEPTH)] and phrase.after is None and phrase.genitive is None:
        second = draw_noun_phrase(state, selection.nouns(draw), DEPTH, binder)
        if second.noun is not phrase.noun and _is_person(phrase) == _is_person(second):
            return Pair(phrase, second, state.anchors())
    return phrase


def _is_person(phrase: NounPhrase) -> bool:
    return phrase.noun is not None and phrase.noun.kind in ("human", "job")


def _person(state: Derivation, subject: bool, binder: Nominal | None) -> Nominal | None:
    """Draw a pronoun or a name, or leave the role to a noun."""
    chance = state.draw()
    pronoun, name = (SUBJECT_PRONOUN, SUBJECT_NAME) if subject else (OBJECT_PRONOUN, OBJECT_NAME)
    if chance < pronoun:
        return _pronoun(state, subject, binder)
    if chance < pronoun + name:
        named = Named(lexicon().names(state.draw), state.anchors())
        while isinstance(binder, Named) and named.name is binder.name:
            named = Named(lexicon().names(state.draw), named.anchor)
        return named
    if chance < pronoun + name + INDEFINITE:
        return Indefinite(_INDEFINITES(state.draw), state.anchors())
    if subject and chance < pronoun + name + INDEFINITE + IMPERSONAL:
        return One(state.anchors())
    return None


def _pronoun(state: Derivation, subject: bool, binder: Nominal | None) -> Nominal:
    index = (_PERSONS if subject else _THIRD)(state.draw)
    # An object that is the subject would be a reflexive, which this grammar leaves to reflexive verbs.
    if binder is not None and not subject and _same(index, binder.pronoun):
        index = 7 if binder.pronoun != 7 else 2
    return Pronoun(index, index, state.anchors())


def _same(index: int, other: int) -> bool:
    return index == other or any(index in group and other in group for group in ((0, 5), (1, 6, 8)))


def draw_noun_phrase(
    state: Derivation, noun: Noun, depth: int, binder: Nominal | None = None, *, single: bool = False
) -> NounPhrase:
    """Draw number, determiner, adjectives and what follows for a noun; `single` forbids a plural."""
    draw = state.draw
    rate = RARE_PLURAL if noun.kin or noun.place is not None else PLURAL
    plural = noun.number == "plural" or (noun.number == "count" and draw() < rate and not single)
    name = (
        "def"
        if noun.definite
        else (_KIN if noun.kin else _PLURAL if plural else _MASS if noun.number == "mass" else _SINGULAR)(
            draw
        )
    )
    if name == "poss":
        determiner = _possessive(state, binder)
    else:
        determiner = DETERMINERS["bare" if name == "numeral" else name]
    phrase = NounPhrase(noun, plural, determiner, state.anchors(ANCHORS))
    if name == "numeral":
        phrase.numeral = _NUMERALS(draw)
    if noun.definite:
        return phrase
    choice = lexicon().adjectives_of(noun)
    count = _ADJECTIVES(draw)
    if choice is not None and count:
        adjective = choice(draw)
        phrase.adjectives.append((adjective, draw() < DEGREE and adjective.comparative != ""))
        if count == 2:
            second = choice(draw)
            if _together(adjective, second):
                phrase.adjectives.append((second, False))
                phrase.adjectives.sort(key=lambda pair: pair[0].order)
    _extend(state, phrase, name, min(depth, DEPTH))
    return phrase


def _together(one: Adjective, other: Adjective) -> bool:
    """Tell whether two adjectives may describe one thing: not `alt` and `neu`, nor two colors."""
    if one.order == other.order and (one.order or one.lemma == other.lemma):
        return False
    return frozenset((one.lemma, other.lemma)) not in lexicon().opposites


def _possessive(state: Derivation, binder: Nominal | None) -> Determiner:
    """Draw whose it is; things own nothing, and `man` is many words in English."""
    draw = state.draw
    thing = binder is not None and (
        binder.english_pronoun == IT if binder.noun is None else binder.noun.kind not in OWNING
    )
    if binder is None or thing or isinstance(binder, One):
        owner = _OWNERS(draw)
        return POSSESSIVES[owner, owner]
    owner = binder.pronoun if draw() < BOUND else _OWNERS(draw)
    return POSSESSIVES[owner, binder.english_pronoun if owner == binder.pronoun else owner]


def _extend(state: Derivation, phrase: NounPhrase, name: str, depth: int) -> None:
    """Add a genitive, a prepositional attribute or a relative clause."""
    draw = state.draw
    noun = phrase.noun
    assert noun is not None
    if name == "def" and noun.kind not in ("human", "nature", "sky"):
        if draw() < GENITIVE[depth]:
            people = lexicon().select("person").nouns
            assert people is not None
            owner = draw_noun_phrase(state, people(draw), DEPTH)
            if owner.determiner.name not in UNMARKED:
                phrase.genitive = owner
            return
        if draw() < OWNER:
            phrase.owner = Named(lexicon().names(draw), state.anchors())
            return
    if name in ("kein", "jeder"):
        return
    if draw() < ATTRIBUTE[depth]:
        prepositions = lexicon().attributes_of(noun)
        if prepositions is not None:
            preposition = prepositions(draw)
            # Several people do not share a coat.
            if not (phrase.plural and preposition.nouns == "garment"):
                phrase.after = draw_prepositional(state, preposition)
            return
    if name != "poss" and draw() < RELATIVE[depth]:
        phrase.after = state.relativize(state, phrase, depth + 1)


def draw_prepositional(state: Derivation, preposition: Preposition) -> Prepositional:
    """Draw the noun phrase of a preposition."""
    selection = lexicon().select(preposition.nouns)
    if selection.city and state.draw() < selection.city:
        nominal: Nominal = City(lexicon().cities(state.draw), state.anchors())
    else:
        assert selection.nouns is not None
        noun = selection.nouns(state.draw)
        if preposition.bare:
            nominal = NounPhrase(noun, False, DETERMINERS["def"], state.anchors(ANCHORS))
        else:
            # Nobody wears four jackets.
            worn = preposition.kind == "attribute" and noun.kind == "clothes"
            nominal = phrase = draw_noun_phrase(state, noun, DEPTH, single=worn)
            if preposition.case == GEN and phrase.determiner.name in UNMARKED:
                phrase.determiner, phrase.numeral = DETERMINERS["def"], None
    anchor = state.anchors()
    return Prepositional(
        preposition.word, preposition.case, preposition.english, nominal, anchor, bare=preposition.bare
    )


def draw_place(state: Derivation, nouns: str, whither: bool) -> Prepositional:
    """Draw a place to be at or to go to."""
    draw = state.draw
    entries = lexicon()
    if nouns == "city" or (not nouns and draw() < CITY):
        city = City(entries.cities(draw), state.anchors())
        word, english = ("nach", _TO) if whither else ("in", _IN)
        return Prepositional(word, DAT, english, city, state.anchors())
    if nouns or (not whither and draw() < RELATION):
        return _relation(state, nouns, whither)
    selection = entries.select("building+place").nouns
    assert selection is not None
    noun = selection(draw)
    place = noun.place
    assert place is not None
    phrase = draw_noun_phrase(state, noun, 1)
    if whither:
        case = DAT if place.whither == "zu" else ACC
        return Prepositional(place.whither, case, place.english_whither, phrase, state.anchors())
    return Prepositional(place.where, DAT, place.english_where, phrase, state.anchors())


def _relation(state: Derivation, nouns: str, whither: bool) -> Prepositional:
    """Draw `hinter dem Haus`, or `auf den Tisch` where a verb asks for furniture."""
    draw = state.draw
    entries = lexicon()
    if nouns:
        selection = entries.select(nouns).nouns
        assert selection is not None
        phrase = draw_noun_phrase(state, selection(draw), DEPTH)
        return Prepositional("auf", ACC if whither else DAT, _ON, phrase, state.anchors())
    relation = entries.relations(draw)
    return draw_prepositional(state, relation)
