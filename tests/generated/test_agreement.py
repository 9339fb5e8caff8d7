"""Agreement and word order, checked on the text from outside the grammar."""

from functools import cache
from itertools import pairwise

import pytest
from tests.generated.noun_phrases import phrase_errors

from tunesmith.generated import SentencePair, generate
from tunesmith.generated.english import past, third
from tunesmith.generated.german import AUXILIARIES, MODAL_FORMS
from tunesmith.generated.lexicon import lexicon

OPERATORS = {
    "is", "are", "am", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could",
    "will", "would", "should", "may", "not",
}  # fmt: skip


@cache
def sample() -> list[SentencePair]:
    return list(generate(6_000, seed=6, noise=0))


@pytest.fixture
def pairs() -> list[SentencePair]:
    return sample()


def finite_forms(person: int | None = None) -> set[str]:
    """Return the finite verb forms of a person, or of all."""
    persons = range(6) if person is None else [person]
    forms = {table[p] for table in AUXILIARIES.values() for p in persons}
    forms |= {tense[p] for modal in MODAL_FORMS.values() for tense in modal for p in persons}
    for group in lexicon().verbs.values():
        for verb in group.entries:
            for tense in (verb.paradigm.present, verb.paradigm.past):
                forms |= {tense[p] for p in persons}
                forms |= {verb.paradigm.prefix + tense[p] for p in persons}
    return forms


@pytest.mark.slow
def test_determiners_adjectives_and_nouns_agree(pairs: list[SentencePair]) -> None:
    checked = 0
    for pair in pairs:
        count, wrong = phrase_errors(pair.source)
        assert not wrong, (wrong, pair.source)
        checked += count
    assert checked > 5_000


def test_the_checker_finds_wrong_phrases() -> None:
    for phrase in (
        "die Mann",
        "dem alte Hund",
        "ein kleine Kind",
        "viele neuen Bücher",
        "im Frau",
        "des Mann",
    ):
        assert phrase_errors(phrase)[1], phrase
    for phrase in ("der Mann", "dem alten Hund", "ein kleines Kind", "viele neue Bücher", "zur Frau"):
        assert phrase_errors(phrase) == (1, []), phrase


@pytest.mark.parametrize(
    ("first", "person"),
    [("Ich", 0), ("Du", 1), ("Er", 2), ("Wir", 3), *((word, None) for word in ("Gestern", "Leider", "Bald"))],
)
def test_the_verb_is_second_and_agrees(pairs: list[SentencePair], first: str, person: int | None) -> None:
    seconds = [words[1] for words in (pair.source.split() for pair in pairs) if words[0] == first]
    assert len(seconds) > 10
    assert {*seconds} <= finite_forms(person)


def test_the_verb_is_last_in_subordinate_clauses(pairs: list[SentencePair]) -> None:
    forms = finite_forms()
    seen = 0
    for pair in pairs:
        clause = pair.source.split(" , ")[-1].split()
        whole = clause[-1] == "." and not {"und", "oder"} & {*clause}
        if whole and clause[0] in ("weil", "obwohl", "dass", "ob", "wenn", "als"):
            assert clause[-2] in forms, pair.source
            seen += 1
    assert seen > 300


@pytest.mark.parametrize(
    ("preposition", "wrong"),
    [
        ("mit", "das die des eine einen ein meine"),
        ("für", "dem der des einem einer diesem dieser meinem"),
        ("wegen", "dem den das die einem einen diesem diesen"),
    ],
)
def test_prepositions_govern_their_cases(pairs: list[SentencePair], preposition: str, wrong: str) -> None:
    found = [
        two[1] for pair in pairs for two in pairwise(pair.source.lower().split()) if two[0] == preposition
    ]
    assert len(found) > 10
    assert not {*wrong.split()} & {*found}


def test_a_and_an_fit_the_next_word(pairs: list[SentencePair]) -> None:
    found = [two for pair in pairs for two in pairwise(pair.target.lower().split()) if two[0] in ("a", "an")]
    assert len(found) > 2_000
    for article, word in found:
        vowel = word[0] in "aeio" or word.startswith(("umbr", "unc", "hour", "honest"))
        assert (article == "an") == (vowel and not word.startswith(("european", "one"))), word


def test_english_verbs_agree_with_pronouns(pairs: list[SentencePair]) -> None:
    patterns = [
        p for group in lexicon().verbs.values() for verb in group.entries for p in verb.patterns.entries
    ]
    verbs = {pattern[0] for pattern in patterns if pattern[0].islower()} - {"it", "there", "be"}
    bases = verbs - {past(verb)[0] for verb in verbs} | {"have", "do", "are", "am", "were"}
    thirds = {third(verb) for verb in verbs} | {"is", "has", "does"}
    seen = 0
    for pair in pairs:
        words = pair.target.lower().split()
        for before, word, following in zip(["", *words], words, words[1:], strict=False):
            if before in OPERATORS or before == "n't":
                continue
            if word in ("he", "she"):
                assert following not in bases, pair.target
                seen += 1
            elif word in ("i", "we", "they"):
                assert following not in thirds, pair.target
                seen += 1
    assert seen > 2_000


def test_helpers_agree_with_the_pronouns_that_follow_them(pairs: list[SentencePair]) -> None:
    wrong = {("do", "he"), ("do", "she"), ("does", "they"), ("does", "we"), ("have", "he"), ("has", "they")}
    wrong |= {("are", "he"), ("is", "they")}
    for pair in pairs:
        if pair.target.endswith("?"):
            assert not wrong & {*pairwise(pair.target.lower().split())}, pair.target


def test_not_follows_a_helper(pairs: list[SentencePair]) -> None:
    seen = 0
    for words in (pair.target.lower().split() for pair in pairs if pair.target.endswith(" .")):
        for word, following, after in zip(words, words[1:], words[2:], strict=False):
            if following in ("not", "n't"):
                assert word in OPERATORS or after == "to", words
                seen += 1
    assert seen > 300


def test_negations_are_translated_as_negations(pairs: list[SentencePair]) -> None:
    negative = {"not", "n't", "no", "nobody", "never", "nothing"}
    for pair in pairs:
        source, target = {*pair.source.lower().split()}, {*pair.target.lower().split()}
        german = {word for word in source if word == "nicht" or word.startswith("kein")}
        if german and "stimmt" not in source:  # a saying: `That is wrong`
            assert negative & target, (pair.source, pair.target)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        (" worden ", " been "),
        (" zu ", " to "),
        (" , der ", " "),
        (" , weil ", " because "),
        (" ob ", " whether "),
        (" an .", " "),
        (" ?", " ?"),
        (" Sie ", " !"),
        (" größer als ", "er than "),
        ("Es gibt ", "There "),
        ("wurden ", "were "),
        ("gefällt ", " like"),
        (" ins Gras ", " "),
        (" nicht ", " not "),
        (" hatte ", " had "),
        (" im Jahr ", " in "),
        (" werden ", " going to "),
    ],
)
def test_every_construction_occurs(pairs: list[SentencePair], german: str, english: str) -> None:
    assert any(german in pair.source and english in pair.target for pair in pairs)


def test_a_separated_prefix_and_its_verb_are_linked_to_the_same_words(pairs: list[SentencePair]) -> None:
    paradigms = [verb.paradigm for group in lexicon().verbs.values() for verb in group.entries]
    separable = {
        form: verb.prefix for verb in paradigms if verb.prefix for form in (*verb.present, *verb.past)
    }
    seen = 0
    for pair in pairs:
        words = pair.source.split()
        finite = [i for i, word in enumerate(words) if separable.get(word) == words[-2]]
        if len(finite) == 1 and "," not in words:
            verb, prefix = (
                {j for i, j in pair.alignment if i == place} for place in (finite[0], len(words) - 2)
            )
            assert verb and verb == prefix, pair
            seen += 1
    assert seen > 50
