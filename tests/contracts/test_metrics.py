"""What learners rely on, for every registered metric, some of their options, and combinations."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.metrics import METRICS, Metric, Segments, get_metric
from tunesmith.types import FloatArray, Stats

SPECS = [
    *METRICS,
    "chrf++",
    "bleu(order=1)",
    "bleu(order=6)",
    "bleu(smooth='none')",
    "bleu(smooth='floor')",
    "bleu(smooth='add-k', smooth_value=0.5)",
    "bleu(smooth='floor', smooth_value=0, sentence='add-k')",
    "bleu(effective_order=True, sentence='none')",
    "bleu(reference_length='average', lowercase=True)",
    "chrf(eps_smoothing=True, word_order=1, beta=3)",
    "precomputed('score', higher_is_better=False)",
    "0.5*bleu + 0.5*(1-ter)",
    "ter + 0.5*wer",
    "bleu*(1-ter)",
    "2*bleu*chrf/(bleu + chrf)",
]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "Big", "dog.", "(x)", "é"]


def make_segments(seed: int, lists: int = 12, size: int = 4) -> Segments:
    """Lists of hypotheses that share words with two references, with a column of scores."""
    rng = np.random.default_rng(seed)

    def text(base: list[str]) -> str:
        return " ".join(rng.choice(WORDS) if rng.random() < 0.3 else word for word in base)

    bases = [[str(word) for word in rng.choice(WORDS, rng.integers(4, 12))] for _ in range(lists)]
    hypotheses = [text(base[rng.integers(3) :]) for base in bases for _ in range(size)]
    references = [[text(base) for base in bases] for _ in range(2)]
    packed = Segments.of(hypotheses, []).hypotheses
    offsets = np.arange(0, lists * size + 1, size)
    scores = {"score": rng.normal(size=len(hypotheses))}
    return Segments(packed, offsets, Segments.of([""] * lists, references).references, scores)


@pytest.fixture(params=SPECS)
def metric(request: pytest.FixtureRequest) -> Metric:
    return get_metric(request.param)


@pytest.fixture
def stats(metric: Metric) -> Stats:
    return metric.measure(make_segments(1))


@pytest.fixture
def sums(stats: Stats) -> Stats:
    """Summed statistics of random subsets, with whole and with fractional weights."""
    rng = np.random.default_rng(2)
    whole = rng.integers(0, 3, size=(30, len(stats))) @ stats
    return np.concatenate([whole, rng.exponential(size=(30, len(stats))) @ stats])


def test_there_is_a_row_of_finite_statistics_for_each_hypothesis(metric: Metric, stats: Stats) -> None:
    assert stats.shape == (48, metric.width)
    assert stats.dtype == np.float64
    assert np.isfinite(stats).all()


def test_statistics_do_not_depend_on_company(metric: Metric, stats: Stats) -> None:
    """What is added up was measured hypothesis by hypothesis."""
    segments = make_segments(1)
    rows = [5, 17, 40]
    alone = Segments(
        segments.hypotheses.take(rows),
        np.arange(4),
        tuple(reference.take([row // 4 for row in rows]) for reference in segments.references),
        {name: column[rows] for name, column in segments.scores.items()},
    )
    np.testing.assert_array_equal(metric.measure(alone), stats[rows])


def test_statistics_do_not_depend_on_the_number_of_threads(metric: Metric) -> None:
    segments = make_segments(3, lists=150)
    np.testing.assert_array_equal(metric.measure(segments, threads=1), metric.measure(segments, threads=4))


def test_scores_of_a_stack_are_the_scores_of_its_rows(metric: Metric, sums: Stats) -> None:
    stack = sums.reshape(3, 20, metric.width)
    for score in (metric.score, metric.sentence_score, metric.gain, metric.sentence_gain, metric.size):
        rows = [float(score(row)) for row in sums]
        np.testing.assert_allclose(score(stack), np.reshape(rows, (3, 20)), rtol=1e-13)


def test_the_native_scorer_is_the_gain(metric: Metric, sums: Stats) -> None:
    scorer = metric.scorer()
    assert scorer.width() == metric.width
    table = np.concatenate([sums, np.zeros((1, metric.width))])
    np.testing.assert_allclose(scorer.gain(table), metric.gain(table), rtol=1e-12, atol=1e-15)
    for row in table:
        assert scorer.size(row) == float(metric.size(row))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.5*bleu + 0.5*chrf", "0.5*chrf + 0.5*bleu"),
        ("bleu*chrf", "chrf*bleu"),
        ("bleu - ter", "0 - ter + bleu"),
    ],
)
def test_the_order_of_a_combination_does_not_matter(one: str, other: str) -> None:
    results = []
    for metric in (get_metric(one), get_metric(other)):
        stats = metric.measure(make_segments(1))
        scorer = metric.scorer()
        results.append([metric.size(stats), [scorer.size(row) for row in stats], scorer.gain(stats)])
    for left, right in zip(*results, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-13, atol=1e-15)


def test_the_gain_is_the_score_turned(metric: Metric, sums: Stats) -> None:
    assert metric.sign == (1.0 if metric.higher_is_better else -1.0)
    np.testing.assert_array_equal(metric.gain(sums), metric.sign * metric.score(sums))
    np.testing.assert_array_equal(metric.sentence_gain(sums), metric.sign * metric.sentence_score(sums))


def test_a_background_is_company(metric: Metric, stats: Stats) -> None:
    background = stats.sum(axis=0)
    expected = metric.score(stats + background)
    np.testing.assert_allclose(metric.sentence_score(stats, background), expected, rtol=1e-12)


def test_the_gradient_is_that_of_finite_differences(metric: Metric, sums: Stats) -> None:
    if type(metric).score_gradient is Metric.score_gradient:
        with pytest.raises(OptionError, match="no gradient"):
            metric.score_gradient(sums)
        return
    points = sums[30:]
    gradient = metric.score_gradient(points)
    assert gradient.shape == points.shape
    np.testing.assert_allclose(gradient, numeric_gradient(metric, points), rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(gradient[4], metric.score_gradient(points[4]))


def numeric_gradient(metric: Metric, points: Stats) -> FloatArray:
    columns = []
    for column in range(metric.width):
        step = np.zeros_like(points)
        step[:, column] = 1e-6 * np.maximum(1.0, points[:, column])
        change = metric.score(points + step) - metric.score(points - step)
        columns.append(change / (2 * step[:, column]))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("ratio", [0.8, 1.25])
def test_the_gradient_is_right_with_and_without_a_brevity_penalty(ratio: float) -> None:
    metric = get_metric("bleu")
    points = np.random.default_rng(2).exponential(size=(30, 48)) @ metric.measure(make_segments(1))
    points[:, -1] = ratio * points[:, 1]
    gradient = metric.score_gradient(points)
    assert (gradient[:, -1] < 0).all() if ratio > 1 else (gradient[:, -1] == 0).all()
    np.testing.assert_allclose(gradient, numeric_gradient(metric, points), rtol=1e-5, atol=1e-8)


def test_equal_texts_are_best(metric: Metric) -> None:
    if "precomputed" in metric.signature:
        pytest.skip("its scores come from outside")
    lines = ["the cat sat on a mat today", "a big dog saw the small cat"]
    other = metric.measure(Segments.of(["the dog", "on a mat"], [lines])).sum(axis=0)
    same = metric.measure(Segments.of(lines, [lines])).sum(axis=0)
    assert float(metric.gain(same)) > float(metric.gain(other))


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a b"), ("a b", ""), ("", ""), (" ", "\t")])
def test_empty_texts_have_finite_scores(metric: Metric, hypothesis: str, reference: str) -> None:
    segments = dataclasses.replace(
        Segments.of([hypothesis], [[reference]]), scores={"score": np.array([0.5])}
    )
    stats = metric.measure(segments)
    assert np.isfinite(metric.score(stats)).all()
    assert np.isfinite(metric.sentence_score(stats)).all()
    if type(metric).score_gradient is not Metric.score_gradient:
        assert np.isfinite(metric.score_gradient(stats)).all()


def test_no_text_at_all_has_no_rows(metric: Metric) -> None:
    empty = dataclasses.replace(Segments.of([], [[]]), scores={"score": np.zeros(0)})
    assert metric.measure(empty).shape == (0, metric.width)


def test_nan_is_never_turned_into_a_score(metric: Metric) -> None:
    broken = np.full((1, metric.width), np.nan)
    assert np.isnan(metric.score(broken)).all()
    assert np.isnan(metric.scorer().gain(broken)).all()


def test_statistics_of_the_wrong_width_are_refused_by_native_code(metric: Metric) -> None:
    with pytest.raises(ValueError, match="wrong width"):
        metric.scorer().gain(np.ones((1, metric.width + 1)))


def test_a_pickled_metric_is_equal(metric: Metric) -> None:
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric
    assert copy.signature == metric.signature
    assert hash(copy) == hash(metric)


def test_a_label_names_the_metric(metric: Metric) -> None:
    assert get_metric(metric.label) == metric


def other_options(cls: type[Metric]) -> Iterator[dict[str, Any]]:
    """For each option of a metric, values that are not the default, if the metric takes them."""
    hints = get_type_hints(cls)
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        kind = hints[field.name]
        values: list[Any] = (
            [choice for choice in get_args(kind) if choice != field.default]
            if get_origin(kind) is Literal
            else [not field.default]
            if kind is bool
            else [field.default + 1]
            if kind in (int, float)
            else [0.0, 0.5]
            if kind == float | None
            else ["13a"]
            if field.name == "tokenize"
            else [field.default + "2"]
        )
        for value in values:
            base = {"smooth": "floor"} if field.name == "smooth_value" else {}
            yield base | {field.name: value}


@pytest.mark.parametrize("name", METRICS)
def test_every_option_is_seen_in_the_signature(name: str) -> None:
    options = list(other_options(METRICS[name]))
    signatures = {METRICS[name]().signature} | {METRICS[name](**chosen).signature for chosen in options}
    assert len(signatures) == len(options) + 1
    assert all(signature.startswith(name) for signature in signatures)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_cannot_be_changed(name: str) -> None:
    metric = METRICS[name]()
    for field in ("name", *(each.name for each in dataclasses.fields(metric))):  # type: ignore[arg-type]
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(metric, field, None)
