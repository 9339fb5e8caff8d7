"""Alignment error rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.align import AlignmentError, alignment_error_rate, alignment_statistics
from tunesmith.corpus import Alignments
from tunesmith.errors import InputError

links = st.lists(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))), min_size=3, max_size=3)


@given(links, links, links)
def test_rates_are_those_of_sets_of_links(candidate, sure, possible) -> None:
    found = alignment_error_rate(*(Alignments.of(each) for each in (candidate, sure, possible)))
    tagged = [{(k, *link) for k, pair in enumerate(side) for link in pair} for side in (candidate, sure)]
    a, s = tagged
    p = s | {(k, *link) for k, pair in enumerate(possible) for link in pair}
    assert found.precision == pytest.approx(len(a & p) / len(a) if a else 1)
    assert found.recall == pytest.approx(len(a & s) / len(s) if s else 1)
    assert found.aer == pytest.approx(1 - (len(a & s) + len(a & p)) / (len(a) + len(s)) if a or s else 0)


def test_statistics_add_up_over_pairs() -> None:
    candidate = Alignments.of([[(0, 0), (1, 1)], [], [(2, 0)]])
    sure = Alignments.of([[(0, 0)], [(0, 0)], [(2, 0), (2, 1)]])
    possible = Alignments.of([[(1, 1)], [], []])
    statistics = alignment_statistics(candidate, sure, possible)
    assert statistics.tolist() == [[2, 1, 1, 2], [0, 1, 0, 0], [1, 2, 1, 1]]
    whole = alignment_error_rate(candidate, sure, possible)
    assert AlignmentError.of(statistics[:1].sum(axis=0) + statistics[1:].sum(axis=0)) == whole


def test_a_perfect_alignment_has_no_error_and_a_foreign_one_nothing_else() -> None:
    gold = Alignments.of([[(0, 0), (1, 2)]])
    assert alignment_error_rate(gold, gold) == AlignmentError(1.0, 1.0, 0.0)
    assert alignment_error_rate(Alignments.of([[(0, 1)]]), gold) == AlignmentError(0.0, 0.0, 1.0)


def test_equal_positions_of_other_pairs_do_not_count() -> None:
    assert alignment_error_rate(Alignments.of([[], [(0, 0)]]), Alignments.of([[(0, 0)], []])).aer == 1.0


def test_unequal_counts_are_refused() -> None:
    with pytest.raises(InputError, match="found 1 alignments and 2 gold ones"):
        alignment_statistics(Alignments.of([[]]), Alignments.of([[], []]))
    assert np.shape(alignment_statistics(Alignments.of([]), Alignments.of([]))) == (0, 4)


def test_links_between_far_words_do_not_meet_others() -> None:
    far = (1 << 31) - 1
    gold = Alignments.of([[(0, 0)], [(0, 0), (far, far)], [(0, 5)]])
    assert alignment_statistics(gold, gold).tolist() == [[1, 1, 1, 1], [2, 2, 2, 2], [1, 1, 1, 1]]
    other = Alignments.of([[(0, far)], [(far, 0)], [(4, 0)]])
    assert alignment_error_rate(other, gold).aer == 1.0
