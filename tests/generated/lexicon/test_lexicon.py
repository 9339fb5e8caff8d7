"""The tables of words: enough of them, well-formed, and all of them used."""

import pytest
from tests.generated.large_sample import large_sample

from tunesmith.errors import InputError
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.lexicon.rows import align, alternatives, columns


def test_there_are_more_than_300_lexical_entries() -> None:
    assert lexicon().entry_count() >= 300


def test_compounds_come_on_top_of_the_entries() -> None:
    built = [noun for noun in lexicon().nouns if noun.parts[0]]
    assert len(built) > 100
    assert all(noun.lemma == noun.parts[0] + noun.parts[1].lower() for noun in built)


def test_no_noun_is_listed_twice_in_a_class() -> None:
    keys = [(noun.kind, noun.lemma) for noun in lexicon().nouns]
    assert len(set(keys)) == len(keys)


def test_nouns_begin_with_a_capital() -> None:
    assert all(form[0].isupper() for noun in lexicon().nouns for form in noun.forms)


def test_every_noun_can_fill_a_role() -> None:
    words = lexicon()
    asked = {verb.subject for group in words.verbs.values() for verb in group}
    asked |= {
        slot.nouns
        for group in words.verbs.values()
        for verb in group
        for slot in verb.slots
        if slot.role in "ADP"
    }
    asked.add("building+place")
    usable = {noun for classes in asked for noun in words.members(classes)}
    assert [noun.lemma for noun in words.nouns if noun not in usable] == []


def test_every_noun_that_a_copula_may_describe_has_an_adjective() -> None:
    words = lexicon()
    assert [noun.lemma for noun in words.members("all") if words.adjectives_of(noun) is None] == []


def test_every_adjective_fits_some_noun() -> None:
    words = lexicon()
    assert all(words.members(classes) for _, classes in words.adjectives)


@pytest.fixture(scope="module")
def german() -> set[str]:
    """The German words of a large sample."""
    return {word for pair in large_sample() for word in pair.source.split()}


@pytest.mark.slow
def test_every_verb_is_used(german: set[str]) -> None:
    unused = []
    for group in lexicon().verbs.values():
        for verb in group:
            paradigm = verb.paradigm
            forms = {*paradigm.present, *paradigm.past, paradigm.infinitive, paradigm.participle}
            capitalized = {form.capitalize() for form in forms}
            if not (forms | capitalized) & german or not {*verb.fixed} <= german:
                unused.append(verb.lemma)
    assert unused == []


@pytest.mark.slow
def test_every_adjective_adverb_and_name_is_used(german: set[str]) -> None:
    words = lexicon()
    lower = {word.lower() for word in german}
    stems = tuple(lower)
    for adjective, _ in words.adjectives:
        assert any(form.startswith(adjective.stem) for form in stems), adjective.lemma
    for expression in words.expressions:
        assert {word.lower() for word, _ in expression.german} <= lower, expression.german
    for name in words.names.entries:
        assert {*name.words} <= german, name.words
    for city, _ in words.cities.entries:
        assert city in german, city
    for particle in words.particles.entries:
        assert particle in lower


def test_nearly_every_noun_is_seen_in_a_sample(german: set[str]) -> None:
    nouns = lexicon().nouns
    seen = sum(bool({*noun.forms} & german) for noun in nouns)
    assert seen > 0.98 * len(nouns)


def test_a_row_of_the_wrong_length_is_an_error() -> None:
    with pytest.raises(InputError, match="expected 2 columns"):
        columns("a | b\nc", 2)


def test_alternatives_carry_weights() -> None:
    assert alternatives("dog 8, hound") == [("dog", 8.0), ("hound", 1.0)]
    assert alternatives("call A 6 / call ~up A 2", " / ") == [("call A", 6.0), ("call ~up A", 2.0)]


def test_phrases_of_equal_length_are_aligned_word_by_word() -> None:
    german, english = align("letzte Woche", ["last week"])
    assert german == (("letzte", 1), ("Woche", 2))
    assert english == [(("last", 1), ("week", 2))]


def test_phrases_of_other_lengths_are_aligned_as_a_block() -> None:
    german, english = align("auf Wiedersehen !", ["goodbye !"])
    assert german == (("auf", 1), ("Wiedersehen", 1), ("!", 0))
    assert english == [(("goodbye", 1), ("!", 0))]


def test_given_numbers_decide_the_alignment() -> None:
    german, english = align("vor:1 zwei:2 Jahren:3", ["two:2 years:3 ago:1"])
    assert german[0] == ("vor", 1)
    assert english[0][2] == ("ago", 1)
    assert align("das:1 stimmt:2 .", ["that:1 is true:2 ."])[1][0][1] == ("is", -1)
