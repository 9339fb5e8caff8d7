"""Symmetrization against a grid that is grown cell by cell, and against atools' own output."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.align import SYMMETRIZATIONS, symmetrize
from tunesmith.corpus import Alignments
from tunesmith.errors import InputError, OptionError

Links = set[tuple[int, int]]

links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)


def grown(forward: Links, reverse: Links, method: str) -> Links:
    """Symmetrize on a grid of booleans, in the words of Koehn, Och and Marcu (2003)."""
    if method == "union":
        return forward | reverse
    chosen = forward & reverse
    if method == "intersection":
        return chosen

    def free(i: int, j: int) -> tuple[bool, bool]:
        return all(i != k for k, _ in chosen), all(j != k for _, k in chosen)

    def touches(i: int, j: int) -> bool:
        steps = itertools.product((-1, 0, 1), repeat=2)
        return any((i + di, j + dj) in chosen for di, dj in steps if (di, dj) != (0, 0))

    size = -1
    while size != len(chosen):
        size = len(chosen)
        for i, j in sorted(forward | reverse):
            if (i, j) not in chosen and any(free(i, j)) and touches(i, j):
                chosen = chosen | {(i, j)}
    if method != "grow-diag":
        enough = all if method.endswith("-and") else any
        for i, j in [*sorted(forward), *sorted(reverse)]:
            if enough(free(i, j)):
                chosen = chosen | {(i, j)}
    return chosen


@pytest.mark.parametrize("method", SYMMETRIZATIONS)
@given(pairs=st.lists(st.tuples(links, links), min_size=1, max_size=4))
def test_every_method_equals_growing_on_a_grid(method: str, pairs: list[tuple[Links, Links]]) -> None:
    found = symmetrize(Alignments.of(f for f, _ in pairs), Alignments.of(r for _, r in pairs), method)
    assert found == Alignments.of(grown(f, r, method) for f, r in pairs)


def test_links_of_fast_align_become_those_of_atools(shared_data: Path) -> None:
    moses = shared_data / "moses"
    forward, reverse, expected = (
        Alignments.read(moses / name)
        for name in ("fast_align.fwd.gz", "fast_align.rev.gz", "aligned.grow-diag-final-and.gz")
    )
    assert len(expected) == 29_000
    assert symmetrize(forward, reverse, "grow-diag-final-and") == expected


def test_far_away_words_take_no_grid() -> None:
    forward = Alignments.of([[(0, 0), (1_000_000_000, 2_000_000_000)]])
    reverse = Alignments.of([[(0, 0), (999_999_999, 2_000_000_000)]])
    assert symmetrize(forward, reverse, "intersection") == Alignments.of([[(0, 0)]])


def test_an_unknown_method_and_unequal_counts_are_refused() -> None:
    one, two = Alignments.of([[(0, 0)]]), Alignments.of([[(0, 0)], []])
    with pytest.raises(OptionError, match="did you mean 'grow-diag-final-and'"):
        symmetrize(one, one, "grow-diag-final-end")
    with pytest.raises(InputError, match="1 forward and 2 reverse"):
        symmetrize(one, two)
