"""Hypothesis strategies that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.texts import Texts

# How long an example takes depends on what else the machine does.
settings.register_profile("tunesmith", deadline=None)
settings.load_profile("tunesmith")

# Lone surrogates ("Cs") cannot be written as UTF-8.
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
word = st.text(
    st.characters(exclude_categories=["Cs", "Z", "C"], exclude_characters="|"), min_size=1, max_size=5
)
plain_text = st.lists(word, max_size=6).map(" ".join)
"""Words between single blanks, as decoders write them; may be empty."""
feature_name = word
number = st.floats(allow_nan=False, allow_infinity=False)
small_number = st.integers(-8, 8).map(float)
"""Numbers that often tie, for pools whose candidates are to be compared."""
PALETTE = 8
"""Different values that a column of a drawn pool has at most."""


@st.composite
def pools(
    draw: st.DrawFn,
    *,
    texts: st.SearchStrategy[str] | None = plain_text,
    names: st.SearchStrategy[str] = feature_name,
    values: st.SearchStrategy[float] = number,
    ids: st.SearchStrategy[str] | None = None,
    dense: bool = False,
    references: int | None = None,
    extras: bool = False,
    totals: bool = False,
    max_lists: int = 4,
    max_size: int = 4,
    max_features: int = 4,
) -> Pool:
    """Draw a pool: sparse unless `dense`, ids 0, 1, ... unless `ids` are drawn.

    `references` is how many (drawn if None); `extras` adds totals, sources and scores at times. A column is
    drawn as a few values and one string of bytes that say which of them is where: far fewer choices than
    values, and they still shrink to the first value everywhere.
    """
    sizes = draw(st.lists(st.integers(1, max_size), min_size=1, max_size=max_lists))
    rows, lists = sum(sizes), len(sizes)
    columns = draw(st.lists(names, min_size=1, max_size=max_features, unique=True))

    def numbers(length: int) -> np.ndarray:
        return np.frombuffer(draw(st.binary(min_size=length, max_size=length)), dtype=np.uint8)

    def column(strategy: st.SearchStrategy[Any], length: int) -> list[Any]:
        palette = draw(st.lists(strategy, min_size=1, max_size=min(length, PALETTE))) if length else []
        return [palette[number % len(palette)] for number in numbers(length).tolist()]

    present = np.ones((rows, len(columns)), dtype=bool)
    if not dense:
        present = (numbers(rows * len(columns)) % 2 == 1).reshape(present.shape)
    count = draw(st.integers(0, 2)) if references is None else references
    some_ids = None if ids is None else draw(st.lists(ids, min_size=lists, max_size=lists, unique=True))

    has_scores, has_sources, has_totals = (extras and draw(st.booleans()) for _ in range(3))
    has_totals = has_totals or totals
    score_names = draw(st.lists(any_text, min_size=1, max_size=2, unique=True)) if has_scores else []
    return Pool(
        tuple(map(str, range(lists))) if some_ids is None else tuple(some_ids),
        np.cumsum([0, *sizes], dtype=np.int64),
        Features(
            tuple(columns),
            np.cumsum([0, *present.sum(axis=1)], dtype=np.int64),
            np.nonzero(present)[1].astype(np.int32),
            np.array(column(values, int(present.sum())), dtype=np.float64),
        ),
        None if texts is None else Texts.of(column(texts, rows)),
        tuple(Texts.of(column(plain_text if texts is None else texts, lists)) for _ in range(count)),
        {name: np.array(column(number, rows), dtype=np.float64) for name in score_names},
        Texts.of(column(any_text, lists)) if has_sources else None,
        np.array(column(number, rows), dtype=np.float64) if has_totals else None,
    )
