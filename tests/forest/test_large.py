"""Large and deep forests: no recursion, and time that is linear in the edges."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from tests.forest.large_forests import random_forest

from tunesmith.forest import (
    Derivation,
    Forest,
    count_derivations,
    derivations,
    entropy,
    expectation,
    expected_features,
    expected_ngrams,
    expected_statistics,
    kbest,
    kbest_pool,
    log_count_derivations,
    log_partition,
    oracle_bleu,
    oracle_linear,
    posteriors,
    prune,
    refine_context,
    refine_to_target,
    sample,
    union,
    viterbi,
)


def weights(forest: Forest) -> dict[str, float]:
    return {name: 0.5 - 0.1 * i for i, name in enumerate(forest.feature_names)}


@pytest.mark.slow
@pytest.mark.parametrize("tails", [1, 2])
def test_a_chain_of_100000_nodes_has_all_that_a_short_one_has(tails: int):
    forest = random_forest(100_000, 1, tails)
    scores = forest.scores(weights(forest))
    best = viterbi(forest, scores)
    length = 100_000 * tails + 1
    assert len(best.edges) == length
    assert best.score == pytest.approx(scores.sum())
    assert len(best.words) == 100_000
    assert sum(weights(forest)[name] * value for name, value in best.features.items()) == pytest.approx(
        best.score
    )
    assert count_derivations(forest) == 1
    assert [d.edges for d in kbest(forest, scores, 5)] == [best.edges]
    assert [d.edges for d in sample(forest, scores, 2)] == [best.edges] * 2
    assert posteriors(forest, scores).edges[1:] == pytest.approx(np.ones(100_000))
    assert expectation(forest, scores, np.ones(forest.edge_count)).mean == pytest.approx(length)
    assert prune(forest, scores, beam=1.0).edge_count == forest.edge_count
    assert entropy(forest, scores) == pytest.approx(0, abs=1e-6)
    assert best.segments == ()


@pytest.mark.slow
def test_a_deep_forest_of_many_choices_has_a_kbest_list():
    forest = random_forest(20_000, 5, 1)
    scores = forest.scores(weights(forest))
    found = list(itertools.islice(derivations(forest, scores), 200))
    assert len({d.edges for d in found}) == 200
    assert all(a.score >= b.score for a, b in itertools.pairwise(found))
    for derivation in (found[0], found[-1]):
        assert derivation.score == pytest.approx(scores[list(derivation.edges)].sum())
    assert found[0] == viterbi(forest, scores)


@pytest.mark.slow
def test_a_forest_of_100000_edges_takes_what_all_others_take():
    forest = random_forest(1000, 100, 1, reach=200)
    by_name = weights(forest)
    scores = forest.scores(by_name)
    found = kbest(forest, scores, 1000)
    assert len({d.edges for d in found}) == 1000
    pool = kbest_pool([forest, forest], by_name, 1000, unique=True)
    assert pool.features.dot(np.array([by_name[n] for n in pool.feature_names])) == pytest.approx(pool.totals)
    assert log_count_derivations(forest) > math.log(1e100)
    assert posteriors(forest, scores).nodes[-1] == pytest.approx(1.0)
    assert len(expected_features(forest, scores)) == 9
    lengths = [len(derivation.edges) for derivation in sample(forest, scores, 200)]
    length = expectation(forest, scores, np.ones(forest.edge_count))
    assert abs(np.mean(lengths) - length.mean) < 6 * math.sqrt(length.variance / 200)
    assert prune(forest, scores, density=50, words=100).edge_count <= 5000
    both = union([forest, forest])
    again = np.concatenate([scores, scores, np.zeros(2)])
    assert log_partition(both, again) == pytest.approx(log_partition(forest, scores) + math.log(2))
    assert Derivation(forest, found[3].edges, 0.0).text == pool.texts[3]


def test_words_of_a_lattice_of_100000_edges_are_counted_found_and_forced():
    forest = random_forest(25_000, 4, 1)
    scores = forest.scores(weights(forest))
    best = viterbi(forest, scores)
    local = refine_context(forest, 2)
    ngrams, counts = expected_ngrams(local.forest, scores[local.origins], 2)
    words = expected_statistics(forest, scores, (forest.native.tail_offsets[1:, None] > 0).astype(float))
    pairs = ngrams[:, 1] >= 0
    assert counts[~pairs].sum() == pytest.approx(words[0])
    assert counts[pairs].sum() == pytest.approx(words[0] - 1)
    forced = refine_to_target(forest, best.words)
    assert viterbi(forced.forest, scores[forced.origins]).score == pytest.approx(best.score)
    reference = " ".join(best.words[:30])
    oracle = oracle_linear(forest, [reference])
    assert reference in oracle.text
    assert oracle_bleu(forest, [reference], beam=2).stats[0] == 30


@pytest.mark.parametrize(
    "work",
    [
        posteriors,
        lambda forest, scores: expectation(forest, scores, scores),
        viterbi,
    ],
    ids=["posteriors", "expectation", "viterbi"],
)
def test_time_is_linear_in_the_edges(work: Callable[[Forest, np.ndarray], object]):
    def seconds(nodes: int) -> float:
        forest = random_forest(nodes, 4, 2)
        scores = forest.scores(weights(forest))
        times = []
        for _ in range(5):
            start = time.thread_time()
            work(forest, scores)
            times.append(time.thread_time() - start)
        return min(times)

    # Sixteen times the edges: quadratic work would take 256 times as long.
    assert seconds(32_000) < 64 * max(seconds(2_000), 1e-4)
