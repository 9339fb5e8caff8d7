from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.objectives.list_objective import gains_of
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.types import FloatArray, Stats


@dataclass(frozen=True)
class Undefined(Mean):
    """A metric that has no score for one candidate."""

    name: ClassVar[str] = "undefined"

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        scores = self.score(stats).copy()
        scores[-1] = np.nan
        return scores


def test_a_gain_that_is_no_number_is_refused_with_its_sentence() -> None:
    pool = scored_pool(1)
    with pytest.raises(InputError, match=f"sentence '{pool.ids[-1]}': a candidate's undefined is nan"):
        gains_of(pool, Undefined(), threads=1)


def test_a_wide_model_gives_the_gradient_of_their_dense_part() -> None:
    """Wide models are reduced in fewer chunks; the same numbers must come out."""
    narrow = scored_pool(2, lists=150)
    width = 800_000
    places = np.sort(np.random.default_rng(2).choice(width, narrow.features.width, replace=False))
    rows = narrow.features
    names = tuple(map(str, range(width)))
    features = Features(names, rows.offsets, places[rows.columns].astype(np.int32), rows.values)
    wide = Pool(narrow.ids, narrow.offsets, features, scores=narrow.scores)
    weights = np.random.default_rng(3).standard_normal(narrow.features.width)
    spread_out = np.zeros(width)
    spread_out[places] = weights
    loss, gradient = PlackettLuce.build(narrow, Mean()).loss_and_gradient(weights)
    wide_loss, wide_gradient = PlackettLuce.build(wide, Mean(), threads=2).loss_and_gradient(spread_out)
    assert wide_loss == pytest.approx(loss, rel=1e-12)
    assert wide_gradient[places] == pytest.approx(gradient, rel=1e-9, abs=1e-12)
    assert np.count_nonzero(wide_gradient) <= len(places)


def test_weights_of_any_layout_are_accepted() -> None:
    pool = scored_pool(4)
    objective = PlackettLuce.build(pool, Mean())
    weights = np.linspace(-1, 1, pool.features.width)
    strided = np.stack([weights, weights], axis=1)[:, 0]
    assert objective.loss(strided) == objective.loss(weights)
    assert objective.loss(weights.astype(np.float32)) == pytest.approx(objective.loss(weights), rel=1e-5)
