"""chrF against averaged references: the native statistics with one, a dictionary of counts with many."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.consensus import MbrConsensus
from tunesmith.consensus.aggregation import aggregated_chrf
from tunesmith.errors import OptionError
from tunesmith.metrics import Segments, get_metric

words = st.text(st.sampled_from("abAB,.é "), max_size=12)
SPECS = [
    "chrf",
    "chrf++",
    "chrf(char_order=2, lowercase=True)",
    "chrf(whitespace=True)",
    "chrf(eps_smoothing=True)",
]
some_metric = st.sampled_from(SPECS).map(get_metric)


@given(some_metric, st.lists(words, min_size=1, max_size=5), words)
def test_one_reference_gives_the_statistics_of_the_metric(metric, candidates, reference) -> None:
    found = aggregated_chrf(metric, candidates, [reference], np.ones(1))
    expected = metric.measure(Segments.of(candidates, [[reference] * len(candidates)]))
    np.testing.assert_array_equal(found, expected)


@given(st.lists(words, min_size=1, max_size=4), st.lists(words, min_size=1, max_size=5), st.data())
def test_several_references_are_averaged_count_by_count(candidates, references, data) -> None:
    weights = data.draw(st.lists(st.floats(0.1, 5), min_size=len(references), max_size=len(references)))
    metric = get_metric("chrf(char_order=3)")
    found = aggregated_chrf(metric, candidates, references, np.array(weights))

    def counts(text: str, order: int) -> Counter[str]:
        joined = "".join(text.split())
        return Counter(joined[i : i + order] for i in range(len(joined) - order + 1))

    for row, candidate in zip(found, candidates, strict=True):
        for order in (1, 2, 3):
            mean: Counter[str] = Counter()
            for reference, weight in zip(references, weights, strict=True):
                for gram, count in counts(reference, order).items():
                    mean[gram] += count * weight / sum(weights)
            own = counts(candidate, order)
            expected = [
                sum(own.values()) if mean else 0,
                sum(mean.values()),
                sum(min(count, mean[gram]) for gram, count in own.items()),
            ]
            np.testing.assert_allclose(row[3 * order - 3 : 3 * order], expected, atol=1e-9)


def test_each_candidate_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = MbrConsensus(metric="chrf", scale=0.0, aggregate=True)
    texts = ["the house is small", "the house is little", "a house is small", "nothing like it"]
    scores = np.zeros(len(texts))
    place, gain = rule.choose(texts, scores)
    assert place == MbrConsensus(metric="chrf", scale=0.0).choose(texts, scores)[0] == 0
    values = rule._metric.sentence_gain(aggregated_chrf(rule._metric, texts, texts, np.ones(4)))
    assert gain == pytest.approx(values.max())
    monkeypatch.setattr(type(rule._metric), "measure", None)  # never called
    assert rule.choose(texts, scores) == (place, gain)


def test_only_chrf_is_aggregated() -> None:
    with pytest.raises(OptionError, match=r"aggregate needs the metric chrf, not bleu; .*rule fast"):
        MbrConsensus(metric="bleu", aggregate=True)
    with pytest.raises(OptionError, match="aggregate needs the metric chrf"):
        MbrConsensus(metric="0.5*chrf + 0.5*bleu", aggregate=True)
