from __future__ import annotations

import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import Chrf


def test_statistics_are_triples_an_order() -> None:
    # characters a b c d | a b d; pairs ab bc cd | ab bd
    assert Chrf(char_order=2).stats("ab cd", ["ab d"]).tolist() == [4, 3, 3, 3, 2, 1]


def test_word_order_two_is_chrf_plus_plus() -> None:
    metric = Chrf(word_order=2)
    assert metric.label == "chrf++"
    assert metric.width == 3 * (6 + 2)
    assert metric.stats("(a) b.", ["(a) b."])[18:].tolist() == [4, 4, 4, 3, 3, 3]


def test_spaces_count_only_if_asked() -> None:
    spaced = Chrf(whitespace=True)
    assert spaced.stats(" a b", ["a b"])[:3].tolist() == [4, 3, 3]
    assert float(Chrf().score(Chrf().stats(" a b", ["ab"]))) == 1


def test_the_best_reference_is_chosen_for_each_hypothesis() -> None:
    metric = Chrf()
    both = metric.stats("good morning", ["bad evening", "good mornings"])
    assert both.tolist() == metric.stats("good morning", ["good mornings"]).tolist()


def test_beta_weighs_recall() -> None:
    short = "the cat"
    scores = [
        float(Chrf(beta=beta).score(Chrf(beta=beta).stats(short, ["the cat sat"]))) for beta in (0.5, 1, 2)
    ]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "options", [{"char_order": -1}, {"char_order": 0}, {"beta": 0}, {"char_order": 40}, {"beta": "2"}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="chrf"):
        Chrf(**options)  # type: ignore[arg-type]
