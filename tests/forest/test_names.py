"""Names: shared by forests, spelt out once, looked up once, and left behind where nobody uses them."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.forest.strategies import forests

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest import (
    Edge,
    Forest,
    ForestFile,
    ForestWriter,
    build_forest,
    prune,
    refine_context,
    refine_to_target,
    trim,
    union,
)
from tunesmith.weights import Weights


def two_words() -> Forest:
    leaf = [Edge((), ("a",), {"f": 1.0}), Edge((), ("b",), {"g": 2.0})]
    return build_forest([leaf, [Edge((0, 0), (-1, -2), {})]], ["unused"])


def filed(path: Path, forests: list[Forest]) -> ForestFile:
    with ForestWriter(path) as writer:
        for forest in forests:
            writer.add(forest)
    return ForestFile.open(path)


def test_forests_of_a_file_and_what_is_made_of_them_share_names(tmp_path: Path):
    file = filed(tmp_path / "some.forests", [two_words(), two_words()])
    one, other = file
    made = [
        trim(one),
        prune(one, {"f": 1.0, "g": 1.0, "unused": 0.0}, beam=1.0),
        union([one, other]),
        refine_context(one, 2).forest,
        refine_to_target(one, ["a", "b"]).forest,
    ]
    assert {id(forest.names) for forest in [one, other, *made]} == {id(one.names)}
    assert file.words is one.words
    assert file.feature_names is made[0].feature_names


def test_forests_of_equal_names_do_not_share_them():
    one, other = two_words(), two_words()
    assert one.feature_names == other.feature_names
    assert one.names is not other.names


def test_words_outlive_their_forest():
    words = two_words().words
    gc.collect()
    assert list(words) == ["a", "b"]


def test_forests_that_share_names_share_weights(tmp_path: Path):
    one, other = filed(tmp_path / "some.forests", [two_words(), two_words()])
    weights = {"f": 1.0, "g": 2.0, "unused": 3.0}
    first = one.weights(weights)
    assert first.tolist() == [weights[name] for name in one.feature_names]
    assert other.weights(dict(weights)) is first
    frozen = Weights(weights)
    assert one.weights(frozen) is other.weights(frozen)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0.0


def test_weights_that_changed_are_looked_up_again():
    forest = two_words()
    weights = {"f": 1.0, "g": 2.0, "unused": 3.0}
    before = forest.scores(weights)
    weights["g"] = 5.0
    assert before.tolist() == [1.0, 4.0, 0.0]
    assert forest.scores(weights).tolist() == [1.0, 10.0, 0.0]
    del weights["g"]
    with pytest.raises(InputError, match="'g' has no weight"):
        forest.scores(weights)
    for missing in (0.5, -1.0):
        assert forest.weights(weights, missing=missing)[forest.feature_names.index("g")] == missing
    with pytest.raises(InputError, match="'g' has no weight"):
        forest.weights(weights)


def test_a_pickled_forest_leaves_names_behind_that_it_does_not_use(tmp_path: Path):
    many = [[Edge((), (f"word{n}",), {f"feature{n}": 1.0}, source=(f"source{n}",))] for n in range(2000)]
    file = filed(tmp_path / "some.forests", [build_forest([nodes]) for nodes in many])
    assert len(file.words) == 4000
    stored = pickle.dumps(file[7])
    assert len(stored) < 4000
    again = pickle.loads(stored)
    assert (sorted(again.words), again.feature_names) == (["source7", "word7"], ("feature7",))
    assert again.edge(0) == file[7].edge(0)


@given(forests())
def test_compact_names_change_no_edge(forest: Forest):
    compact = Forest(_native.compact_names(forest.native))
    edges = range(forest.edge_count)
    assert [compact.edge(n) for n in edges] == [forest.edge(n) for n in edges]
    used = [
        *np.unique(compact.native.rule_feature_columns),
        *np.unique(compact.native.edge_feature_columns),
    ]
    assert set(used) == set(range(len(compact.feature_names)))
    numbers = np.concatenate([compact.native.sources, compact.native.targets])
    assert set(numbers[numbers >= 0].tolist()) == set(range(len(compact.words)))
    order = [list(forest.words).index(word) for word in compact.words]
    assert order == sorted(order)
