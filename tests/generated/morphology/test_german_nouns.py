"""German nouns and endings."""

import pytest

from tunesmith.generated.morphology.german_nouns import (
    ACC,
    DAT,
    DEFINITE,
    GEN,
    MIXED,
    NOM,
    PLURAL,
    STRONG,
    WEAK,
    noun_forms,
)


@pytest.mark.parametrize(
    ("lemma", "plural", "genitive", "forms"),
    [
        ("Hund", "Hunde", "es", "Hund Hund Hund Hundes Hunde Hunde Hunden Hunde"),
        ("Frau", "Frauen", "-", "Frau Frau Frau Frau Frauen Frauen Frauen Frauen"),
        ("Auto", "Autos", "s", "Auto Auto Auto Autos Autos Autos Autos Autos"),
        ("Student", "Studenten", "en", "Student Studenten Studenten Studenten " + "Studenten " * 4),
        ("Bus", "Busse", "ses", "Bus Bus Bus Busses Busse Busse Bussen Busse"),
    ],
)
def test_nouns_are_declined(lemma: str, plural: str, genitive: str, forms: str) -> None:
    assert noun_forms(lemma, plural, genitive) == tuple(forms.split())


def cell(table: tuple[str, ...], column: int, case: int) -> str:
    return table[column * 4 + case]


def test_article_and_adjective_endings_are_those_of_the_grammar_books() -> None:
    assert [cell(DEFINITE, 0, case) for case in (NOM, ACC, DAT, GEN)] == ["der", "den", "dem", "des"]
    assert [cell(WEAK, 0, case) for case in (NOM, ACC, DAT, GEN)] == ["e", "en", "en", "en"]
    assert [cell(MIXED, 2, case) for case in (NOM, ACC, DAT, GEN)] == ["es", "es", "en", "en"]
    assert [cell(STRONG, PLURAL, case) for case in (NOM, ACC, DAT, GEN)] == ["e", "e", "en", "er"]
    assert [cell(STRONG, 1, case) for case in (NOM, ACC, DAT, GEN)] == ["e", "e", "er", "er"]
