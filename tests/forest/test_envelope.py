"""The envelope of a forest against all its derivations, one by one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.forest.enumeration import derivations, total
from tests.forest.strategies import forests, quarter

from tunesmith.errors import InputError
from tunesmith.forest import Edge, Envelope, Forest, build_forest, envelope, viterbi
from tunesmith.types import FloatArray


@st.composite
def forests_with_lines(draw: st.DrawFn) -> tuple[Forest, FloatArray, FloatArray]:
    """Draw a forest, and for each edge a score and a slope that often tie."""
    forest = draw(forests())
    numbers = st.lists(quarter, min_size=forest.edge_count, max_size=forest.edge_count)
    return forest, np.array(draw(numbers)), np.array(draw(numbers))


def corners(lines: list[tuple[float, float]]) -> list[float]:
    """Return where the maximum of lines (slope, intercept) has its corners, by looking at all crossings."""
    crossings = {
        (one[1] - other[1]) / (other[0] - one[0]) for one in lines for other in lines if one[0] < other[0]
    }
    found = []
    for gamma in sorted(crossings):
        best = max(intercept + gamma * slope for slope, intercept in lines)
        touching = [slope for slope, intercept in lines if intercept + gamma * slope > best - 1e-9]
        if max(touching) > min(touching) and not (found and gamma - found[-1] < 1e-9):
            found.append(gamma)
    return found


def points(thresholds: FloatArray) -> list[float]:
    """Return a point of each interval."""
    if len(thresholds) == 0:
        return [0.0]
    middles = [(left + right) / 2 for left, right in pairwise(thresholds.tolist())]
    return [float(thresholds[0]) - 1, *middles, float(thresholds[-1]) + 1]


@pytest.mark.slow
@given(forests_with_lines())
@settings(max_examples=400)
def test_it_is_the_maximum_of_all_derivations_everywhere(
    drawn: tuple[Forest, FloatArray, FloatArray],
) -> None:
    forest, scores, slopes = drawn
    lines = list({(total(one, slopes), total(one, scores)) for one in derivations(forest)})
    found = envelope(forest, scores, slopes)
    np.testing.assert_allclose(found.thresholds, corners(lines), atol=1e-9)
    assert (np.diff(found.thresholds) > 0).all()
    assert (np.diff(found.slopes) > 0).all()
    for gamma in [*points(found.thresholds), *found.thresholds.tolist()]:
        best = max(intercept + gamma * slope for slope, intercept in lines)
        index = int(np.searchsorted(found.thresholds, gamma))
        assert found.at(gamma).score + gamma * found.slopes[index] == pytest.approx(best, abs=1e-9)


@given(forests_with_lines())
def test_winners_are_derivations_with_the_scores_and_slopes_that_are_told(
    drawn: tuple[Forest, FloatArray, FloatArray],
) -> None:
    forest, scores, slopes = drawn
    known = set(derivations(forest))
    found = envelope(forest, scores, slopes)
    assert len(found.winners) == len(found.slopes) == len(found.thresholds) + 1
    for winner, slope in zip(found.winners, found.slopes.tolist(), strict=True):
        assert winner.edges in known
        assert winner.score == total(winner.edges, scores)  # sums of quarters are exact
        assert slope == total(winner.edges, slopes)


@given(forests_with_lines())
def test_a_direction_of_nothing_gives_the_derivation_of_viterbi(
    drawn: tuple[Forest, FloatArray, FloatArray],
) -> None:
    forest, scores, _ = drawn
    found = envelope(forest, scores, np.zeros(forest.edge_count))
    assert len(found.thresholds) == 0
    assert found.winners == (viterbi(forest, scores),)


@given(st.integers(0, 2**32), st.integers(1, 25), st.integers(1, 4))
@settings(max_examples=50)
def test_random_numbers_agree_with_viterbi_at_every_interval(seed: int, nodes: int, degree: int) -> None:
    rng = np.random.default_rng(seed)
    forest = build_forest(
        [
            [
                Edge(tails := tuple(rng.integers(0, node, rng.integers(0, min(node, 3) + 1)).tolist()),
                     tuple(-1 - i for i in range(len(tails))), {})
                for _ in range(degree)
            ]
            for node in range(nodes)
        ]
    )  # fmt: skip
    scores, slopes = rng.standard_normal((2, forest.edge_count))
    found = envelope(forest, scores, slopes)
    for gamma, slope in zip(points(found.thresholds), found.slopes.tolist(), strict=True):
        best = viterbi(forest, scores + gamma * slopes).score
        assert found.at(gamma).score + gamma * slope == pytest.approx(best, rel=1e-12)


@pytest.mark.slow
@given(forests_with_lines(), quarter, quarter)
@settings(max_examples=200)
def test_a_part_of_a_line_has_the_winners_of_the_whole_line_there(
    drawn: tuple[Forest, FloatArray, FloatArray], one: float, other: float
) -> None:
    forest, scores, slopes = drawn
    low, high = min(one, other), max(one, other) + 0.125
    whole, part = envelope(forest, scores, slopes), envelope(forest, scores, slopes, low=low, high=high)
    inside = (whole.thresholds > low) & (whole.thresholds < high)
    np.testing.assert_allclose(part.thresholds, whole.thresholds[inside], atol=1e-9)
    first = int(np.searchsorted(whole.thresholds, low, side="right"))
    assert part.slopes.tolist() == whole.slopes[first : first + len(part.slopes)].tolist()
    assert [winner.score for winner in part.winners] == [
        winner.score for winner in whole.winners[first : first + len(part.slopes)]
    ]


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (2.0, 1.0), (np.nan, 1.0), (0.0, np.nan)])
def test_a_part_of_nothing_is_refused(low: float, high: float) -> None:
    with pytest.raises(InputError, match="expected low < high"):
        envelope(two_ways((0,)), np.zeros(3), np.zeros(3), low=low, high=high)


def two_ways(twice: tuple[int, ...]) -> Forest:
    """A forest of one node with two ways, which the root has as its tails."""
    gaps = tuple(-1 - i for i in range(len(twice)))
    return build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})], [Edge(twice, gaps, {})]])


def test_a_tail_that_comes_twice_changes_in_both_places_at_once() -> None:
    scores, slopes = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    found = envelope(two_ways((0, 0, 0)), scores, slopes)
    assert found.thresholds.tolist() == [1.0]
    assert [winner.text for winner in found.winners] == ["a a a", "b b b"]


def test_a_forest_of_one_derivation_has_one_winner() -> None:
    forest = build_forest([[Edge((), ("a",), {})]])
    found = envelope(forest, np.array([2.0]), np.array([3.0]))
    assert (len(found.thresholds), found.winners[0].text, found.slopes.tolist()) == (0, "a", [3.0])


def test_slopes_that_differ_by_rounding_are_parallel() -> None:
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1; their lines would cross beyond all weights."""
    order = (0.1, 0.2, 0.3)
    chains = [[Edge((), (), {})], [Edge((0,), (-1,), {})], [Edge((1,), (-1,), {})]]
    chains += [[Edge((), (), {})], [Edge((3,), (-1,), {})], [Edge((4,), (-1,), {})]]
    forest = build_forest([*chains, [Edge((2,), (-1, "x"), {}), Edge((5,), (-1, "y"), {})]])
    slopes = np.array([*order, *reversed(order), 0.0, 0.0])
    assert sum(order) != sum(reversed(order))
    found = envelope(forest, np.array([0.0] * 7 + [1.0]), slopes)
    assert [winner.text for winner in found.winners] == ["y"]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_are_refused(bad: float) -> None:
    forest, good = two_ways((0,)), np.zeros(3)
    with pytest.raises(InputError, match="finite"):
        envelope(forest, np.array([0.0, bad, 0.0]), good)
    with pytest.raises(InputError, match="finite"):
        envelope(forest, good, np.array([0.0, bad, 0.0]))


def test_sums_that_are_too_large_are_refused() -> None:
    with pytest.raises(InputError, match="no finite sum"):
        envelope(two_ways((0, 0)), np.full(3, 1e308), np.zeros(3))


def test_an_empty_forest_is_refused() -> None:
    with pytest.raises(InputError, match="empty"):
        envelope(build_forest([]), np.zeros(0), np.zeros(0))


def test_weights_by_name_are_taken() -> None:
    forest = build_forest([[Edge((), ("a",), {"f": 1.0}), Edge((), ("b",), {"g": 1.0})]])
    found: Envelope = envelope(forest, {"f": 1.0, "g": 0.0}, {"f": 0.0, "g": 2.0})
    assert found.thresholds.tolist() == [0.5]
    assert [winner.text for winner in found.winners] == ["a", "b"]
