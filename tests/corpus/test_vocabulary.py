"""Words and their numbers."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus import Vocabulary
from tunesmith.errors import InputError


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=200))
def test_numbers_are_those_of_a_dictionary(words: list[str]) -> None:
    vocabulary = Vocabulary()
    known: dict[str, int] = {}
    for word in words:
        assert vocabulary.add(word) == known.setdefault(word, len(known))
    assert len(vocabulary) == len(known)
    assert list(vocabulary.words()) == list(known)
    assert all(vocabulary[number] == word and word in vocabulary for word, number in known.items())


def test_unknown_words_are_minus_one() -> None:
    vocabulary = Vocabulary(["a"])
    assert (vocabulary.find("a"), vocabulary.find("b")) == (0, -1)
    assert "b" not in vocabulary
    assert len(vocabulary) == 1


def test_a_number_without_word_is_an_error() -> None:
    for number in (-1, 1, 1000):
        with pytest.raises(InputError, match="there is no word"):
            Vocabulary(["a"])[number]


def test_many_words_are_found_after_the_table_has_grown() -> None:
    vocabulary = Vocabulary(f"w{number}" for number in range(50_000))
    assert all(vocabulary.find(f"w{number}") == number for number in range(0, 50_000, 37))


def test_a_vocabulary_is_pickled() -> None:
    copy = pickle.loads(pickle.dumps(Vocabulary(["b", "a", "ü"])))
    assert list(copy.words()) == ["b", "a", "ü"]
    assert copy.add("new") == 3


def test_a_lone_surrogate_is_no_word() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        Vocabulary(["a", "\ud800"])
