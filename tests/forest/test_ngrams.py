"""Expected n-gram counts: each n-gram of a yield is counted at one edge."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed, ngram_counts
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import WORDS, forests, scores
from tests.rhyme import rhyme_forest

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import (
    Edge,
    Forest,
    NgramIncidence,
    build_forest,
    expand_context,
    expected_ngrams,
    has_local_context,
    ngram_incidence,
    posteriors,
)
from tunesmith.metrics import Bleu


def spelt(forest: Forest, incidence: NgramIncidence) -> list[tuple[str, ...]]:
    return [tuple(forest.words[int(w)] for w in row if w >= 0) for row in incidence.ngrams]


def probabilities(forest: Forest) -> np.ndarray:
    """Return those of the derivations, as they are listed."""
    weights = np.exp([scores(forest)[list(one.edges)].sum() for one in listed(forest)])
    return weights / weights.sum()


@given(forests(), st.integers(1, 5))
def test_edges_of_a_derivation_sum_to_the_ngrams_of_its_yield(forest: Forest, n: int) -> None:
    local = expand_context(forest, n)
    incidence = ngram_incidence(local, n)
    names = spelt(local, incidence)
    assert len(set(names)) == len(names)
    for one in listed(local):
        sums = np.zeros(len(names))
        for edge in one.edges:
            sums += incidence.matrix[[edge]].toarray()[0]
        assert Counter({g: c for g, c in zip(names, sums, strict=True) if c}) == ngram_counts(one.words, n)


@given(forests(), st.integers(1, 4))
def test_expected_counts_are_those_of_all_listed(forest: Forest, n: int) -> None:
    local = expand_context(forest, n)
    expected: Counter[tuple[str, ...]] = Counter()
    for one, probability in zip(listed(local), probabilities(local), strict=True):
        for ngram, count in ngram_counts(one.words, n).items():
            expected[ngram] += probability * count
    rows, counts = expected_ngrams(local, {"score": 1.0}, n)
    found = {
        tuple(local.words[int(w)] for w in row if w >= 0): c for row, c in zip(rows, counts, strict=True)
    }
    assert found == pytest.approx(dict(expected), abs=1e-12)


@given(forests(), st.integers(1, 4))
def test_rewards_of_edges_sum_to_the_values_of_ngrams(forest: Forest, n: int) -> None:
    local = expand_context(forest, n)
    incidence = ngram_incidence(local, n)
    names = spelt(local, incidence)
    values = np.sin(1.0 + np.arange(len(names)))
    rewards = incidence.rewards(values)
    of_name = dict(zip(names, values, strict=True))
    for one in listed(local):
        worth = sum(of_name[ngram] * count for ngram, count in ngram_counts(one.words, n).items())
        assert rewards[list(one.edges)].sum() == pytest.approx(worth, abs=1e-9)


texts = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=7).map(" ".join)


@given(forests(), st.lists(texts, min_size=1, max_size=3), st.integers(1, 4))
def test_ngrams_of_references_are_counted_where_contexts_tell_no_others(forest, refs, n: int) -> None:
    local = expand_context(forest, n, references=refs)
    assert has_local_context(local, n, references=refs)
    assert local.edge_count <= max(forest.edge_count, expand_context(forest, n).edge_count)
    assert Counter(one.words for one in listed(local)) == Counter(one.words for one in listed(forest))
    incidence = ngram_incidence(local, n, references=refs)
    names = [tuple(incidence.words[w] for w in row if w >= 0) for row in incidence.ngrams.tolist()]
    of_refs = [ngram_counts(tuple(ref.split()), n) for ref in refs]
    limits = {ngram: max(counts[ngram] for counts in of_refs) for counts in of_refs for ngram in counts}
    assert dict(zip(names, incidence.limits.tolist(), strict=True)) == limits
    for one in listed(local):
        sums = incidence.matrix[list(one.edges)].sum(axis=0)
        found = {ngram: count for ngram, count in zip(names, sums, strict=True) if count}
        assert found == {g: c for g, c in ngram_counts(one.words, n).items() if g in limits}
        assert incidence.edge_words[list(one.edges)].sum() == len(one.words)


def test_matches_clipped_to_limits_are_those_of_bleu() -> None:
    forest = build_forest([[Edge((), ("the", "the\u00a0cat", "the"), {})]])
    refs = ["the the cat", "a cat"]
    incidence = ngram_incidence(forest, 4, references=refs)
    clipped = np.minimum(incidence.expected(np.ones(1)), incidence.limits)
    matches = [clipped[incidence.lengths == n].sum() for n in (1, 2, 3, 4)]
    stats = Bleu().stats(" ".join(forest.edge(0).target), refs)
    assert matches == stats[:8:2].tolist()
    assert incidence.edge_words.tolist() == [stats[1]]


def test_contexts_of_references_do_not_do_for_all_ngrams() -> None:
    forest = build_forest([[Edge((), ("x",), {}), Edge((), ("y",), {})], [Edge((0,), (-1, "a"), {})]])
    assert expand_context(forest, 2, references=["a b"]) is forest
    assert ngram_incidence(forest, 2, references=["a b"]).expected(np.ones(3)).tolist() == [1, 0, 0]
    with pytest.raises(InputError, match="expand_context first"):
        ngram_incidence(forest, 2)
    with pytest.raises(InputError, match="expand_context first"):
        ngram_incidence(forest, 2, references=["x a"])
    with pytest.raises(InputError, match="a list of strings"):
        ngram_incidence(forest, 2, references="x a")


def test_the_example_of_the_consensus_paper_has_its_numbers() -> None:
    # Pauls, DeNero and Klein (2009), Figure 1: probabilities 0.67, 0.24, 0.09
    forest = rhyme_forest()
    incidence = ngram_incidence(forest, 2)
    expected = incidence.expected(posteriors(forest, {"TM": 1.0, "LM": 1.0}).edges)
    counts = dict(zip(spelt(forest, incidence), np.round(expected, 2), strict=True))
    assert counts[("Once", "upon")] == counts[("upon", "a")] == 0.33
    assert counts[("a", "rhyme")] == 0.91
    assert expected[incidence.lengths == 2].sum() == pytest.approx(3)


def test_ngrams_are_numbered_as_they_come() -> None:
    forest = build_forest([[Edge((), ("a", "b"), {})], [Edge((0,), (-1, "a"), {})]])
    incidence = ngram_incidence(forest, 3)
    assert incidence.ngrams.tolist() == [
        [0, -1, -1],
        [0, 1, -1],
        [1, -1, -1],
        [0, 1, 0],
        [1, 0, -1],
    ]
    assert incidence.lengths.tolist() == [1, 2, 1, 3, 2]
    assert (incidence.offsets.tolist(), incidence.ids.tolist()) == ([0, 3, 6], [0, 1, 2, 0, 3, 4])
    assert incidence.counts.tolist() == [1.0] * 6
    assert incidence.order == 3


def test_a_node_between_two_words_is_seen_through_if_it_is_short() -> None:
    forest = build_forest([[Edge((), (), {})], [Edge((0,), ("a", -1, "b"), {})]])
    assert spelt(forest, ngram_incidence(forest, 2)) == [("a",), ("a", "b"), ("b",)]


def test_edges_that_no_derivation_uses_have_no_ngrams() -> None:
    forest = build_forest([[Edge((), ("a",), {})], [Edge((), ("b",), {})]])
    assert ngram_incidence(forest, 2).offsets.tolist() == [0, 0, 1]


def test_a_forest_that_is_not_local_is_refused_with_what_to_do() -> None:
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})], [Edge((0,), (-1, "c"), {})]])
    with pytest.raises(InputError, match="2 words are not local to edges; call expand_context first"):
        ngram_incidence(forest, 2)
    assert len(ngram_incidence(forest, 1).ngrams) == 3


def test_wrong_sizes_and_orders_are_refused() -> None:
    incidence = ngram_incidence(build_forest([[Edge((), ("a",), {})]]))
    with pytest.raises(InputError, match="for 1 edges"):
        incidence.expected(np.zeros(2))
    with pytest.raises(InputError, match="for 1 n-grams"):
        incidence.rewards(np.zeros((1, 1)))
    with pytest.raises(OptionError, match="1 to 16"):
        ngram_incidence(build_forest([]), 0)


def test_an_empty_forest_has_no_ngrams() -> None:
    ngrams, counts = expected_ngrams(build_forest([]), np.zeros(0))
    assert (ngrams.shape, counts.shape) == ((0, 4), (0,))


@pytest.mark.slow
def test_deep_and_large_forests_take_seconds() -> None:
    depth = 100_000
    forest = chain(depth)
    incidence = ngram_incidence(forest, 4)
    counts = dict(zip(spelt(forest, incidence), incidence.expected(np.ones(depth + 1)), strict=True))
    assert counts[("b",)] == depth
    assert counts[("b", "b", "b", "b")] == depth - 3
    assert counts[("a", "b", "b")] == 1
