from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

from tunesmith.errors import InputError
from tunesmith.metrics import Bleu, Precomputed, PrecomputedStats, Segments, Ter


def segments_with(**scores: object) -> Segments:
    columns = {name: np.asarray(column) for name, column in scores.items()}
    return dataclasses.replace(Segments.of(["a", "b", "c"], []), scores=columns)


def test_the_score_is_the_mean_of_the_column() -> None:
    metric = Precomputed("comet")
    stats = metric.measure(segments_with(comet=[0.5, -0.25, 0.75]))
    assert stats.tolist() == [[0.5, 1], [-0.25, 1], [0.75, 1]]
    assert float(metric.score(stats.sum(axis=0))) == pytest.approx(1 / 3)
    assert metric.size(stats).tolist() == [1, 1, 1]


def test_less_may_be_better() -> None:
    metric = Precomputed("errors", higher_is_better=False)
    assert float(metric.gain(np.array([3.0, 2.0]))) == -1.5
    assert metric.scorer().gain(np.array([[3.0, 2.0]])).tolist() == [-1.5]


def test_a_missing_column_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'comet'"):
        Precomputed("commet").measure(segments_with(comet=[1, 2, 3]))
    with pytest.raises(InputError, match="have no scores"):
        Precomputed("comet").measure(segments_with())


def test_a_column_must_be_finite_and_complete() -> None:
    with pytest.raises(InputError, match="hypothesis 1 is not finite"):
        Precomputed("x").measure(segments_with(x=[1, np.nan, 3]))
    with pytest.raises(InputError, match=r"shape \(2,\) for 3 hypotheses"):
        Precomputed("x").measure(segments_with(x=[1, 2]))


def test_statistics_from_outside_are_scored_by_the_metric_they_belong_to() -> None:
    segments = Segments.of(["a b c d", "x"], [["a b c e", "x"]])
    for inner in (Bleu(), Ter()):
        table = inner.measure(segments)
        metric = PrecomputedStats(table, inner)
        np.testing.assert_array_equal(metric.measure(segments), table)
        assert float(metric.gain(table.sum(axis=0))) == float(inner.gain(table.sum(axis=0)))
        np.testing.assert_array_equal(metric.scorer().gain(table), inner.scorer().gain(table))
        np.testing.assert_array_equal(metric.score_gradient(table), inner.score_gradient(table))
        np.testing.assert_array_equal(metric.sentence_score(table), inner.sentence_score(table))
        np.testing.assert_array_equal(metric.size(table), inner.size(table))
        copy = pickle.loads(pickle.dumps(metric))
        assert copy.signature == metric.signature


def test_other_statistics_have_another_signature() -> None:
    table = np.ones((2, 2))
    assert PrecomputedStats(table, Ter()).signature != PrecomputedStats(2 * table, Ter()).signature


def test_statistics_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match=r"\[hypotheses, 2\] of ter statistics"):
        PrecomputedStats(np.ones((2, 3)), Ter())
    with pytest.raises(InputError, match="not finite"):
        PrecomputedStats([[1, np.inf]], Ter())
    with pytest.raises(InputError, match="1 rows for 3 hypotheses"):
        PrecomputedStats([[1, 1]], Ter()).measure(segments_with())
