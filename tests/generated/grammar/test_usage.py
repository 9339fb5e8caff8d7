"""What careful readers took exception to, checked on the text and on the trees."""

import re
from itertools import pairwise

import pytest
from tests.generated.large_sample import large_sample

from tunesmith.generated import SentencePair
from tunesmith.generated.draw import Stream
from tunesmith.generated.grammar.clause import Clause
from tunesmith.generated.grammar.derivation import Derivation
from tunesmith.generated.grammar.derive_clause import draw_clause, relativize
from tunesmith.generated.grammar.derive_nominal import draw_noun_phrase
from tunesmith.generated.grammar.determiner import DETERMINERS, POSSESSIVES
from tunesmith.generated.grammar.english_plan import VOLITION
from tunesmith.generated.grammar.nominal import Pair
from tunesmith.generated.grammar.noun_phrase import NounPhrase
from tunesmith.generated.grammar.predicate import Comparison
from tunesmith.generated.lexicon.lexicon import lexicon

pytestmark = pytest.mark.slow

FREQUENCY = {"often", "frequently", "always", "sometimes", "never", "rarely", "seldom", "usually", "mostly"}
SENTENCE = {"probably", "perhaps", "maybe", "certainly", "surely", "unfortunately", "apparently", "course"}


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return large_sample()


@pytest.fixture(scope="module")
def clauses() -> list[Clause]:
    stream = Stream()
    return [draw_clause(Derivation(stream.start(1, i, 0), relativize)) for i in range(12_000)]


@pytest.mark.parametrize(
    "wrong",
    [
        r"\b(wifes|waked|iller|littler)\b",
        r"^When (has|have) ",
        r"^In case ",
        r"\b(leg|nerves) of\b",
        r"\binto the (street|road)\b",
        r"\b(nobody|no one|somebody|everyone) (became|become|is|was) [a-z]+s \.",
        r"\b(wants?|wanted|likes?) to be ([a-z]+(ed|en|ght)|read|sold|drunk|made)\b",
        r"\b(knew|thought|believed|hoped|claimed) that (he|she|it|they|we|you|I) (has|have) ",
        r"\bkitchen wardrobe|peace contract|office house|computer match\b",
        r"\bin (a|the|his|her|my) (shoe|glove|glasses|ring)\b",
    ],
)
def test_nobody_says(pairs: list[SentencePair], wrong: str) -> None:
    for pair in pairs:
        assert not re.search(wrong, pair.target), pair


def test_a_pair_of_glasses_is_one(pairs: list[SentencePair]) -> None:
    names = r"(?:trousers|pants|glasses|scissors)"
    seen = 0
    for pair in pairs:
        found = re.match(rf"A pair of (?:[a-z]+ )?{names} (\w+) ", pair.target)
        if found:
            assert found[1] not in ("are", "were", "have", "do"), pair.target
            seen += found[1] in ("is", "was", "has", "does")
    assert seen > 0


def test_since_is_said_in_the_perfect(pairs: list[SentencePair]) -> None:
    seen = 0
    for pair in pairs:
        if " seit " in pair.source or pair.source.startswith("Seit "):
            assert {"has", "have"} & {*pair.target.lower().split()}, pair
            seen += 1
    assert seen > 20


def test_sentence_adverbs_come_before_those_of_frequency(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        for first, second in pairwise(pair.target.split()):
            assert not (first in FREQUENCY and second in SENTENCE), pair.target


def test_what_comes_is_said_in_the_future(pairs: list[SentencePair]) -> None:
    helpers = {"will", "wo", "going", "can", "could", "ca", "must", "may", "should", "would", "to"}
    seen = 0
    for pair in pairs:
        words = pair.source.split()
        single = words[-1] == "." and not {",", "und", "oder"} & {*words}
        if single and {"morgen", "bald", "Bald", "übermorgen"} & {*words}:
            assert helpers & {*pair.target.split()}, pair
            seen += 1
    assert seen > 50


def test_after_something_had_happened(pairs: list[SentencePair]) -> None:
    past = ("hatte", "hattest", "hatten", "hattet", "war", "warst", "waren", "wart")
    seen = 0
    for pair in pairs:
        found = re.search(r" , nachdem ([^,]*) \.$", pair.source)
        if found:
            assert found[1].split()[-1] in past, pair.source
            seen += 1
    assert seen > 50


def test_nothing_wants_to_be_done(clauses: list[Clause]) -> None:
    passives = [clause for clause in clauses if clause.passive and clause.modal]
    assert len(passives) > 10
    assert not any(clause.modal in VOLITION for clause in passives)


def test_two_objects_are_negated_only_if_both_are_definite(clauses: list[Clause]) -> None:
    objects = [clause.roles["A"] for clause in clauses if clause.negation and "A" in clause.roles]
    pairs = [nominal for nominal in objects if isinstance(nominal, Pair)]
    assert pairs
    assert all(pair.definite for pair in pairs)


def test_things_own_nobody() -> None:
    table = next(noun for noun in lexicon().nouns if noun.lemma == "Tisch")
    mother = next(noun for noun in lexicon().nouns if noun.lemma == "Mutter")
    stream = Stream()
    its = {id(POSSESSIVES[german, 4]) for german in range(9)}
    owned = 0
    for i in range(400):
        state = Derivation(stream.start(2, i, 0), relativize)
        binder = NounPhrase(table, False, DETERMINERS["def"], state.anchors(8))
        phrase = draw_noun_phrase(state, mother, 0, binder)
        owned += phrase.determiner.name == "possessive"
        assert id(phrase.determiner) not in its
    assert owned > 100


def test_adjectives_do_not_contradict_each_other(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        assert not re.search(
            r"\b(leichte\w* schwere|schwere\w* leichte|arme\w* reiche|alte\w* neue)", pair.source
        )


def test_since_before_a_past_would_be_a_time(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        assert not re.search(r"\b[Ss]ince (he|she|they|we|I|you|it) (was|were|did|had)\b", pair.target), pair


def test_people_are_not_joined_with_things(clauses: list[Clause]) -> None:
    nominals = [nominal for clause in clauses for nominal in (clause.subject, *clause.roles.values())]
    pairs = [nominal for nominal in nominals if isinstance(nominal, Pair)]
    assert len(pairs) > 100
    for pair in pairs:
        people = {part.noun.kind in ("human", "job") for part in (pair.first, pair.second) if part.noun}
        assert len(people) == 1


def test_what_happens_as_soon_as_something_does_is_not_happening_now(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        main = re.match(r"([^,]*) , (sobald|bevor|bis|falls|damit) ", pair.source)
        assert main is None or not {"gerade", "jetzt", "seit"} & {*main[1].split()}, pair.source


def test_nothing_is_compared_with_its_own_kind(clauses: list[Clause]) -> None:
    compared = [clause for clause in clauses if isinstance(clause.predicate, Comparison)]
    assert len(compared) > 50
    for clause in compared:
        assert isinstance(clause.predicate, Comparison)
        noun = clause.subject.noun
        assert noun is None or clause.predicate.other.noun is not noun
