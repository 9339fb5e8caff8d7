"""The table of the default sharpness of consensus decoding."""

from __future__ import annotations

import numpy as np
import pytest
from experiments.consensus import constants
from tests.toy_forests import random_forest_pool

from tunesmith.consensus import sharpness
from tunesmith.weights import Weights


def test_each_value_of_a_constant_is_tried_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENTROPIES", (0.01, 5.0))
    monkeypatch.setattr(constants, "SHARES", (0.05, 0.9999))
    forests = random_forest_pool(7, sentences=20)
    weights = Weights(dict.fromkeys(forests.feature_names, 1.0))
    before = sharpness.ENTROPY_A_WORD, sharpness.LIST_SHARE
    table = list(constants.rows(forests.nbest(weights, 20), forests, weights, 1))
    assert before == (sharpness.ENTROPY_A_WORD, sharpness.LIST_SHARE)
    assert [line.count("|") for line in table] == [10] + [5] * 9
    scores = np.array([float(line.split("|")[4]) for line in table[1:]])
    # The sharpest list distribution chooses what Viterbi does; the flattest one need not.
    assert scores[5] == scores[6] == scores[0]
    assert len(set(scores)) > 1
