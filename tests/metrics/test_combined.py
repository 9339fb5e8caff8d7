from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import Bleu, Chrf, Combined, Metric, Segments, Ter, get_metric


@pytest.fixture
def segments(generated: Any) -> Segments:
    corpus = generated(25, 2, seed=3)
    return Segments.of(corpus.hypotheses, corpus.references)


def corpus_score(metric: Metric, segments: Segments) -> float:
    return float(metric.score(metric.measure(segments).sum(axis=0)))


def test_the_score_is_the_expression_of_the_scores(segments: Segments) -> None:
    bleu, chrf, ter = (corpus_score(metric, segments) for metric in (Bleu(), Chrf(), Ter()))
    expected = 0.2 * bleu + 2 * chrf * (1 - ter) / (chrf + (1 - ter))
    metric = get_metric("0.2*bleu + 2*chrf*(1-ter)/(chrf + (1-ter))")
    assert corpus_score(metric, segments) == pytest.approx(expected, rel=1e-12)


def test_sentence_scores_combine_the_parts_sentence_scores(segments: Segments) -> None:
    metric = get_metric("0.5*bleu + 0.5*(1-ter)")
    bleu, ter = Bleu().measure(segments), Ter().measure(segments)
    expected = 0.5 * Bleu().sentence_score(bleu) + 0.5 * (1 - Ter().sentence_score(ter))
    np.testing.assert_allclose(metric.sentence_score(metric.measure(segments)), expected)
    background = np.ones(11)
    expected = 0.5 * Bleu().score(bleu + 1) + 0.5 * (1 - Ter().score(ter + 1))
    np.testing.assert_allclose(metric.sentence_score(metric.measure(segments), background), expected)


def test_equal_parts_share_statistics() -> None:
    assert get_metric("bleu + bleu*(1-ter)").width == Bleu().width + Ter().width
    assert get_metric("bleu + bleu(order=2)").width == 9 + 5


def test_the_size_is_the_mean_of_the_parts_sizes(segments: Segments) -> None:
    bleu, chrf, ter = (metric.size(metric.measure(segments)) for metric in (Bleu(), Chrf(), Ter()))
    for text in ("0.5*bleu + 0.5*chrf", "chrf*bleu"):
        metric = get_metric(text)
        np.testing.assert_array_equal(metric.size(metric.measure(segments)), (bleu + chrf) / 2)
    metric = get_metric("chrf + bleu - ter")
    np.testing.assert_allclose(metric.size(metric.measure(segments)), (bleu + chrf + ter) / 3)


def test_weighted_sums_have_a_native_scorer(segments: Segments, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Metric, "scorer", lambda self: pytest.fail("asked Python"))
    for text in ("0.5*bleu + 0.5*(1-ter)", "(bleu + chrf)*0.5 - ter/4", "ter + 2*wer"):
        metric = get_metric(text)
        stats = metric.measure(segments)
        np.testing.assert_allclose(metric.scorer().gain(stats), metric.gain(stats), rtol=1e-12, atol=1e-15)


def test_zero_over_zero_is_zero() -> None:
    harmonic = get_metric("2*bleu*chrf/(bleu + chrf)")
    nothing = harmonic.stats("x y", ["a b"])
    assert float(harmonic.score(nothing)) == 0
    assert np.isfinite(harmonic.score_gradient(nothing)).all()


def test_numbers_of_numpy_combine_too() -> None:
    assert isinstance(np.float64(0.5) * Bleu(), Combined)
    assert np.float64(0.5) * Bleu() == 0.5 * Bleu()


@pytest.mark.parametrize("other", [True, "bleu", float("nan"), None, [1]])
def test_anything_else_does_not_combine(other: Any) -> None:
    with pytest.raises(OptionError, match="finite numbers"):
        Bleu() + other


def test_signatures_hold_every_option_of_every_part() -> None:
    signature = (0.5 * Bleu(order=2) + 0.5 * (1 - Ter(normalized=True))).signature
    assert Bleu(order=2).signature in signature
    assert Ter(normalized=True).signature in signature
    assert (Bleu() - (Chrf() - 1) * -2).label == "bleu - (chrf - 1)*(-2)"


def test_combinations_are_pickled() -> None:
    metric = get_metric("bleu*(1-ter)")
    assert pickle.loads(pickle.dumps(metric)) == metric
