"""Scales, tried on text with references."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rhyme import HYPOTHESES, REFERENCE, rhyme_forest

from tunesmith.candidates import Pool
from tunesmith.consensus import FastConsensus, scores_by_scale
from tunesmith.errors import InputError
from tunesmith.forest import ForestPool

TEXTS = list(HYPOTHESES)
FEATURES = [list(features.values()) for features in HYPOTHESES.values()]
WEIGHTS = {"TM": 1.0, "LM": 1.5}


def test_the_scale_that_finds_the_reference_wins_in_lists_and_forests() -> None:
    pool = Pool.from_arrays(np.array([FEATURES]), names=["TM", "LM"], texts=[TEXTS], references=[REFERENCE])
    forests = ForestPool.of([rhyme_forest()], [[REFERENCE]])
    rule = FastConsensus(metric="precision(order=2)")
    for data in (pool, forests):
        gains = scores_by_scale(rule, data, WEIGHTS, scales=[0.0, 1.0, 100.0])
        assert gains[1.0] == pytest.approx(1.0)
        assert gains[100.0] < 1.0


def test_without_references_there_is_nothing_to_choose_by() -> None:
    pool = Pool.from_arrays(np.array([FEATURES]), names=["TM", "LM"], texts=[TEXTS])
    with pytest.raises(InputError, match="no references"):
        scores_by_scale(FastConsensus(), pool, WEIGHTS)
