"""Metrics from Python functions."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import sacrebleu
from tests.random_pools import random_pool

import tunesmith as ts
from tunesmith.consensus import MbrConsensus
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import Metric, function_metric, get_metric


def overlap(hypothesis: str, references: Sequence[str]) -> float:
    words = set(hypothesis.split())
    return max(len(words & set(reference.split())) / max(1, len(words)) for reference in references)


def sacrebleu_chrf(hypothesis: str, references: Sequence[str]) -> float:
    return sacrebleu.sentence_chrf(hypothesis, list(references)).score / 100


def counts(hypothesis: str, references: Sequence[str]) -> tuple[int, int]:
    words, known = hypothesis.split(), set(references[0].split())
    return sum(word in known for word in words), len(words)


def precision(correct: float, total: float) -> float:
    return correct / total if total else 0.0


HYPOTHESES = ["the cat sat", "a dog", ""]
REFERENCES = [["the cat sat down", "the dog", "x"], ["a cat sat", "one dog", "y"]]


def test_sentence_scores_are_averaged() -> None:
    (result,) = ts.evaluate(overlap, HYPOTHESES, REFERENCES)
    rows = zip(HYPOTHESES, zip(*REFERENCES, strict=True), strict=True)
    assert result.score == pytest.approx(np.mean([overlap(text, own) for text, own in rows]))
    assert (result.metric, result.unit, result.higher_is_better) == ("overlap", 1.0, True)


def test_sacrebleus_sentence_scores_serve_as_a_metric() -> None:
    (ours, theirs) = ts.evaluate(
        [function_metric(sacrebleu_chrf, name="theirs"), overlap], HYPOTHESES, REFERENCES
    )
    mean = np.mean([sacrebleu_chrf(text, own) for text, *own in zip(HYPOTHESES, *REFERENCES, strict=True)])
    assert (ours.metric, theirs.metric) == ("theirs", "overlap")
    assert ours.score == pytest.approx(mean)


def test_statistics_add_up_before_they_are_scored() -> None:
    metric = function_metric(counts, score=precision, statistics=2, name="precision")
    (result,) = ts.evaluate(metric, HYPOTHESES, REFERENCES[:1])
    assert result.score == pytest.approx(4 / 5)


def without_branch(correct: float, total: float) -> float:
    return correct / total


@pytest.mark.parametrize("score", [precision, without_branch])
def test_a_score_function_may_take_numbers_or_arrays(score: Callable[..., float]) -> None:
    metric = function_metric(counts, score=score, statistics=2)
    stacked = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 4.0], [1.0, 1.0]]])
    np.testing.assert_array_equal(metric.score(stacked), [[0.5, 0.0], [0.75, 1.0]])
    assert float(metric.score(stacked[0, 0])) == 0.5


@pytest.mark.parametrize("method", ["mert", "mira", "pl"])
def test_every_call_that_takes_a_metric_takes_a_function(method: str) -> None:
    pool = random_pool(3, lists=15)
    result = ts.tune(pool, method, overlap, **({"restarts": 1} if method == "mert" else {}))
    assert result.label == "overlap"
    assert result.score >= result.baseline or result.warnings
    assert pool.stats(overlap) is pool.stats(overlap)
    assert len(MbrConsensus(metric=overlap, scale=0).over_pool(pool).texts) == len(pool)


def test_mert_gives_the_same_for_a_function_as_for_the_metric_that_it_computes() -> None:
    pool = random_pool(4, lists=15)
    exact = get_metric("wer")

    def errors(hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        return exact.stats(hypothesis, references)

    metric = function_metric(errors, score=without_branch, statistics=2, higher_is_better=False)
    ours, theirs = (ts.tune(pool, "mert", each, restarts=1) for each in (metric, exact))
    assert ours.weights == theirs.weights
    assert ours.score == pytest.approx(theirs.score)


def test_functions_that_differ_have_different_signatures() -> None:
    def scaled(factor: float) -> Metric:
        return get_metric(lambda hypothesis, references: factor * len(hypothesis))

    def enclosing(table: dict[str, float]) -> Metric:
        return get_metric(lambda hypothesis, references: table.get(hypothesis, 0.0))

    pool = random_pool(5, lists=4)
    assert scaled(1.0) == scaled(1.0)
    assert scaled(1.0) != scaled(2.0)
    assert 2 * pool.stats(scaled(1.0))[0, 0] == pool.stats(scaled(2.0))[0, 0]
    assert enclosing({}) != enclosing({})  # the tables may differ, or change
    assert function_metric(overlap) != function_metric(overlap, higher_is_better=False)
    assert function_metric(overlap) != function_metric(overlap, name="other")


class Length:
    def __call__(self, hypothesis: str, references: Sequence[str]) -> float:
        return float(len(hypothesis))

    def of(self, hypothesis: str, references: Sequence[str]) -> float:
        return float(len(hypothesis.split()))


def test_objects_are_known_by_themselves() -> None:
    one, other = Length(), Length()
    assert get_metric(one) == get_metric(one) != get_metric(other)
    assert get_metric(one.of) == get_metric(one.of) != get_metric(one)


def test_a_metric_of_a_named_function_pickles() -> None:
    for metric in (get_metric(overlap), function_metric(counts, score=precision, statistics=2)):
        again = pickle.loads(pickle.dumps(metric))
        assert again == metric
        assert hash(again) == hash(metric)


def test_functions_combine_with_other_metrics() -> None:
    metric = 0.5 * get_metric("chrf") + 0.5 * get_metric(overlap)
    (mixed, chrf, ours) = ts.evaluate([metric, "chrf", overlap], HYPOTHESES, REFERENCES)
    assert mixed.score == pytest.approx(0.5 * chrf.score + 0.5 * ours.score)


def test_a_function_may_need_no_references() -> None:
    metric = get_metric(lambda hypothesis, references: len(hypothesis) - len(references))
    assert ts.evaluate(metric, ["ab", "abcd"], [])[0].score == 3.0


@pytest.mark.parametrize(
    ("returned", "complaint"),
    [
        (math.nan, "metric 'broken' returned nan for the hypothesis 'a'; expected a finite number"),
        ("x", "metric 'broken' returned 'x'"),
        ([1.0, 2.0], r"metric 'broken' returned \[1.0, 2.0\]"),
        (None, "metric 'broken' returned None"),
    ],
)
def test_what_is_no_score_is_an_error(returned: object, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        ts.evaluate(function_metric(lambda *_: returned, name="broken"), ["a"], [["a"]])


def test_wrong_statistics_and_wrong_calls_are_errors() -> None:
    with pytest.raises(InputError, match="expected 3 finite numbers"):
        ts.evaluate(function_metric(counts, score=max, statistics=3), ["a"], [["a"]])
    with pytest.raises(OptionError, match="score needs statistics"):
        function_metric(counts, score=precision)
    with pytest.raises(OptionError, match="statistics must be at least 1"):
        function_metric(counts, score=precision, statistics=0)
    with pytest.raises(OptionError, match="function of a metric must be a function, not 'bleu'"):
        function_metric("bleu")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected a metric such as"):
        get_metric(Length)
