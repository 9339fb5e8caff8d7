"""Forms of both languages against a school grammar."""

import pytest

from tunesmith.generated.english import comparative, gerund, is_vowel_sound, past, plural, third
from tunesmith.generated.german import conjugate, decline
from tunesmith.generated.lexicon import lexicon


@pytest.mark.parametrize(
    ("given", "forms"),
    [
        ("Hund m Hunde", "Hund Hund Hund Hundes Hunde Hunde Hunden Hunde"),
        ("Frau f Frauen", "Frau Frau Frau Frau Frauen Frauen Frauen Frauen"),
        ("Auto n Autos", "Auto Auto Auto Autos Autos Autos Autos Autos"),
        ("Student w Studenten", "Student" + " Studenten" * 7),
        ("Bus m Busse", "Bus Bus Bus Busses Busse Busse Bussen Busse"),
        ("Milch f -", " ".join(["Milch"] * 8)),
    ],
)
def test_german_nouns_are_declined(given: str, forms: str) -> None:
    assert " ".join(decline(*given.split())) == forms


@pytest.mark.parametrize(
    ("infinitive", "present"),
    [
        ("kaufen", "kaufe kaufst kauft kaufen kauft kaufen"),
        ("arbeiten", "arbeite arbeitest arbeitet arbeiten arbeitet arbeiten"),
        ("öffnen", "öffne öffnest öffnet öffnen öffnet öffnen"),
        ("lernen", "lerne lernst lernt lernen lernt lernen"),
        ("lächeln", "lächle lächelst lächelt lächeln lächelt lächeln"),
        ("ändern", "ändere änderst ändert ändern ändert ändern"),
        ("lesen", "lese liest liest lesen lest lesen"),
        ("fahren", "fahre fährst fährt fahren fahrt fahren"),
        ("wissen", "weiß weißt weiß wissen wisst wissen"),
        ("sein", "bin bist ist sind seid sind"),
    ],
)
def test_the_german_present_is_conjugated(infinitive: str, present: str) -> None:
    assert " ".join(conjugate(infinitive).present) == present


@pytest.mark.parametrize(
    ("infinitive", "forms"),
    [
        ("kaufen", "kaufte gekauft zu kaufen"),
        ("verkaufen", "verkaufte verkauft zu verkaufen"),
        ("reparieren", "reparierte repariert zu reparieren"),
        ("regnen", "regnete geregnet zu regnen"),
        ("ab-holen", "holte abgeholt abzuholen"),
        ("unterstützen", "unterstützte unterstützt zu unterstützen"),
        ("an-rufen", "rief angerufen anzurufen"),
        ("vergessen", "vergaß vergessen zu vergessen"),
    ],
)
def test_german_past_participle_and_infinitive_are_formed(infinitive: str, forms: str) -> None:
    verb = conjugate(infinitive)
    assert f"{verb.past[2]} {verb.participle} {verb.zu}" == forms


def test_english_nouns_have_plurals() -> None:
    given = ["dog", "bus", "city", "boy", "washing machine", "child", "knife", "watch", "sheep"]
    forms = ["dogs", "buses", "cities", "boys", "washing machines", "children", "knives", "watches", "sheep"]
    assert [plural(noun) for noun in given] == forms


@pytest.mark.parametrize(
    "forms",
    [
        "buy buys bought bought buying",
        "stop stops stopped stopped stopping",
        "try tries tried tried trying",
        "play plays played played playing",
        "go goes went gone going",
        "lie lies lay lain lying",
        "agree agrees agreed agreed agreeing",
        "have has had had having",
        "fix fixes fixed fixed fixing",
        "write writes wrote written writing",
    ],
)
def test_english_verbs_have_forms(forms: str) -> None:
    base = forms.split(maxsplit=1)[0]
    assert " ".join([base, third(base), *past(base), gerund(base)]) == forms


def test_english_adjectives_have_comparatives() -> None:
    given = ["old", "big", "nice", "happy", "good", "expensive", "famous", "simple", "quiet"]
    forms = "older, bigger, nicer, happier, better, more expensive, more famous, simpler, quieter"
    assert ", ".join(comparative(adjective) for adjective in given) == forms


def test_an_stands_before_vowel_sounds() -> None:
    assert all(map(is_vowel_sound, ["apple", "hour", "honest", "idea", "umbrella", "old"]))
    assert not any(map(is_vowel_sound, ["dog", "university", "useful", "European", "house", "year"]))


def test_there_are_hundreds_of_nouns_and_compounds_inherit_from_their_heads() -> None:
    nouns = lexicon().nouns
    assert len(nouns) > 500
    door = nouns["Küchentür"]
    assert (door.gender, door.forms[4]) == ("f", "Küchentüren")
    assert door.english.entries == (("kitchen door", "kitchen doors", ""),)


def test_every_class_that_a_verb_asks_for_has_nouns() -> None:
    words = lexicon()
    for group in words.verbs.values():
        for verb in group.entries:
            for spec in (verb.subject, *(slot.spec for slot in verb.slots)):
                assert spec in ("", "es") or words.choose(spec).entries
