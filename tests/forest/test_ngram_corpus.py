"""Expected n-gram counts and their gradients against all derivations, one by one."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import brute_force, listed
from tests.forest.strategies import FEATURES, WORDS, forests
from tests.toy_forests import random_forest_pool

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest import Edge, ForestFile, ForestWriter, build_forest, entropy
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.counts import CountSlopes

ORDER = 3
text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


def ngrams(words: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    return Counter(words[i : i + n] for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


def draws(pool: ForestPool, weights: np.ndarray, sentence: int) -> list[tuple[float, Counter]]:
    """Return the probability and the n-grams of each derivation."""
    forest = pool.forests[sentence]
    scores = pool.scores(forest, weights)
    total = {one.edges: one.words for one in listed(forest)}
    found = brute_force(forest, scores)
    top = max(score for score, _ in found)
    mass = sum(math.exp(score - top) for score, _ in found)
    return [(math.exp(score - top) / mass, ngrams(total[edges])) for score, edges in found]


@given(st.lists(st.tuples(forests(), text, text), min_size=1, max_size=3), st.data())
def test_counts_are_the_means_over_all_derivations(sentences, data):
    pool = ForestPool.of([s[0] for s in sentences], [[s[1] for s in sentences], [s[2] for s in sentences]])
    drawn = data.draw(st.lists(st.floats(-1, 1), min_size=len(FEATURES), max_size=len(FEATURES)))
    weights = np.array(drawn)[: len(pool.feature_names)]
    corpus = NgramCorpus(pool, ORDER)
    counts, entropies = corpus.expected(weights)
    for sentence in range(len(pool)):
        found = draws(pool, weights, sentence)
        totals = [
            sum(p * sum(c for g, c in each.items() if len(g) == n) for p, each in found) for n in (1, 2, 3)
        ]
        assert counts.totals[sentence] == pytest.approx(totals, abs=1e-9)
        limits: Counter[tuple[str, ...]] = Counter()
        for reference in pool.references_of(sentence):
            limits |= ngrams(tuple(reference.split()))
        begin, end = counts.offsets[sentence], counts.offsets[sentence + 1]
        assert sorted(counts.limits[begin:end]) == sorted(limits.values())
        expected = [(len(g), sum(p * each[g] for p, each in found), limit) for g, limit in limits.items()]
        rows = zip(counts.lengths[begin:end], counts.counts[begin:end], counts.limits[begin:end], strict=True)
        # Rounding must not decide which of two n-grams that are equally likely comes first.
        one, other = (
            sorted(each, key=lambda row: (row[0], round(row[1], 7), row[2])) for each in (rows, expected)
        )
        assert np.array(one).reshape(-1) == pytest.approx(np.array(other).reshape(-1), abs=1e-9)
        score = pool.scores(pool.forests[sentence], weights)
        assert entropies[sentence] == pytest.approx(entropy(pool.forests[sentence], score), abs=1e-9)


@pytest.mark.parametrize("temperature", [0.0, 0.7, -0.3])
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_the_gradient_of_the_reward_is_the_limit_of_differences(temperature: float, scale: float) -> None:
    pool = random_forest_pool(3, references=2)
    corpus = NgramCorpus(pool, ORDER)
    rng = np.random.default_rng(2)
    weights = rng.standard_normal(len(pool.feature_names))
    reference = corpus.references
    values = CountSlopes(rng.standard_normal(len(reference.lengths)), rng.standard_normal((len(pool), ORDER)))

    def value(at: np.ndarray) -> float:
        counts, entropies = corpus.expected(at, scale)
        gain = values.counts @ counts.counts + (values.totals * counts.totals).sum()
        return float(gain + temperature * entropies.sum())

    mean, gradient = corpus.reward(weights, values, scale=scale, temperature=temperature)
    assert mean == pytest.approx(value(weights), rel=1e-12)
    for index, slope in enumerate(gradient):
        shift = np.zeros_like(weights)
        shift[index] = 1e-5
        difference = (value(weights + shift) - value(weights - shift)) / 2e-5
        assert slope == pytest.approx(difference, abs=1e-7 * np.linalg.norm(gradient))


def test_yields_shorter_than_the_order_have_no_ngrams_beyond_their_length() -> None:
    forest = build_forest(
        [[Edge((), (), {"f": 1.0}), Edge((), ("a",), {"f": 0.0}), Edge((), ("a", "b"), {})]]
    )
    corpus = NgramCorpus(ForestPool.of([forest], [["a b"]]), ORDER)
    counts = corpus.counts(np.zeros(1))
    assert counts.totals[0] == pytest.approx([1.0, 1 / 3, 0.0])


def test_forests_on_disk_give_the_same_bits_as_forests_in_memory(tmp_path) -> None:
    pool = random_forest_pool(5, sentences=9)
    weights = np.array([0.3, -0.2, 0.1, 0.4])
    held, spilled = NgramCorpus(pool), NgramCorpus(pool, memory=9000, folder=tmp_path)
    assert held.bytes_on_disk == 0 < spilled.bytes_on_disk < held.native.bytes
    assert list(tmp_path.iterdir()) == []
    assert np.array_equal(held.counts(weights).counts, spilled.counts(weights).counts)
    values = CountSlopes(held.references.limits, np.ones((9, 4)))
    for one, other in zip(held.reward(weights, values), spilled.reward(weights, values), strict=True):
        assert np.array_equal(one, other)


def test_forests_of_a_file_give_the_same_as_those_in_memory(tmp_path) -> None:
    pool = random_forest_pool(6)
    with ForestWriter(tmp_path / "forests") as writer:
        for forest in pool.forests:
            writer.add(forest)
    mapped = replace(pool, forests=ForestFile.open(tmp_path / "forests"))
    weights = {name: 0.1 * place for place, name in enumerate(pool.feature_names)}
    rows = [
        NgramCorpus(each).counts(np.array([weights[name] for name in each.feature_names])).counts
        for each in (pool, mapped)
    ]
    assert np.array_equal(*rows)


def test_a_corpus_survives_pickling() -> None:
    corpus = NgramCorpus(random_forest_pool(7))
    weights = np.array([1.0, -1.0, 0.5, 0.0])
    again = pickle.loads(pickle.dumps(corpus))
    assert np.array_equal(again.counts(weights).counts, corpus.counts(weights).counts)
    assert "edges of" in repr(corpus)


def test_what_does_not_fit_is_refused() -> None:
    pool = random_forest_pool(8)
    corpus = NgramCorpus(pool)
    with pytest.raises(InputError, match="3 weights for 4 features"):
        corpus.counts(np.zeros(3))
    with pytest.raises(InputError, match="not finite"):
        corpus.counts(np.full(4, np.nan))
    with pytest.raises(InputError, match="not finite"):
        corpus.counts(np.full(4, 1e308))
    with pytest.raises(InputError, match="a value is needed"):
        corpus.reward(np.zeros(4), CountSlopes(np.zeros(2), np.zeros((6, 4))))
    with pytest.raises(InputError, match="no references"):
        NgramCorpus(replace(pool, references=()))
    with pytest.raises(InputError, match="a folder that is not there"):
        NgramCorpus(pool, memory=1, folder="a folder that is not there")


def test_a_packed_forest_can_be_added_once() -> None:
    pool = random_forest_pool(9, sentences=1)
    packed = NgramCorpus(pool)._pack(0)
    native = _native.NgramForests(4, 4, 1 << 20, ".")
    native.add(packed)
    with pytest.raises(InputError, match="moved away"):
        native.add(packed)
