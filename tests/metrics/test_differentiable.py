from __future__ import annotations

import numpy as np
import pytest
from tests.toy_metrics import Mean

from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.differentiable import SmoothBrevityBleu, differentiable
from tunesmith.metrics.precomputed import PrecomputedStats
from tunesmith.metrics.ter import Ter
from tunesmith.types import Stats

SMOOTH = SmoothBrevityBleu(Bleu())


def stats(hypothesis: float, reference: float) -> Stats:
    """Statistics of a corpus of so many words; the precisions are 0.7, 0.5, 0.35, 0.25."""
    totals = np.array([hypothesis, 0.9 * hypothesis, 0.8 * hypothesis, 0.7 * hypothesis])
    matches = totals * [0.7, 0.5, 0.35, 0.25]
    return np.append(np.stack([matches, totals], axis=1).reshape(-1), reference)


@pytest.mark.parametrize("ratio", [0.3, 0.9, 0.97, 1.02, 1.5, 40.0])
def test_away_from_equal_lengths_it_is_bleu(ratio: float) -> None:
    assert SMOOTH.score(stats(1000 * ratio, 1000)) == pytest.approx(
        float(Bleu().score(stats(1000 * ratio, 1000))), rel=1e-8
    )


def test_near_equal_lengths_it_is_within_the_stated_distance_of_bleu() -> None:
    lengths = np.linspace(900, 1100, 2001)
    values = np.array([stats(length, 1000) for length in lengths])
    distance = np.abs(SMOOTH.score(values) - Bleu().score(values))
    assert 0 < distance.max() < 1 / (np.e * SMOOTH.kappa)


@pytest.mark.parametrize("length", [500.0, 998.0, 999.5, 1000.0, 1000.5, 1003.0, 2000.0])
def test_the_gradient_is_the_limit_of_differences_even_at_equal_lengths(length: float) -> None:
    values = stats(length, 1000)
    gradient = SMOOTH.score_gradient(values)
    for index in range(len(values)):
        shift = np.zeros_like(values)
        shift[index] = 1e-4
        slope = (SMOOTH.score(values + shift) - SMOOTH.score(values - shift)) / 2e-4
        assert gradient[index] == pytest.approx(float(slope), rel=1e-6, abs=1e-11)


def test_stacks_of_statistics_are_scored_row_by_row() -> None:
    both = np.array([stats(900, 1000), stats(1100, 1000)])
    assert SMOOTH.score(both)[1] == SMOOTH.score(both[1])
    assert np.array_equal(SMOOTH.score_gradient(both)[0], SMOOTH.score_gradient(both[0]))


@pytest.mark.parametrize("smoothing", ["none", "exp"])
def test_no_match_of_some_order_counts_as_it_does_in_bleu(smoothing: str) -> None:
    bleu = Bleu(smooth=smoothing)  # type: ignore[arg-type]
    values = stats(900, 1000)
    values[6] = 0.0
    assert SmoothBrevityBleu(bleu).score(values) == pytest.approx(float(bleu.score(values)), rel=1e-8)
    gradient = SmoothBrevityBleu(bleu).score_gradient(values)
    assert gradient == pytest.approx(bleu.score_gradient(values), rel=1e-8)


def test_an_empty_hypothesis_scores_zero_without_a_slope() -> None:
    for empty in (np.zeros(9), np.append(np.zeros(8), 12.0)):
        assert SMOOTH.score(empty) == 0.0
        assert np.array_equal(SMOOTH.score_gradient(empty), np.zeros(9))


def test_a_hopelessly_short_corpus_is_no_division_by_zero() -> None:
    values = stats(1, 5000)
    assert SMOOTH.score(values) == 0.0
    assert np.isfinite(SMOOTH.score_gradient(values)).all()


def test_a_metric_without_kinks_is_itself() -> None:
    assert differentiable(Mean()) == Mean()


def test_bleu_is_rounded_wherever_it_hides() -> None:
    combined = differentiable(0.5 * Bleu() + 0.5 * (1 - Ter()))
    assert isinstance(combined, Combined)
    assert [type(part) for part in combined.parts] == [SmoothBrevityBleu, Ter]
    outside = differentiable(PrecomputedStats(stats(900, 1000)[None], Bleu()))
    assert isinstance(outside, PrecomputedStats)
    assert isinstance(outside.metric, SmoothBrevityBleu)


def test_the_signature_tells_it_from_bleu() -> None:
    assert SMOOTH.signature != Bleu().signature
    assert SMOOTH.width == Bleu().width
