"""Over fixed lists, with one shard, an epoch of online learning is a pass of `mira`, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.random_pools import random_pool

from tunesmith.candidates.pool import Pool
from tunesmith.metrics import get_metric
from tunesmith.objectives.hope_fear import HopeFear
from tunesmith.optimizers.base import State
from tunesmith.optimizers.passive_aggressive import PassiveAggressive
from tunesmith.optimizers.space import Space
from tunesmith.systems.lists import ListSystem
from tunesmith.tuning.online.candidate_view import CandidateView
from tunesmith.tuning.online.documents import open_document
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.learner import LearnerOptions, learn_pass
from tunesmith.tuning.online.mixing import MixingOptions, mix
from tunesmith.tuning.online.shards import make_shards
from tunesmith.tuning.online.updates.passive_aggressive import PassiveAggressiveUpdate
from tunesmith.weights import WeightStore


def online_pass(pool: Pool, name: str, start: np.ndarray, seed: int) -> tuple[dict[str, float], int]:
    """One epoch with one shard, kbmira's document, a single rate and averages over steps."""
    metric = get_metric(name)
    shards = make_shards(len(pool), 1, seed)
    first = WeightStore.of(dict(zip(pool.feature_names, start.tolist(), strict=True)))
    store = WeightStore.of(first)
    tally = learn_pass(
        JudgedSystem(ListSystem(pool), pool.references, metric, 0),
        store,
        PassiveAggressiveUpdate(c=0.05),
        open_document("kbmira", metric),
        shards.order(0, 0, seed).tolist(),
        LearnerOptions(document="kbmira", adaptive=0.0),
        CandidateView.of(LearnerOptions(), ()),
    )
    mixed = mix(first, [(store, len(pool), tally.sentences)], len(pool), (), MixingOptions(top_k=0))
    return dict(mixed.average.items()), tally.updates


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@given(seed=st.integers(0, 2**40), sparse=st.integers(0, 12))
@settings(max_examples=10, deadline=None)
def test_one_shard_equals_one_pass_of_mira(metric: str, seed: int, sparse: int) -> None:
    pool = random_pool(seed, sparse=sparse, lists=20)
    start = np.random.default_rng(seed).normal(size=len(pool.feature_names))
    space = Space.build(pool.feature_names, len(pool), start=start)
    state = State(space.start, np.inf)
    after = PassiveAggressive(c=0.05, epochs=1, seed=seed % 1000).step(
        HopeFear.build(pool, get_metric(metric)), space, state, lambda loss, weights: None
    )
    found, updates = online_pass(pool, metric, start, seed % 1000)
    assert updates > 0
    expected = dict(zip(pool.feature_names, after.weights.tolist(), strict=True))
    assert {name: found.get(name, 0.0) for name in expected} == expected
