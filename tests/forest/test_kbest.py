"""The k best derivations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import brute_force, listed
from tests.forest.strategies import FEATURES, forests, quarter, scored_forests

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest, derivations, kbest, kbest_pool, viterbi
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts

weights = st.fixed_dictionaries(dict.fromkeys(FEATURES, quarter))


@given(scored_forests(forbidden=True))
def test_all_derivations_come_once_by_falling_score(scored):
    forest, scores = scored
    expected = brute_force(forest, scores)
    found = kbest(forest, scores, 1000)
    assert [d.score for d in found] == [score for score, _ in expected]
    assert sorted((d.score, d.edges) for d in found) == sorted(expected)
    assert all(a.score >= b.score for a, b in pairwise(found))
    if found:
        assert found[0] == viterbi(forest, scores)


@given(scored_forests(), st.integers(1, 20))
def test_fewer_are_the_first_of_more(scored, k: int):
    forest, scores = scored
    everything = kbest(forest, scores, 1000)
    assert kbest(forest, scores, k) == everything[:k]
    assert list(islice(derivations(forest, scores), k)) == everything[:k]


@given(scored_forests(forbidden=True))
def test_unique_ones_are_the_best_of_each_string(scored):
    forest, scores = scored
    text = {one.edges: " ".join(one.words) for one in listed(forest)}
    first: dict[str, float] = {}
    for score, edges in brute_force(forest, scores):
        first.setdefault(text[edges], score)
    found = kbest(forest, scores, 1000, unique=True)
    assert {d.text: d.score for d in found} == first
    assert len(found) == len(first)


@given(st.lists(forests(), min_size=1, max_size=4), weights, st.booleans(), st.sampled_from([1, 3, 50]))
def test_a_pool_holds_what_the_derivations_do(many: list[Forest], by_name, unique: bool, k: int):
    pool = kbest_pool(many, by_name, k, unique=unique)
    assert pool.ids == tuple(map(str, range(len(many))))
    expected = [kbest(forest, by_name, k, unique=unique) for forest in many]
    assert np.diff(pool.offsets).tolist() == [len(found) for found in expected]
    flat = [derivation for found in expected for derivation in found]
    assert list(pool.texts) == [derivation.text for derivation in flat]
    assert pool.totals.tolist() == [derivation.score for derivation in flat]
    rows = pool.features
    for row, derivation in enumerate(flat):
        entries = range(rows.offsets[row], rows.offsets[row + 1])
        assert {rows.names[rows.columns[i]]: rows.values[i] for i in entries} == derivation.features
    by_column = np.array([by_name[name] for name in rows.names])
    assert rows.dot(by_column) == pytest.approx(pool.totals, abs=1e-9)


def two_ways(count: int) -> Forest:
    """Each of `count` positions is read in two ways that look the same."""
    leaf = [[Edge((), ("a",), {"f": 1.0}), Edge((), ("a",), {"f": 2.0})]]
    return build_forest([*leaf, [Edge((0,) * count, tuple(-1 - i for i in range(count)), {})]])


def test_repeated_strings_do_not_multiply():
    # 2^60 derivations have the best string; the next has another.
    leaf = [Edge((), ("a",), {"f": 1.0}), Edge((), ("a",), {"f": 2.0})]
    forest = build_forest(
        [
            leaf,
            [Edge((), ("b",), {"f": -1000.0})],
            [Edge((0,) * 60, tuple(-1 - i for i in range(60)), {}), Edge((1,), (-1,), {})],
        ]
    )
    found = kbest(forest, {"f": 1.0}, 3, unique=True, patience=10)
    assert [(d.text, d.score) for d in found] == [(" ".join("a" * 60), 120.0), ("b", -1000.0)]
    assert len(kbest(two_ways(30), {"f": 1.0}, 3000)) == 3000


def test_the_search_for_new_strings_ends():
    same = [Edge((), ("a",), {"f": 1.0}) for _ in range(100)]
    forest = build_forest([[*same, Edge((), ("b",), {"f": 0.0})]])
    assert [d.text for d in kbest(forest, {"f": 1.0}, 2, unique=True, patience=10)] == ["a"]
    assert [d.text for d in kbest(forest, {"f": 1.0}, 2, unique=True, patience=50)] == ["a", "b"]


def test_threads_that_ask_one_stream_take_turns():
    forest = two_ways(8)
    stream = _native.DerivationStream(forest.native, forest.scores({"f": 1.0}))

    def drawn(_: int) -> list[tuple[int, ...]]:
        return [tuple(found[1].tolist()) for found in iter(stream.next, None) if found is not None]

    with ThreadPoolExecutor(4) as pool:
        found = [edges for part in pool.map(drawn, range(4)) for edges in part]
    assert sorted(found) == sorted(d.edges for d in kbest(forest, {"f": 1.0}, 1000))


def test_words_of_one_name_make_one_string():
    words, none = Texts.of(["a", "a"]), ([0, 0, 0], [], [])
    forest = from_arrays(
        [0, 2], ([0, 0, 0], []), [0, 1], [[-1, -1]] * 2, none, none[:2], ([0, 1, 2], [0, 1]), none[:2], none,
        [-1, -1], (words.blob, words.offsets), (words.blob[:0], words.offsets[:1]),
    )  # fmt: skip
    assert [d.edges for d in kbest(forest, np.array([0.0, 1.0]), 5, unique=True)] == [(1,)]


def test_a_pool_does_not_depend_on_threads():
    many = [two_ways(n) for n in range(1, 30)]
    one, two = (kbest_pool(many, {"f": -1.0}, 20, threads=threads) for threads in (1, 2))
    assert list(one.texts) == list(two.texts)
    assert one.totals.tolist() == two.totals.tolist()
    assert one.features.values.tolist() == two.features.values.tolist()


def test_lists_have_the_ids_given_and_forests_without_derivations_are_told():
    forest, empty = two_ways(2), build_forest([], ["f"])
    with pytest.raises(InputError, match="'y' has no derivation"):
        kbest_pool([forest, empty], {"f": 1.0}, 2, ids=["x", "y"])
    assert kbest_pool([forest, empty], {"f": 1.0}, 2, ids=["x", "y"], allow_missing=True).ids == ("x",)
    with pytest.raises(InputError, match="no forest has a derivation"):
        kbest_pool([empty], {"f": 1.0}, 2, allow_missing=True)
    with pytest.raises(InputError, match="1 ids for 2 forests"):
        kbest_pool([forest, empty], {"f": 1.0}, 2, ids=["x"])
    with pytest.raises(InputError, match="'x' is there twice"):
        kbest_pool([forest, forest], {"f": 1.0}, 2, ids=["x", "x"])


def test_a_feature_without_a_weight_is_named():
    with pytest.raises(InputError, match="'f' has no weight"):
        kbest_pool([two_ways(2)], {"g": 1.0}, 2)


def test_an_empty_forest_has_no_derivations():
    assert kbest(build_forest([]), np.zeros(0), 5) == []
    assert list(derivations(build_forest([]), np.zeros(0))) == []


@pytest.mark.parametrize("options", [{"k": 0}, {"k": 2**24 + 1}, {"k": 1, "patience": 0}])
def test_senseless_options_are_refused(options: dict[str, int]):
    with pytest.raises(OptionError, match="must be at least 1"):
        kbest(two_ways(1), {"f": 1.0}, **options)
