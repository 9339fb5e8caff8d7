"""The first of equal pairs stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.duplicates import Duplicates, pair_digests
from tunesmith.errors import InputError
from tunesmith.texts import Texts

PAIRS = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "a b"]), st.sampled_from(["", "x", "y"])), max_size=20
)


@given(PAIRS, st.sampled_from(["pair", "source", "target"]), st.integers(0, 20))
def test_repeats_are_those_of_a_plain_list(pairs: list[tuple[str, str]], by: str, cut: int) -> None:
    key = {"pair": lambda p: p, "source": lambda p: p[0], "target": lambda p: p[1]}[by]
    keys = [key(pair) for pair in pairs]
    expected = [keys[i] in keys[:i] for i in range(len(keys))]
    duplicates = Duplicates(by)  # type: ignore[arg-type]
    found = []
    for part in (pairs[:cut], pairs[cut:]):  # blocks remember those before
        source, target = Texts.of(p[0] for p in part), Texts.of(p[1] for p in part)
        found += duplicates.add(source, target).tolist()
    assert found == expected


def test_words_that_move_over_the_border_make_another_pair() -> None:
    first, second = pair_digests([Texts.of(["a b", "a"]), Texts.of(["c", "b c"])])
    assert first != second


def test_sides_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="the same number on each"):
        Duplicates().add(Texts.of(["a", "b"]), Texts.of(["a"]))
