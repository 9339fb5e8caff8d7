from __future__ import annotations

import pickle
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_text

from tunesmith.errors import InputError
from tunesmith.texts import Texts

lists = st.lists(any_text)


@given(lists)
def test_texts_are_a_sequence_of_the_strings(strings: list[str]) -> None:
    texts = Texts.of(strings)
    assert list(texts) == strings
    assert [texts[i] for i in range(-len(strings), len(strings))] == strings * 2
    assert texts == strings
    assert texts.offsets[-1] == len("".join(strings).encode())


@given(st.lists(lists, min_size=1))
def test_texts_are_laid_one_after_another(columns: list[list[str]]) -> None:
    assert list(Texts.joined([Texts.of(column) for column in columns])) == list(chain(*columns))


@given(lists, st.data())
def test_rows_and_slices_are_taken_in_any_order(strings: list[str], data: st.DataObject) -> None:
    texts = Texts.of(strings)
    rows = data.draw(st.lists(st.sampled_from(range(len(strings))))) if strings else []
    assert list(texts.take(rows)) == [strings[row] for row in rows]
    part = data.draw(st.slices(len(strings)))
    assert list(texts[part]) == strings[part]


@given(lists, lists)
def test_equal_strings_are_equal_texts(one: list[str], other: list[str]) -> None:
    assert (Texts.of(one) == Texts.of(other)) == (one == other)
    assert Texts.of(one) == Texts.of(list(one))
    assert hash(Texts.of(one)) == hash(Texts.of(list(one)))


@given(lists)
def test_texts_survive_pickling(strings: list[str]) -> None:
    assert pickle.loads(pickle.dumps(Texts.of(strings))) == strings


@pytest.mark.parametrize("row", [-1, 2])
def test_rows_outside_are_an_error(row: int) -> None:
    with pytest.raises(InputError, match="outside"):
        Texts.of(["a", "b"]).take([row])
    with pytest.raises(IndexError):
        Texts.of(["a", "b"])[2]


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(InputError, match="text 1 is 5; expected a string"):
        Texts.of(["a", 5])  # type: ignore[list-item]
    with pytest.raises(InputError, match="text 0 has a lone surrogate"):
        Texts.of(["\ud800"])
