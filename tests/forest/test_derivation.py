"""What is read off a derivation."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.forest.enumeration import listed
from tests.forest.strategies import forests

from tunesmith.errors import InputError
from tunesmith.forest import Derivation, Edge, Forest, Segment, build_forest


@given(forests())
def test_words_and_features_are_those_of_its_edges(forest: Forest):
    for one in listed(forest)[:20]:
        derivation = Derivation(forest, one.edges, 0.0)
        assert derivation.words == one.words
        assert derivation.text == " ".join(one.words)
        sums: dict[str, float] = {}
        for number in one.edges:
            for name, value in forest.edge(number).features.items():
                sums[name] = sums.get(name, 0.0) + value
        assert derivation.features == sums


def lattice() -> Forest:
    """Phrases [2, 4), [0, 1), [1, 2), in this order."""
    return build_forest(
        [
            [Edge((), (), {})],
            [Edge((0,), (-1, "sees", "her"), {}, (2, 4), ("sie", "sieht"), ((0, 2), (1, 1)))],
            [Edge((1,), (-1, "the"), {}, (0, 1), ("die",), ((0, 1),))],
            [Edge((2,), (-1, "old", "man"), {}, (1, 2), (), ((0, 1), (0, 2)))],
            [Edge((3,), (-1,), {})],
        ]
    )


def test_phrases_of_a_lattice_are_segments_in_target_order():
    derivation = Derivation(lattice(), (4, 3, 2, 1, 0), 0.0)
    assert derivation.text == "sees her the old man"
    assert derivation.segments == (
        Segment((2, 4), (0, 2)),
        Segment((0, 1), (2, 3)),
        Segment((1, 2), (3, 5)),
    )
    assert derivation.alignment == ((0, 2), (1, 3), (1, 4), (2, 1), (3, 0))


def test_a_hierarchical_rule_places_its_words_around_its_gaps():
    # X -> < ne X1 pas X2, X2 does not X1 > over [0, 6): gaps cover [1, 3) and [4, 6).
    forest = build_forest(
        [
            [Edge((), ("eat", "up"), {}, (1, 3), ("mange", "tout"), ((0, 0), (1, 1)))],
            [Edge((), ("she",), {}, (4, 6), ("elle", "là"), ((0, 0),))],
            [
                Edge(
                    (0, 1),
                    (-2, "does", "not", -1),
                    {},
                    (0, 6),
                    ("ne", -1, "pas", -2),
                    ((0, 2), (2, 2), (1, 3), (3, 0)),
                )
            ],
        ]
    )
    derivation = Derivation(forest, (2, 0, 1), 0.0)
    assert derivation.text == "she does not eat up"
    assert derivation.alignment == ((0, 2), (1, 3), (2, 4), (3, 2), (4, 0))
    assert derivation.segments == (
        Segment((0, 6), (0, 5)),
        Segment((4, 6), (0, 1)),
        Segment((1, 3), (3, 5)),
    )


def test_a_hierarchical_rule_of_one_leading_gap_covers_its_tail():
    forest = build_forest(
        [
            [Edge((), ("dog",), {}, (0, 1), ("chien",), ((0, 0),))],
            [Edge((0,), (-1, "black"), {}, (0, 2), (-1, "noir"), ((1, 1),))],
        ]
    )
    derivation = Derivation(forest, (1, 0), 0.0)
    assert derivation.segments == (Segment((0, 2), (0, 2)), Segment((0, 1), (0, 1)))
    assert derivation.alignment == ((0, 0), (1, 1))


def test_words_after_a_gap_begin_where_it_ends_even_if_an_arc_before_it_skips_columns():
    # The arc of `a` spans two columns of a lattice.
    forest = build_forest(
        [
            [Edge((), ("x",), {}, (2, 4), ("c", "d"), ((0, 0),))],
            [Edge((0,), ("y", -1), {}, (0, 5), ("a", -1, "b"), ((0, 0), (2, 0)))],
        ]
    )
    assert Derivation(forest, (1, 0), 0.0).alignment == ((0, 0), (2, 1), (4, 0))


def test_links_whose_source_cannot_be_told_are_left_out():
    leaf = Edge((), ("a",), {}, (0, 1), (), ((0, 0),))
    without_source = Edge((0, 0), (-1, "b", -2), {}, (0, 3), (), ((1, 1),))
    without_span = Edge((), ("c",), {}, (-1, -1), ("x",), ((0, 0),))
    forest = build_forest([[leaf], [without_source], [without_span]])
    assert Derivation(forest, (1, 0, 0), 0.0).alignment == ((0, 0), (0, 2))
    assert Derivation(forest, (2,), 0.0).alignment == ()
    assert Derivation(forest, (2,), 0.0).segments == ()


@pytest.mark.parametrize("edges", [(), (0, 0), (3,), (9,), (3, 0, 1), (3, 0, 1, 0, 0), (3, 1, 0, 0)])
def test_edges_that_are_no_derivation_are_refused(edges: tuple[int, ...]):
    forest = build_forest(
        [
            [Edge((), ("a",), {})],
            [Edge((), ("b",), {}), Edge((), ("c",), {})],
            [Edge((0, 1, 0), (-1, -2, -3), {})],
        ]
    )
    derivation = Derivation(forest, edges, 0.0)
    for name in ("text", "words", "features", "segments"):
        with pytest.raises(InputError, match="not a derivation of the forest"):
            getattr(derivation, name)
