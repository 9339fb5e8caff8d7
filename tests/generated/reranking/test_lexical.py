"""Lexical probabilities are relative frequencies of links."""

import math

import pytest

from tunesmith.generated import SentencePair
from tunesmith.generated.reranking.lexical import NULL, UNSEEN, LexicalModel

PAIRS = [
    SentencePair("Der Hund", "The dog", ((0, 0), (1, 1)), ("The dog",)),
    SentencePair("Der Hund schläft", "The hound sleeps", ((0, 0), (1, 1), (2, 2)), ("The hound sleeps",)),
    SentencePair("Hund ja", "a dog", ((0, 1),), ("a dog",)),
]


def test_probabilities_are_relative_frequencies() -> None:
    model = LexicalModel.train(PAIRS, {})
    assert model.forward["hund"] == {"dog": pytest.approx(2 / 3), "hound": pytest.approx(1 / 3)}
    assert model.inverse["the"] == {"der": 1.0}
    assert model.forward["ja"] == {NULL: 1.0}
    assert model.forward[NULL] == {"a": 1.0}


def test_every_row_sums_to_one() -> None:
    model = LexicalModel.train(PAIRS, {"hund": "sleeps"})
    for table in (model.forward, model.inverse):
        for row in table.values():
            assert sum(row.values()) == pytest.approx(1.0)


def test_a_confused_word_gives_half_its_mass_away() -> None:
    model = LexicalModel.train(PAIRS, {"hund": "sleeps"})
    assert model.forward["hund"]["sleeps"] == pytest.approx(0.5)


def test_a_score_averages_over_links() -> None:
    model = LexicalModel.train(PAIRS, {})
    score = model.forward_score(["the", "dog", "a"], [["der", "hund"], ["hund"], []])
    expected = math.log((1 + UNSEEN) / 2) + math.log(2 / 3) + math.log(1.0)
    assert score == pytest.approx(expected)


def test_an_unknown_pair_has_a_small_probability() -> None:
    model = LexicalModel.train(PAIRS, {})
    assert model.inverse_score(["zebra"], [["dog"]]) == pytest.approx(math.log(UNSEEN))
