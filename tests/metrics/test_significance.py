from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest as TheirTest

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import (
    Bleu,
    Chrf,
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


def check_against_sacrebleu(baseline: list[str], system: list[str], references: list[list[str]]) -> None:
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
        assert randomized.p_value == by_randomization[1].p_value
        assert randomized.resamples == 500


def test_generated_systems_are_tested_as_in_sacrebleu(generated: Any) -> None:
    first, second = generated(80, 1, seed=1), generated(80, 1, seed=1)
    worse = [" ".join(text.split()[1:]) if i % 9 == 0 else text for i, text in enumerate(second.hypotheses)]
    check_against_sacrebleu(first.hypotheses, worse, first.references)


def test_real_systems_are_tested_as_in_sacrebleu(multi30k: Callable[[str], list[str]]) -> None:
    check_against_sacrebleu(multi30k("default")[:500], multi30k("pro")[:500], [multi30k("reference")[:500]])


def test_a_system_against_itself_has_no_significant_difference(generated: Any) -> None:
    corpus = generated(50)
    for metric in OURS.values():
        stats = metric.measure(Segments.of(corpus.hypotheses, corpus.references))
        for test in (approximate_randomization, paired_bootstrap):
            result = test(metric, stats, stats, 99)
            assert (result.p_value, result.difference) == (1, 0)


def test_samples_as_far_off_as_the_systems_are_not_counted() -> None:
    """The only swap that matters leads to the same difference, turned around."""
    first, second = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])
    assert approximate_randomization(Wer(), first, second, 99).p_value == 1 / 100


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
    with pytest.raises(OptionError, match="between 0 and 1"):
        bootstrap_interval(Ter(), good, confidence=95)
