"""N-gram counts in place of texts: the same statistics, and slopes that are limits of differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import METRICS, Metric, Segments, get_metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.counts import NgramCounts
from tunesmith.metrics.differentiable import differentiable
from tunesmith.metrics.precision import Precision

COUNTED: list[Metric] = [
    Bleu(),
    Bleu(order=2),
    Bleu(reference_length="shortest"),
    Bleu(reference_length="average"),
    differentiable(Bleu()),
    Precision(),
    Precision(order=2),
]
HYPOTHESES = ["a b a b c", "the the the the", "x", "once upon a time there was", ""]
REFERENCES = [
    ["a b c a b", "the cat the", "y x", "once upon a rhyme there was a time", "something"],
    ["a b", "the", "x", "once upon a time there is", "some thing"],
]


def ngrams(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def counts_of(order: int) -> NgramCounts:
    offsets, lengths, counts, limits = [0], [], [], []
    totals = np.zeros((len(HYPOTHESES), order))
    for i, text in enumerate(HYPOTHESES):
        found = ngrams(text, order)
        largest: Counter[tuple[str, ...]] = Counter()
        for reference in REFERENCES:
            largest |= ngrams(reference[i], order)
        for ngram, limit in largest.items():
            lengths.append(len(ngram))
            counts.append(found[ngram])
            limits.append(limit)
        offsets.append(len(lengths))
        for ngram, count in found.items():
            totals[i, len(ngram) - 1] += count
    words = np.array(
        [[len(reference[i].split()) for reference in REFERENCES] for i in range(len(HYPOTHESES))]
    )
    return NgramCounts(
        np.array(offsets),
        np.array(lengths),
        np.array(counts, dtype=np.float64),
        np.array(limits, dtype=np.float64),
        totals,
        words.astype(np.float64),
    )


@pytest.mark.parametrize("metric", COUNTED, ids=lambda metric: metric.signature)
def test_whole_counts_give_the_statistics_of_the_texts(metric: Metric) -> None:
    measured = metric.measure(Segments.of(HYPOTHESES, REFERENCES))
    assert np.array_equal(metric.stats_from_counts(counts_of(metric.ngram_order)), measured)


@pytest.mark.parametrize("metric", COUNTED, ids=lambda metric: metric.signature)
def test_slopes_by_counts_are_limits_of_differences(metric: Metric) -> None:
    rng = np.random.default_rng(1)
    whole = counts_of(metric.ngram_order)
    at = replace(
        whole,
        counts=whole.counts + rng.uniform(-0.4, 0.4, whole.counts.shape),
        totals=whole.totals + rng.uniform(0.01, 0.4, whole.totals.shape),
    )
    slopes = rng.standard_normal((len(HYPOTHESES), metric.width))

    def value(counts: NgramCounts) -> float:
        return float((slopes * metric.stats_from_counts(counts)).sum())

    found = metric.count_slopes(at, slopes)
    for name, slope in (("counts", found.counts), ("totals", found.totals)):
        array = getattr(at, name)
        for index in np.ndindex(array.shape):
            up, down = array.copy(), array.copy()
            up[index] += 1e-6
            down[index] -= 1e-6
            difference = (value(replace(at, **{name: up})) - value(replace(at, **{name: down}))) / 2e-6
            assert slope[index] == pytest.approx(difference, abs=1e-6)


def test_a_count_at_its_limit_counts_as_below_it() -> None:
    counts = counts_of(1)
    at_limit = replace(counts, counts=counts.limits.copy())
    slopes = Precision().count_slopes(at_limit, np.ones((len(HYPOTHESES), 2)))
    assert (slopes.counts == 1.0).all()


def test_metrics_that_are_no_functions_of_ngram_counts_say_so() -> None:
    counts = counts_of(1)
    for name in set(METRICS) - {"bleu", "precision"}:
        metric = get_metric('precomputed("x")' if name == "precomputed" else name)
        assert metric.ngram_order == 0
        with pytest.raises(OptionError, match="not a function of n-gram counts"):
            metric.stats_from_counts(counts)
        with pytest.raises(OptionError, match="not a function of n-gram counts"):
            metric.count_slopes(counts, np.zeros((len(HYPOTHESES), metric.width)))


def test_precision_is_that_of_the_order_alone() -> None:
    stats = Precision(order=2).measure(Segments.of(["once upon a time"], [["once upon a rhyme"]]))
    assert stats.tolist() == [[2.0, 3.0]]
    assert float(Precision(order=2).score(stats[0])) == pytest.approx(2 / 3)
