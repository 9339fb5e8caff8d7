"""A label among the features is warned of."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.random_pools import random_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.metrics import Precomputed, get_metric
from tunesmith.optimizers.space import Space
from tunesmith.tuning import leaks
from tunesmith.tuning.leaks import leak_warnings


def warned(pool: Pool, metric: str = "bleu", **options: object) -> list[str]:
    space = Space.build(pool.feature_names, len(pool), **options)
    return list(leak_warnings(pool, get_metric(metric), space))


def with_copy(pool: Pool, column: np.ndarray) -> Pool:
    dense = np.column_stack([pool.features.to_dense(), column])
    return Pool.from_arrays(
        dense,
        offsets=pool.offsets,
        names=[*pool.feature_names, "copy"],
        texts=pool.texts,
        references=pool.references,
    )


POOL = random_pool(3, lists=40, size=8)
GAIN = get_metric("bleu").sentence_gain(POOL.stats(get_metric("bleu")))


@pytest.mark.parametrize(
    "copy",
    [lambda x: x, np.exp, lambda x: -3 * x, lambda x: np.round(x, 3)],
    ids=["same", "exp", "negative", "rounded"],
)
def test_a_monotone_copy_of_the_metric_is_named(copy) -> None:
    (warning,) = warned(with_copy(POOL, copy(GAIN)))
    assert "feature 'copy'" in warning
    assert "read it as a score" in warning


def test_honest_features_are_not_warned_of() -> None:
    noisy = GAIN + np.random.default_rng(1).normal(scale=GAIN.std(), size=len(GAIN))
    assert warned(with_copy(POOL, noisy)) == []
    assert warned(POOL) == []


def test_a_score_that_was_forgotten_among_the_features_is_warned_of_by_tune() -> None:
    random = np.random.default_rng(2)
    comet = random.normal(size=(30, 6))
    features = np.stack([random.normal(size=(30, 6)), comet], axis=2)
    pool = Pool.from_arrays(features, names=["lm", "comet"], scores={"score": comet})
    result = tune(pool, "mira", Precomputed("score"), epochs=2)
    assert any("feature 'comet' orders the candidates" in warning for warning in result.warnings)
    assert repr(result).endswith("1 warning>")


def test_a_feature_frozen_at_zero_leaks_nothing() -> None:
    assert warned(with_copy(POOL, GAIN), frozen=["copy"]) == []
    assert warned(with_copy(POOL, GAIN), frozen=["copy"], start={"copy": 1.0}) != []


def test_the_correlation_is_scipys_mean_over_lists() -> None:
    noisy = GAIN + np.random.default_rng(3).normal(scale=0.004, size=len(GAIN))
    parts = [slice(*POOL.offsets[g : g + 2]) for g in range(len(POOL))]
    expected = np.mean([spearmanr(noisy[p], GAIN[p])[0] for p in parts if len(np.unique(GAIN[p])) >= 3])
    (warning,) = warned(with_copy(POOL, noisy))
    assert f"correlation {expected:.3f} over" in warning


def test_few_lists_prove_nothing() -> None:
    few = with_copy(POOL, GAIN).take_lists(np.arange(4))
    assert warned(few) == []


def test_features_far_from_the_metric_are_dropped_early(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    rows = random.normal(size=(50 * 5, 20))
    pool = Pool.from_arrays(rows, offsets=np.arange(51) * 5, scores={"score": rows[:, 7]})
    widths = []

    def noted(values: np.ndarray, gains: np.ndarray) -> np.ndarray:
        widths.append(values.shape[1])
        return real(values, gains)

    real = leaks._rank_correlations
    monkeypatch.setattr(leaks, "_rank_correlations", noted)
    assert "'f7'" in warned(pool, "precomputed('score')")[0]
    assert widths == [20] * leaks.TRIAL + [1] * (50 - leaks.TRIAL)
