"""The standard error of a difference of scores: the textbook's for a mean, the bootstrap's for BLEU."""

from __future__ import annotations

import numpy as np
import pytest
from tests.toy_metrics import ErrorRate, Mean

from tunesmith.metrics import get_metric
from tunesmith.metrics.base import Segments
from tunesmith.metrics.standard_error import standard_error_of_difference
from tunesmith.texts import Texts


def column(values: np.ndarray) -> np.ndarray:
    return np.stack([values, np.ones_like(values)], axis=1)


@pytest.mark.parametrize("metric", [Mean(), ErrorRate()])
def test_a_mean_has_the_standard_error_of_paired_differences(metric: Mean) -> None:
    rng = np.random.default_rng(5)
    before, after = rng.normal(size=60), rng.normal(0.3, 2.0, size=60)
    found = standard_error_of_difference(metric, column(before), column(after))
    assert found == pytest.approx(np.std(after - before, ddof=1) / np.sqrt(60), rel=1e-12)


def test_bleu_agrees_with_resampled_sentences() -> None:
    rng = np.random.default_rng(7)
    words = np.array([f"w{i}" for i in range(12)])

    def noisy(line: np.ndarray, share: float) -> str:
        other = rng.choice(words, size=len(line))
        return " ".join(np.where(rng.random(len(line)) < share, other, line))

    lines = [rng.choice(words, size=rng.integers(8, 30)) for _ in range(300)]
    references = (Texts.of([" ".join(line) for line in lines]),)
    metric = get_metric("bleu")
    stats = [
        metric.measure(Segments.of(Texts.of([noisy(line, share) for line in lines]), references))
        for share in (0.35, 0.25)
    ]
    drawn = [rng.integers(300, size=300) for _ in range(4000)]
    gains = [[float(metric.gain(each[index].sum(axis=0))) for index in drawn] for each in stats]
    expected = np.std(np.subtract(gains[1], gains[0]))
    found = standard_error_of_difference(metric, *stats)
    assert found == pytest.approx(expected, rel=0.1)
    # Both translate the same sentences: less varies than if they were independent.
    assert found > 0.002


def test_equal_systems_and_single_sentences_have_none() -> None:
    values = column(np.array([0.2, 0.7, 0.4]))
    assert standard_error_of_difference(Mean(), values, values) == 0.0
    assert standard_error_of_difference(Mean(), values[:1], 2 * values[:1]) == 0.0
