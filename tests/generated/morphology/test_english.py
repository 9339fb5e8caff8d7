"""English inflection."""

import pytest

from tunesmith.generated.morphology.english import comparative, is_vowel_sound, plural, verb_forms


@pytest.mark.parametrize(
    ("singular", "expected"),
    [
        ("dog", "dogs"),
        ("bus", "buses"),
        ("city", "cities"),
        ("boy", "boys"),
        ("child", "children"),
        ("knife", "knives"),
        ("washing machine", "washing machines"),
        ("watch", "watches"),
        ("sheep", "sheep"),
        ("wife", "wives"),
    ],
)
def test_nouns_have_plurals(singular: str, expected: str) -> None:
    assert plural(singular) == expected


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("buy", "buys bought bought buying"),
        ("stop", "stops stopped stopped stopping"),
        ("try", "tries tried tried trying"),
        ("play", "plays played played playing"),
        ("go", "goes went gone going"),
        ("lie", "lies lay lain lying"),
        ("agree", "agrees agreed agreed agreeing"),
        ("put", "puts put put putting"),
        ("have", "has had had having"),
        ("fix", "fixes fixed fixed fixing"),
        ("write", "writes wrote written writing"),
        ("wake", "wakes woke woken waking"),
    ],
)
def test_verbs_have_forms(base: str, forms: str) -> None:
    verb = verb_forms(base)
    assert [verb.third, verb.past, verb.participle, verb.gerund] == forms.split()


@pytest.mark.parametrize(
    ("adjective", "expected"),
    [
        ("old", "older"),
        ("big", "bigger"),
        ("nice", "nicer"),
        ("happy", "happier"),
        ("good", "better"),
        ("expensive", "more expensive"),
        ("famous", "more famous"),
        ("simple", "simpler"),
        ("quiet", "quieter"),
        ("interesting", "more interesting"),
        ("ill", "sicker"),
        ("little", "smaller"),
    ],
)
def test_adjectives_have_comparatives(adjective: str, expected: str) -> None:
    assert " ".join(comparative(adjective)) == expected


@pytest.mark.parametrize("word", ["apple", "hour", "honest", "idea", "umbrella", "old"])
def test_an_stands_before_vowel_sounds(word: str) -> None:
    assert is_vowel_sound(word)


@pytest.mark.parametrize("word", ["dog", "university", "useful", "European", "house", "year"])
def test_a_stands_before_consonant_sounds(word: str) -> None:
    assert not is_vowel_sound(word)
