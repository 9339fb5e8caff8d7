"""Scales, tried on text with references."""

from __future__ import annotations

import numpy as np
import pytest

from tunesmith.candidates import Pool
from tunesmith.consensus import FastConsensus, scores_by_scale
from tunesmith.errors import InputError
from tunesmith.forest import Edge, ForestPool, build_forest

TEXTS = ["Once on a rhyme", "Once upon a rhyme", "Once upon a time"]
FEATURES = [[-3.0, -7.0], [-5.0, -6.0], [-9.0, -3.0]]
WEIGHTS = {"TM": 1.0, "LM": 1.5}


def test_the_scale_that_finds_the_reference_wins_in_lists_and_forests() -> None:
    pool = Pool.from_arrays(
        np.array([FEATURES]), names=["TM", "LM"], texts=[TEXTS], references=["Once upon a rhyme"]
    )
    edges = [
        Edge((), tuple(text.split()), dict(zip(WEIGHTS, row, strict=True)))
        for text, row in zip(TEXTS, FEATURES, strict=True)
    ]
    forests = ForestPool.of([build_forest([edges])], [["Once upon a rhyme"]])
    rule = FastConsensus(metric="precision(order=2)")
    for data in (pool, forests):
        gains = scores_by_scale(rule, data, WEIGHTS, scales=[0.0, 1.0, 100.0])
        assert gains[1.0] == pytest.approx(1.0)
        assert gains[100.0] < 1.0


def test_without_references_there_is_nothing_to_choose_by() -> None:
    pool = Pool.from_arrays(np.array([FEATURES]), names=["TM", "LM"], texts=[TEXTS])
    with pytest.raises(InputError, match="no references"):
        scores_by_scale(FastConsensus(), pool, WEIGHTS)
