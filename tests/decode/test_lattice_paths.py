"""The ways through a lattice that extraction sees have all of its short ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.decode.lattice_paths import MOST_WINDOWS, covering_paths, path_text

Nodes = list[list[tuple[str, float, int]]]


@st.composite
def networks(draw: st.DrawFn) -> Nodes:
    """Lattices of up to six nodes: one arc at least from each to the next, and others ahead."""
    last = draw(st.integers(1, 6))
    nodes = []
    for node in range(last):
        ends = [node + 1, *draw(st.lists(st.integers(node + 1, last), max_size=2))]
        nodes.append([(draw(st.sampled_from("abc")), 0.0, end) for end in ends])
    return nodes


def short_ways(nodes: Nodes, longest: int) -> set[tuple[str, ...]]:
    """All words of ways of up to so many arcs, from anywhere to anywhere."""
    found: set[tuple[str, ...]] = set()

    def walk(node: int, words: tuple[str, ...]) -> None:
        if words:
            found.add(words)
        if node < len(nodes) and len(words) < longest:
            for word, _, end in nodes[node]:
                walk(end, (*words, word))

    for node in range(len(nodes)):
        walk(node, ())
    return found


def parts(paths: list[list[str]], longest: int) -> set[tuple[str, ...]]:
    return {
        tuple(path[begin:end])
        for path in paths
        for begin in range(len(path))
        for end in range(begin + 1, min(begin + longest, len(path)) + 1)
    }


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(nodes=networks(), longest=st.integers(1, 5))
def test_paths_have_all_short_ways_and_no_others(nodes: Nodes, longest: int) -> None:
    paths = list(covering_paths(_native.WordLattice(nodes), longest))
    assert parts(paths, longest) == short_ways(nodes, longest)
    assert {tuple(path) for path in paths} <= short_ways(nodes, len(nodes))


def test_a_lattice_of_one_path_is_its_sentence() -> None:
    words = [f"w{number}" for number in range(500)]
    lattice = _native.WordLattice([[(word, 0.0, number + 1)] for number, word in enumerate(words)])
    assert path_text(lattice, 10) == " ".join(words)


def test_the_empty_lattice_has_no_words() -> None:
    assert path_text(_native.WordLattice([]), 10) == ""


def test_no_pattern_reaches_from_one_path_to_the_next() -> None:
    lattice = _native.WordLattice([[("a", 0.0, 1), ("b", 0.0, 1)], [("c", 0.0, 2)]])
    assert path_text(lattice, 3).split(" ") == ["a", "c", "\0", "\0", "\0", "b", "c"]


def test_where_ways_are_too_many_shorter_ones_are_covered_instead() -> None:
    nodes: Nodes = [[(f"{letter}{node}", 0.0, node + 1) for letter in "xyz"] for node in range(12)]
    lattice = _native.WordLattice(nodes)
    arcs = 36
    # Ways of n words: 3^n from each of 13 - n nodes, 729 of four words and 1,944 of five.
    for most, covered in ((9 * 3**4, 4), (9 * 3**4 - 1 - arcs, 3), (8 * 3**5, 5), (0, 1)):
        paths = list(covering_paths(lattice, 10, most))
        assert parts(paths, covered) == short_ways(nodes, covered)
        assert not short_ways(nodes, covered + 1) <= parts(paths, covered + 1)


def test_the_longest_networks_take_no_more_than_the_limit() -> None:
    nodes: Nodes = [[(f"{letter}{node}", 0.0, node + 1) for letter in "xy"] for node in range(200)]
    paths = list(covering_paths(_native.WordLattice(nodes), 10))
    assert parts(paths, 7) == short_ways(nodes, 7)  # 2^7 from each of 194 nodes; 2^8 from 193 are too many
    assert sum(map(len, paths)) < 7 * (MOST_WINDOWS + 400)
