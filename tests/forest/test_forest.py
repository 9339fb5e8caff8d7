"""The forest itself: its arrays, its scores, what it refuses."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from tunesmith.errors import InputError
from tunesmith.forest import Edge, Forest, build_forest, viterbi
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts


def small() -> Forest:
    return build_forest(
        [
            [Edge((), ("the",), {"lm": -1.0, "tm": -0.5}, (0, 1), ("die",), ((0, 0),), 7)],
            [Edge((), ("cat",), {"lm": -2.0}, (1, 2)), Edge((), ("cats",), {"lm": -3.0, "tm": 1.0}, (1, 2))],
            [Edge((0, 1, 0), (-1, -2, "of", -3), {"tm": -0.25}, (0, 2))],
        ]
    )


def test_an_edge_is_read_back_as_it_was_given():
    forest = small()
    assert forest.edge(0) == Edge((), ("the",), {"lm": -1.0, "tm": -0.5}, (0, 1), ("die",), ((0, 0),), 7)
    assert forest.edge(3) == Edge((0, 1, 0), (-1, -2, "of", -3), {"tm": -0.25}, (0, 2))
    assert (forest.node_count, forest.edge_count, forest.root, list(forest.edges(1))) == (3, 4, 2, [1, 2])


def test_negative_numbers_count_from_the_end():
    forest = small()
    assert [forest.edge(n) for n in (-1, -2, -4)] == [forest.edge(n) for n in (3, 2, 0)]
    assert [forest.edges(n) for n in (-1, -2, -3)] == [range(3, 4), range(1, 3), range(1)]


@pytest.mark.parametrize("number", [4, 5, -5, 2**40])
def test_numbers_of_nothing_are_refused(number: int):
    with pytest.raises(IndexError):
        small().edge(number)
    with pytest.raises(IndexError):
        small().edges(number)
    with pytest.raises(IndexError):
        build_forest([]).edge(0)


def test_scores_are_features_times_weights():
    scores = small().scores({"lm": 2.0, "tm": 10.0})
    assert scores.tolist() == [-7.0, -4.0, 4.0, -2.5]


def test_arrays_are_weights_where_scores_are_made_and_scores_where_they_are_used():
    forest = small()
    weights = forest.weights({"lm": 2.0, "tm": 10.0})
    scores = forest.scores(weights)
    assert scores.tolist() == forest.scores({"lm": 2.0, "tm": 10.0}).tolist()
    with pytest.raises(InputError, match=r"weights of shape \(4,\) for 2 features.*scores of edges already"):
        forest.scores(scores)
    with pytest.raises(
        InputError, match=r"scores of shape \(2,\) for 4 edges.*give forest.scores\(weights\)"
    ):
        viterbi(forest, weights)
    with pytest.raises(InputError, match=r"weights of shape \(3,\) for 2 features of a forest$"):
        forest.scores(np.zeros(3))
    with pytest.raises(InputError, match=r"scores of shape \(3,\) for 4 edges of a forest$"):
        viterbi(forest, np.zeros(3))


def test_a_feature_without_a_weight_is_named():
    with pytest.raises(InputError, match="'tm' has no weight"):
        small().scores({"lm": 2.0, "tn": 1.0})


def test_arrays_are_views_that_cannot_be_written():
    forest = small()
    tails = forest.native.tails
    assert tails.tolist() == [0, 1, 0]
    assert forest.native.rule_feature_values.tolist() == [-1.0, -0.5, -2.0, -3.0, 1.0, -0.25]
    with pytest.raises(ValueError, match="read-only"):
        tails[0] = 1
    del forest
    assert tails.tolist() == [0, 1, 0]


def test_a_forest_can_be_pickled():
    forest = pickle.loads(pickle.dumps(small()))
    assert [forest.edge(i) for i in range(4)] == [small().edge(i) for i in range(4)]


def test_a_forest_without_nodes_has_no_derivation():
    forest = build_forest([])
    assert forest.node_count == 0
    assert forest.scores(np.zeros(0)).tolist() == []
    with pytest.raises(InputError, match="no derivation"):
        _ = forest.root


def test_links_count_gaps_and_may_lack_a_source_side():
    forest = build_forest(
        [
            [Edge((), ("a",), {}, alignment=((5, 0),))],
            [Edge((0,), (-1, "b"), {}, source=("x", -1), alignment=((0, 1), (1, 0)))],
        ]
    )
    assert [forest.edge(n).alignment for n in (0, 1)] == [((5, 0),), ((0, 1), (1, 0))]


def test_a_feature_has_one_column():
    words, none = Texts.of(["a", "a"]), ([0], [], [])
    empty = ([0], none[:2], [], [], none, none[:2], none[:2], none[:2], none, [])
    texts = (words.blob, words.offsets)
    assert from_arrays(*empty, texts, (words.blob[:1], words.offsets[:2])).feature_names == ("a",)
    with pytest.raises(InputError, match="two features have the name 'a'"):
        from_arrays(*empty, texts, texts)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([[]], "has no edge"),
        ([[Edge((0,), (-1,), {})]], "not below its head"),
        ([[Edge((), (-1,), {})]], "each tail exactly once"),
        ([[Edge((), (), {})], [Edge((0, 0), (-1, -1), {})]], "each tail exactly once"),
        ([[Edge((), (), {})], [Edge((0,), (), {})]], "each tail exactly once"),
        ([[Edge((), (), {"f": float("nan")})]], "not finite"),
        ([[Edge((), ("a",), {}, alignment=((0, 1),))]], "link 0-1 lies outside"),
        ([[Edge((), ("a",), {}, alignment=((0, -1),))]], "link 0--1 lies outside"),
        ([[Edge((), ("a",), {}, alignment=((-1, 0),))]], "link -1-0 lies outside"),
        ([[Edge((), ("a",), {}, source=("x",), alignment=((1, 0),))]], "link 1-0 lies outside"),
        ([[Edge((), ("a",), {}, source=(-1, "x"))]], "gap without a tail"),
        ([[Edge((), (), {})], [Edge((0,), (-1,), {}, source=("x", -2))]], "gap without a tail"),
    ],
)
def test_what_is_no_forest_is_refused(nodes: list[list[Edge]], message: str):
    with pytest.raises(InputError, match=message):
        build_forest(nodes)
