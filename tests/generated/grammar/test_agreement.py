"""Agreement and word order, checked on the text from outside the grammar."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.generated.large_sample import large_sample

from tunesmith.generated import SentencePair
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.morphology.german_verbs import AUXILIARIES, MODALS

Check = Callable[[str], tuple[int, list[str]]]

OPERATORS = {
    "is", "are", "am", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "ca",
    "will", "wo", "would", "should", "must", "may", "not",
}  # fmt: skip


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return large_sample()[:12_000]


def finite_forms(person: int | None = None) -> set[str]:
    """Return the finite verb forms of a person, or of all."""
    persons = range(6) if person is None else [person]
    forms = {table[p] for table in AUXILIARIES.values() for p in persons}
    forms |= {tense[p] for modal in MODALS.values() for tense in modal for p in persons}
    for group in lexicon().verbs.values():
        for verb in group:
            for tense in (verb.paradigm.present, verb.paradigm.past):
                forms |= {tense[p] for p in persons}
                forms |= {verb.paradigm.prefix + tense[p] for p in persons}
    return forms


@pytest.mark.slow
def test_determiners_adjectives_and_nouns_agree(pairs: list[SentencePair], phrase_errors: Check) -> None:
    checked = 0
    for pair in pairs:
        count, wrong = phrase_errors(pair.source)
        assert not wrong, (wrong, pair.source)
        checked += count
    assert checked > 8_000


def test_the_checker_finds_wrong_phrases(phrase_errors: Check) -> None:
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


@pytest.mark.parametrize(("pronoun", "person"), [("Ich", 0), ("Du", 1), ("Er", 2), ("Wir", 3)])
def test_german_verbs_agree_with_pronouns(pairs: list[SentencePair], pronoun: str, person: int) -> None:
    forms = finite_forms(person)
    seen = 0
    for pair in pairs:
        words = pair.source.split()
        if words[0] == pronoun:
            assert words[1] in forms, pair.source
            seen += 1
    assert seen > 20


def test_the_verb_is_second_after_an_adverb(pairs: list[SentencePair]) -> None:
    forms = finite_forms()
    seen = 0
    for pair in pairs:
        words = pair.source.split()
        if words[0] in ("Gestern", "Vielleicht", "Leider", "Natürlich", "Bald", "Damals", "Übermorgen"):
            assert words[1] in forms, pair.source
            seen += 1
    assert seen > 50


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


def test_prepositions_govern_their_cases(pairs: list[SentencePair]) -> None:
    not_dative = {"das", "die", "des", "eine", "einen", "ein", "meine"}
    not_accusative = {"dem", "der", "des", "einem", "einer", "diesem", "dieser", "meinem"}
    not_genitive = {"dem", "den", "das", "die", "einem", "einen", "diesem", "diesen"}
    never = {"mit": not_dative, "von": not_dative, "aus": not_dative, "nach": not_dative}
    never |= {"für": not_accusative, "gegen": not_accusative, "wegen": not_genitive, "trotz": not_genitive}
    seen = dict.fromkeys(never, 0)
    for pair in pairs:
        words = pair.source.split()
        for word, following in pairwise(words):
            if word.lower() in never:
                assert following not in never[word.lower()], pair.source
                seen[word.lower()] += 1
    assert all(count > 10 for count in seen.values())


def test_a_and_an_fit_the_next_word(pairs: list[SentencePair]) -> None:
    seen = 0
    for pair in pairs:
        words = pair.target.lower().split()
        for article, word in pairwise(words):
            if article in ("a", "an"):
                vowel = (
                    word[0] in "aeio" or word in ("umbrella", "uncle") or word.startswith(("hour", "honest"))
                )
                vowel = vowel and not word.startswith(("european", "one"))
                assert (article == "an") == vowel, pair.target
                seen += 1
    assert seen > 2_000


def test_english_verbs_agree_with_pronouns(pairs: list[SentencePair]) -> None:
    forms = [p.forms for group in lexicon().verbs.values() for verb in group for p in verb.english.entries]
    bases = {form.base for form in forms} - {form.past for form in forms} | {
        "have",
        "do",
        "are",
        "am",
        "were",
    }
    thirds = {form.third for form in forms} | {"is", "has", "does"}
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
    for pair in pairs:
        words = pair.target.lower().split()
        if words[-1] == "?":
            for word, following in pairwise(words):
                assert (word, following) not in {
                    ("do", "he"),
                    ("do", "she"),
                    ("does", "they"),
                    ("does", "we"),
                }
                assert (word, following) not in {
                    ("have", "he"),
                    ("has", "they"),
                    ("are", "he"),
                    ("is", "they"),
                }


def test_not_follows_a_helper(pairs: list[SentencePair]) -> None:
    seen = 0
    for pair in pairs:
        words = pair.target.lower().split()
        if words[-1] == ".":
            for word, following in pairwise(words):
                if following in ("not", "n't"):
                    assert word in OPERATORS, pair.target
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
        ("wird gelesen", "read"),
        (" zu ", " to "),
        (" , der ", " "),
        (" , weil ", " because "),
        (" ob ", " whether "),
        (" an .", " "),
        (" ?", " ?"),
        (" Sie bitte ", "lease"),
        (" größer als ", "er than "),
        ("Es gibt ", "There "),
        ("wurden ", "were "),
        ("gefällt ", " like"),
        (" gern ", " like"),
        (" ins Gras ", " "),
        (" seit ", " for "),
        (" nicht ", " not "),
        (" würde", " would "),
        (" im Jahr ", " in "),
    ],
)
def test_every_construction_occurs(pairs: list[SentencePair], german: str, english: str) -> None:
    assert any(german in pair.source and english in pair.target for pair in pairs)
