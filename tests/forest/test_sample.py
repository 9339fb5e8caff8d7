"""Random derivations."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.forest.enumeration import brute_force
from tests.forest.strategies import scored_forests

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, build_forest, log_partition, sample


@pytest.mark.slow
@settings(max_examples=30)
@given(scored_forests(forbidden=True), st.integers(0, 2**64 - 1))
def test_derivations_are_drawn_by_their_probabilities(scored, seed: int):
    forest, scores = scored
    everything = brute_force(forest, scores)
    assume(everything)
    n, top = 2000, log_partition(forest, scores)
    drawn = sample(forest, scores, n, seed=seed)
    counts = Counter(derivation.edges for derivation in drawn)
    probabilities = {d: math.exp(score - top) for score, d in everything}
    assert counts.keys() <= probabilities.keys()
    for derivation, probability in probabilities.items():
        # Six standard deviations, and room for rare ones: a right sampler fails once in 10^8 or less.
        deviation = math.sqrt(n * probability * (1 - probability))
        assert abs(counts[derivation] - n * probability) <= 6 * deviation + 10
    assert all(d.score == pytest.approx(scores[list(d.edges)].sum()) for d in drawn[:20])


@given(scored_forests(), st.integers(1, 200))
def test_draws_depend_on_the_seed_and_their_number_alone(scored, n: int):
    forest, scores = scored
    many = sample(forest, scores, 300, seed=5, threads=1)
    assert sample(forest, scores, n, seed=5, threads=2) == many[:n]


def test_other_seeds_draw_others():
    leaf = [Edge((), (str(i),), {}) for i in range(1000)]
    forest = build_forest([leaf])
    drawn = [tuple(d.edges for d in sample(forest, np.zeros(1000), 5, seed=seed)) for seed in range(5)]
    assert len(set(drawn)) == 5


def test_forests_without_derivations_and_senseless_numbers_are_refused():
    forest = build_forest([[Edge((), ("a",), {})]])
    assert sample(forest, np.zeros(1), 0) == []
    with pytest.raises(InputError, match="empty"):
        sample(build_forest([]), np.zeros(0), 1)
    with pytest.raises(InputError, match="forbid"):
        sample(forest, np.array([-np.inf]), 1)
    with pytest.raises(OptionError, match="at least 0"):
        sample(forest, np.zeros(1), -1)
    with pytest.raises(OptionError, match="seed"):
        sample(forest, np.zeros(1), 1, seed=-1)
