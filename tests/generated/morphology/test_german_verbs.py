"""German conjugation against forms from a school grammar."""

import pytest

from tunesmith.generated.morphology.german_verbs import AUXILIARIES, MODALS, conjugate


@pytest.mark.parametrize(
    ("infinitive", "given", "present"),
    [
        ("kaufen", "", "kaufe kaufst kauft kaufen kauft kaufen"),
        ("arbeiten", "", "arbeite arbeitest arbeitet arbeiten arbeitet arbeiten"),
        ("öffnen", "", "öffne öffnest öffnet öffnen öffnet öffnen"),
        ("lernen", "", "lerne lernst lernt lernen lernt lernen"),
        ("lächeln", "", "lächle lächelst lächelt lächeln lächelt lächeln"),
        ("spielen", "", "spiele spielst spielt spielen spielt spielen"),
        ("ändern", "", "ändere änderst ändert ändern ändert ändern"),
        ("putzen", "", "putze putzt putzt putzen putzt putzen"),
        ("lesen", "liest las gelesen", "lese liest liest lesen lest lesen"),
        ("fahren", "fährt fuhr gefahren s", "fahre fährst fährt fahren fahrt fahren"),
        ("an-halten", "hält/hältst hielt gehalten", "halte hältst hält halten haltet halten"),
        ("wissen", "weiß/weißt wusste gewusst", "weiß weißt weiß wissen wisst wissen"),
        ("sein", "ist war gewesen s", "bin bist ist sind seid sind"),
    ],
)
def test_the_present_is_conjugated(infinitive: str, given: str, present: str) -> None:
    assert " ".join(conjugate(infinitive, given).present) == present


@pytest.mark.parametrize(
    ("infinitive", "given", "past", "participle", "zu"),
    [
        ("kaufen", "", "kaufte", "gekauft", "zu kaufen"),
        ("verkaufen", "", "verkaufte", "verkauft", "zu verkaufen"),
        ("reparieren", "", "reparierte", "repariert", "zu reparieren"),
        ("arbeiten", "", "arbeitete", "gearbeitet", "zu arbeiten"),
        ("regnen", "", "regnete", "geregnet", "zu regnen"),
        ("ab-holen", "", "holte", "abgeholt", "abzuholen"),
        ("vor-bereiten", "", "bereitete", "vorbereitet", "vorzubereiten"),
        ("unterstützen", "", "unterstützte", "unterstützt", "zu unterstützen"),
        ("an-rufen", "ruft rief gerufen", "rief", "angerufen", "anzurufen"),
        ("vergessen", "vergisst vergaß vergessen", "vergaß", "vergessen", "zu vergessen"),
    ],
)
def test_past_participle_and_infinitive_are_formed(
    infinitive: str, given: str, past: str, participle: str, zu: str
) -> None:
    paradigm = conjugate(infinitive, given)
    assert (paradigm.past[2], paradigm.participle, paradigm.zu) == (past, participle, zu)


def test_strong_and_weak_pasts_take_their_plural_endings() -> None:
    assert conjugate("lesen", "liest las gelesen").past[5] == "lasen"
    assert conjugate("kaufen", "").past[5] == "kauften"
    assert conjugate("bringen", "bringt brachte gebracht").past[3] == "brachten"


def test_the_perfect_knows_its_auxiliary() -> None:
    assert conjugate("fahren", "fährt fuhr gefahren s").sein
    assert conjugate("folgen", "s").sein
    assert not conjugate("kaufen", "").sein


def test_auxiliaries_and_modals_have_six_persons() -> None:
    for forms in (*AUXILIARIES.values(), *(tense for modal in MODALS.values() for tense in modal)):
        assert len(forms) == 6
    assert AUXILIARIES["würde"][1] == "würdest"
    assert MODALS["müssen"][1][0] == "musste"
