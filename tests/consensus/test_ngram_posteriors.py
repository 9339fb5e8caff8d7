"""N-grams of a distribution: expected counts, presence, and forests that would grow too large."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.consensus.brute_force import Words, distribution, expected, presence
from tests.forest.enumeration import listed
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import forbid, forbidden, forests, scores

from tunesmith import _native
from tunesmith.consensus.ngram_posteriors import NgramPosteriors, best_of_yield, localize
from tunesmith.errors import InputError
from tunesmith.forest import Derivation, Edge, Forest, build_forest, expand_context

scales = st.sampled_from([0.0, 0.5, 1.0, 3.0])


def spelt(posteriors: NgramPosteriors) -> list[Words]:
    words = posteriors.forest.words
    return [tuple(words[int(w)] for w in row if w >= 0) for row in posteriors.incidence.ngrams]


def localized(forest: Forest, given_scores: np.ndarray, order: int, scale: float) -> NgramPosteriors:
    return localize(forest, given_scores, order, scale=scale, max_edges=10**6)


@given(forests(), st.integers(1, 4), scales, forbidden)
def test_counts_and_presence_are_those_of_all_listed(
    forest: Forest, order: int, scale: float, numbers: set[int]
) -> None:
    some = forbid(scores(forest), numbers)
    yields = distribution(forest, some, scale) if posterior_exists(forest, some) else {}
    assume(yields)
    posteriors = localized(forest, some, order, scale)
    names = spelt(posteriors)
    counts = {name: c for name, c in zip(names, posteriors.counts, strict=True) if c > 0}
    assert counts == pytest.approx(dict(expected(yields, order)), abs=1e-12)
    found = {name: p for name, p in zip(names, posteriors.presence(), strict=True) if p > 0}
    assert found == pytest.approx(presence(yields, order), abs=1e-12)
    assert posteriors.words == pytest.approx(sum(p * len(words) for words, p in yields.items()), abs=1e-12)


def posterior_exists(forest: Forest, some: np.ndarray) -> bool:
    return any(np.isfinite(some[list(one.edges)]).all() for one in listed(forest))


@given(forests(30))
def test_borders_stand_before_and_after_every_yield(forest: Forest) -> None:
    native, begin, end = _native.with_borders(forest.native)
    bordered = Forest(native)
    assert (bordered.words[begin], bordered.words[end]) == ("<s>", "</s>")
    assert np.array_equal(scores(bordered), scores(forest))
    pairs = zip(listed(bordered), listed(forest), strict=True)
    for one, plain in pairs:
        assert one.edges == plain.edges
        assert one.words == ("<s>", *plain.words, "</s>")


def test_words_that_look_like_borders_are_none() -> None:
    forest = build_forest([[Edge((), ("<s>", "</s>"), {})]])
    native, begin, end = _native.with_borders(forest.native)
    assert native.targets[-4:].tolist() == [begin, 0, 1, end]


def test_a_lattice_grows_no_contexts_by_its_first_border() -> None:
    forest = chain(200)
    bordered = Forest(_native.with_borders(forest.native)[0])
    assert expand_context(bordered, 3).edge_count == expand_context(forest, 3).edge_count


def test_presence_does_not_depend_on_threads() -> None:
    forest = expand_context(chain(300), 3)
    posteriors = localized(forest, np.sin(np.arange(forest.edge_count)), 3, 1.0)
    assert np.array_equal(posteriors.presence(1), posteriors.presence(3))


def test_presence_of_what_comes_twice_is_less_than_its_count() -> None:
    forest = build_forest([[Edge((), ("a", "a"), {}), Edge((), ("b",), {})]])
    posteriors = localized(forest, np.zeros(2), 1, 1.0)
    assert posteriors.counts.tolist() == [1.0, 0.5]
    assert posteriors.presence().tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("offsets", "ids"), [([0, 1], [0]), ([0, 1, 2], [0, 7]), ([0, 2, 1], [0]), ([0, 1, 2], [0, -1])]
)
def test_ngrams_that_do_not_fit_the_forest_are_refused(offsets: list[int], ids: list[int]) -> None:
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})]])
    arrays = np.array(offsets, dtype=np.int32), np.array(ids, dtype=np.int32)
    with pytest.raises(InputError):
        _native.ngram_presence(forest.native, np.zeros(2), *arrays, 2, 1)


@given(forests(), st.integers(2, 4), st.integers(1, 30))
def test_forests_that_would_grow_are_pruned_and_keep_their_best(
    forest: Forest, order: int, max_edges: int
) -> None:
    some = scores(forest)
    posteriors = localize(forest, some, order, scale=1.0, max_edges=max_edges)
    best = max(sum(some[list(one.edges)]) for one in listed(forest))
    found = max(sum(posteriors.scores[list(one.edges)]) for one in listed(posteriors.forest))
    assert found == pytest.approx(best, abs=1e-9)
    assert posteriors.forest.edge_count <= max_edges or len(listed(posteriors.forest)) == 1
    assert posteriors.pruned or len(listed(posteriors.forest)) == len(listed(forest))
    for one in listed(posteriors.forest):
        original = Derivation(forest, posteriors.original(one.edges), 0.0)
        assert original.words == one.words


@given(forests())
def test_the_best_derivation_of_a_yield_is_found(forest: Forest) -> None:
    some = scores(forest)
    found = listed(forest)
    for one in found[:5]:
        best = max(sum(some[list(each.edges)]) for each in found if each.words == one.words)
        derivation = best_of_yield(forest, some, one.edges)
        assert derivation.words == one.words
        assert derivation.score == pytest.approx(best, abs=1e-9)


def test_a_forest_without_derivations_is_refused() -> None:
    with pytest.raises(InputError, match="no derivation"):
        localized(build_forest([]), np.zeros(0), 2, 1.0)
    with pytest.raises(InputError, match="no derivation"):
        localized(build_forest([[Edge((), ("a",), {})]]), np.array([-np.inf]), 2, 1.0)
