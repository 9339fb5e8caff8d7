"""Grouped lengths: values by hand."""

from __future__ import annotations

import pytest

from tunesmith.errors import OptionError
from tunesmith.features import LengthGroups, Pair

RULE = Pair(("der", -1, "ist", -2), (-2, "is"), (), {"EgivenFCoherent": 0.5, "FgivenE": 0.0, "CountEF": 2.0})


def ranges(length: int, longest: int) -> set[str]:
    return {
        f"{low}-{high}"
        for low in range(1, longest + 1)
        for high in range(low, longest + 1)
        if low <= length <= high
    }


def test_a_rule_has_its_score_in_each_range_that_holds_its_length_gaps_counted():
    found = LengthGroups().values(RULE)
    assert found == {f"LengthGroup_s{each}_EgivenFCoherent": 0.5 for each in ranges(4, 10)}
    assert len(found) == 4 * 7


def test_all_ranges_of_ten_lengths_are_fifty_five():
    names = {
        name
        for length in range(1, 15)
        for name in LengthGroups().values(Pair(("w",) * length, ("v",), (), {"FgivenE": 1.0}))
    }
    assert len(names) == 55


def test_longer_sides_count_as_the_longest():
    template = LengthGroups(longest=3)
    expected = {f"LengthGroup_s{each}_EgivenFCoherent": 0.5 for each in ("1-3", "2-3", "3-3")}
    assert template.values(RULE) == expected


def test_the_target_side_and_both_sides_have_ranges_of_their_own():
    assert LengthGroups("target", longest=2).values(RULE) == {
        "LengthGroup_t1-2_EgivenFCoherent": 0.5,
        "LengthGroup_t2-2_EgivenFCoherent": 0.5,
    }
    both = LengthGroups("product").values(RULE)
    assert set(both) == {
        f"LengthGroup_s{source}_t{target}_EgivenFCoherent"
        for source in ranges(4, 10)
        for target in ranges(2, 10)
    }


def test_a_side_without_words_is_in_no_range():
    dropped = Pair(("ja",), (), (), {"FgivenE": 1.0})
    assert not LengthGroups("target").values(dropped)
    assert not LengthGroups("product").values(dropped)
    assert len(LengthGroups().values(dropped)) == 10


def test_other_scores_can_be_grouped():
    found = LengthGroups(features=("CountEF", "Absent"), longest=1).values(RULE)
    assert found == {"LengthGroup_s1-1_CountEF": 2.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": "sauce"}, "did you mean 'source'"),
        ({"longest": 0}, "longest must be at least 1"),
        ({"longest": 21}, "longest must be at most 20"),
        ({"longest": 2.5}, "longest must be a whole number"),
        ({"features": "CountEF"}, "features must be a tuple of names"),
        ({"features": (1,)}, "features must be a text"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str):
    with pytest.raises(OptionError, match=message):
        LengthGroups(**options)  # type: ignore[arg-type]
