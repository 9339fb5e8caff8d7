from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest as TheirTest
from scipy.stats import binomtest

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import (
    Bleu,
    Chrf,
    Exact,
    Interval,
    Metric,
    Segments,
    Ter,
    Wer,
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
    significance,
)
from tunesmith.metrics.significance import bootstrap_scores, interval

OURS: dict[str, Metric] = {"bleu": Bleu(), "chrf": Chrf(word_order=2), "ter": Ter()}
THEIRS = {
    "bleu": sacrebleu.BLEU(tokenize="none", force=True),
    "chrf": sacrebleu.CHRF(word_order=2),
    "ter": sacrebleu.TER(),
}
# sacrebleu resamples in single precision: its means and intervals have seven digits.
SINGLE = 1e-5


def check_against_sacrebleu(
    baseline: list[str], system: list[str], references: list[list[str]], tied: tuple[str, ...] = ()
) -> None:
    """Compare all figures; where samples tie with the systems, sacrebleu leaves them out of its p-value."""
    named = [("baseline", baseline), ("system", system)]
    bootstrap = TheirTest(named, THEIRS, references, test_type="bs", n_samples=500)()[1]
    randomization = TheirTest(named, THEIRS, references, test_type="ar", n_samples=500)()[1]
    for name, by_bootstrap, by_randomization in zip(
        OURS, list(bootstrap.values())[1:], list(randomization.values())[1:], strict=True
    ):
        metric = OURS[name]
        first, second = (metric.measure(Segments.of(texts, references)) for texts in (baseline, system))
        paired = paired_bootstrap(metric, first, second, resamples=500)
        assert paired.p_value == by_bootstrap[1].p_value
        assert paired.baseline * 100 == pytest.approx(by_bootstrap[0].score, abs=1e-9)
        assert paired.system * 100 == pytest.approx(by_bootstrap[1].score, abs=1e-9)
        assert paired.difference == paired.system - paired.baseline
        around = bootstrap_interval(metric, second, resamples=500)
        assert around.mean * 100 == pytest.approx(by_bootstrap[1].mean, rel=SINGLE)
        assert (around.high - around.low) * 50 == pytest.approx(by_bootstrap[1].ci, rel=100 * SINGLE)
        assert around.low < paired.system < around.high
        randomized = approximate_randomization(metric, first, second, trials=500)
        if name in tied:
            assert randomized.p_value > by_randomization[1].p_value
        else:
            assert randomized.p_value == by_randomization[1].p_value
        assert randomized.resamples == 500


@pytest.mark.slow
def test_generated_systems_are_tested_as_in_sacrebleu(generated: Any) -> None:
    first, second = generated(80, 1, seed=1), generated(80, 1, seed=1)
    worse = [" ".join(text.split()[1:]) if i % 2 == 0 else text for i, text in enumerate(second.hypotheses)]
    # A word less is an edit more or less: a handful of values, on which many samples tie.
    check_against_sacrebleu(first.hypotheses, worse, first.references, tied=("ter",))


@pytest.mark.slow
def test_real_systems_are_tested_as_in_sacrebleu(multi30k: Callable[[str], list[str]]) -> None:
    check_against_sacrebleu(multi30k("default")[:500], multi30k("pro")[:500], [multi30k("reference")[:500]])


def test_a_system_against_itself_has_no_significant_difference(generated: Any) -> None:
    corpus = generated(50)
    for metric in OURS.values():
        stats = metric.measure(Segments.of(corpus.hypotheses, corpus.references))
        for test in (approximate_randomization, paired_bootstrap):
            result = test(metric, stats, stats, 99)
            assert (result.p_value, result.difference) == (1, 0)


def verdicts(*counts: tuple[int, bool, bool]) -> tuple[np.ndarray, np.ndarray]:
    """Statistics of `exact` for two systems: so many sentences that the first, the second has right."""
    rows = [(first, second) for count, first, second in counts for _ in range(count)]
    table = np.array(rows, dtype=np.float64)
    first, second = (np.stack([column, np.ones(len(table))], axis=-1) for column in table.T)
    return first, second


@pytest.mark.parametrize(("losses", "wins"), [(0, 3), (0, 6), (2, 9), (5, 6), (4, 4), (10, 30), (0, 1)])
def test_a_discrete_metric_is_tested_as_by_the_sign_test(losses: int, wins: int) -> None:
    """Swapping sentences of an exact metric is flipping the coins of the sign test."""
    first, second = verdicts((losses, True, False), (wins, False, True), (500, True, True))
    expected = float(binomtest(wins, wins + losses).pvalue)
    trials = 5000
    error = 4 * np.sqrt(expected * (1 - expected) / trials) + 1 / trials
    result = approximate_randomization(Exact(), first, second, trials)
    assert result.p_value == pytest.approx(expected, abs=error)


def test_replicas_of_a_discrete_metric_are_tested_as_by_the_sign_test() -> None:
    """Two replicas of each system: coins are flipped for every pair of a sentence and a replica."""
    pairs = [verdicts((1, True, False), (wins, False, True), (60, True, True)) for wins in (6, 6)]
    first, second = (np.stack([pair[side] for pair in pairs]) for side in range(2))
    expected = float(binomtest(12, 14).pvalue)
    result = approximate_randomization(Exact(), first, second, 5000)
    assert result.p_value == pytest.approx(expected, abs=4 * np.sqrt(expected / 5000))


def test_a_swap_that_only_turns_the_difference_around_is_as_extreme() -> None:
    first, second = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])
    assert approximate_randomization(Wer(), first, second, 99).p_value == 1


def test_rounding_hides_no_tie() -> None:
    """The same difference, added up in another order, is not always the same double."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        common = np.stack([rng.uniform(size=50), np.full(50, 0.3)], axis=-1)
        other = common.copy()
        other[7, 0] += 0.1
        assert approximate_randomization(Wer(), common, other, 99).p_value == 1


@pytest.mark.parametrize("test", [approximate_randomization, paired_bootstrap])
def test_systems_of_equal_score_do_not_differ(test: Any) -> None:
    """Other statistics, the same score: 0 without a match, or as many right sentences elsewhere."""
    nothing = [Bleu().measure(Segments.of([text] * 9, [["a b c d e"] * 9])) for text in ("x y z", "v w")]
    first, second = verdicts((4, True, False), (4, False, True), (9, True, True))
    assert test(Bleu(), *nothing, 999).p_value == 1
    assert test(Exact(), first, second, 999).p_value == 1


def test_a_bootstrap_sample_as_far_off_is_counted() -> None:
    """One of two sentences differs, by 1/2 in all; resamples that differ by 1 and 0 have the mean 1/2."""
    first, second = verdicts((1, False, True), (1, False, False))
    seed = next(
        seed for seed in range(100) if sorted(bootstrap_scores(Exact(), second, 2, seed).tolist()) == [0, 1]
    )
    assert paired_bootstrap(Exact(), first, second, 2, seed).p_value == pytest.approx(2 / 3)


def test_blocks_do_not_change_a_result(generated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, other = generated(37), generated(37, seed=9)
    metric = Bleu()
    first, second = (
        metric.measure(Segments.of(texts, corpus.references))
        for texts in (corpus.hypotheses, other.hypotheses)
    )

    def results() -> list[Any]:
        replicas = np.stack([second, first, first])
        return [
            bootstrap_scores(metric, first, 200).tolist(),
            paired_bootstrap(metric, first, second, 200),
            approximate_randomization(metric, first, second, 200),
            approximate_randomization(metric, np.stack([first, first, second]), replicas, 200),
        ]

    whole = results()
    monkeypatch.setattr(significance, "_CELLS", 1)
    assert results() == whole


def test_the_bootstrap_of_a_mean_has_the_textbook_deviation() -> None:
    values = np.random.default_rng(0).normal(size=400)
    stats = np.stack([values, np.ones(400)], axis=-1)
    scores = bootstrap_scores(Wer(), stats, resamples=4000)
    assert scores.std() == pytest.approx(values.std() / np.sqrt(400), rel=0.05)
    assert scores.mean() == pytest.approx(values.mean(), abs=0.005)


def test_p_values_of_equal_systems_are_spread_evenly() -> None:
    rng = np.random.default_rng(3)
    p_values = []
    for seed in range(200):
        first, second = (np.stack([rng.normal(size=40), np.ones(40)], axis=-1) for _ in range(2))
        p_values.append(approximate_randomization(Wer(), first, second, 200, seed).p_value)
    assert np.mean(np.array(p_values) < 0.1) == pytest.approx(0.1, abs=0.06)
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.06)


def test_replicas_lower_the_p_value_of_a_steady_difference() -> None:
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(2, 5, 60))
    noise -= noise.mean(axis=-1, keepdims=True)
    first, second = (np.stack([noise[side] + 0.3 * side, np.ones((5, 60))], axis=-1) for side in range(2))
    several = approximate_randomization(Wer(), first, second, 1000)
    single = approximate_randomization(Wer(), first[0], second[0], 1000)
    assert several.p_value < 0.01 < single.p_value < 0.5
    assert several.difference == pytest.approx(0.3)
    assert single.difference == pytest.approx(0.3)


def test_an_interval_leaves_out_its_share_on_both_sides() -> None:
    scores = np.arange(1000.0)
    assert interval(scores) == Interval(499.5, 25, 974)
    assert interval(scores, 0.9) == Interval(499.5, 50, 949, 0.9)


def test_a_single_sentence_has_an_interval_of_one_point() -> None:
    metric = Bleu()
    stats = metric.stats("a b c d", ["a b c d e"])[None]
    around = bootstrap_interval(metric, stats, resamples=10)
    assert around.low == around.high == float(metric.score(stats[0]))


def test_bad_arguments_are_refused() -> None:
    good = np.ones((4, 2))
    with pytest.raises(InputError, match="no sentences"):
        bootstrap_interval(Ter(), np.ones((0, 2)))
    with pytest.raises(InputError, match=r"\[sentences, 2\]"):
        bootstrap_interval(Ter(), np.ones((4, 3)))
    with pytest.raises(InputError, match="4 sentences, the system 3"):
        paired_bootstrap(Ter(), good, good[:3])
    with pytest.raises(InputError, match="1 x 4 replicas x sentences, the system 2 x 4"):
        approximate_randomization(Ter(), good, np.stack([good, good]))
    with pytest.raises(InputError, match="replicas, sentences, width"):
        approximate_randomization(Ter(), good[0], good[0])
    with pytest.raises(OptionError, match="at least 1"):
        bootstrap_interval(Ter(), good, resamples=0)
    for test in (paired_bootstrap, approximate_randomization):
        with pytest.raises(OptionError, match="seed must be"):
            test(Ter(), good, good, 9, seed=-1)
    with pytest.raises(OptionError, match="between 0 and 1"):
        bootstrap_interval(Ter(), good, confidence=95)
