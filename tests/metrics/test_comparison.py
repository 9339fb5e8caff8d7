from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import (
    Bleu,
    Segments,
    Ter,
    approximate_randomization,
    compare_systems,
    evaluate,
    optimizer_variance,
    paired_bootstrap,
)


def test_evaluate_gives_score_interval_and_signature(generated: Any) -> None:
    corpus = generated(50, 2)
    results = evaluate("bleu, chrf++, 1-ter", corpus.hypotheses, corpus.references, resamples=200)
    assert [result.metric for result in results] == ["bleu", "chrf++", "1 - ter"]
    for result in results:
        assert result.interval is not None
        assert result.interval.low < result.score < result.interval.high
        assert (result.sentences, result.references, result.higher_is_better) == (50, 2, True)
    assert results[0].signature == Bleu().signature
    assert json.loads(json.dumps(results[0].to_dict()))["interval"]["confidence"] == 0.95


def test_evaluate_may_leave_out_the_interval_and_take_scores() -> None:
    (result,) = evaluate(
        "precomputed('comet')", ["a", "b"], [], scores={"comet": np.array([0.25, 0.75])}, resamples=0
    )
    assert (result.score, result.interval) == (0.5, None)


def test_evaluate_does_not_depend_on_threads(generated: Any) -> None:
    corpus = generated(150)
    one, two = (
        evaluate("bleu,ter", corpus.hypotheses, corpus.references, resamples=50, threads=threads)
        for threads in (1, 2)
    )
    assert one == two


def test_counts_that_differ_are_named() -> None:
    with pytest.raises(InputError, match="the output has 2 sentences, reference 2 has 3"):
        evaluate("bleu", ["a", "b"], [["a", "b"], ["a", "b", "c"]])
    with pytest.raises(InputError, match="system 'new' has 1 sentences, reference 1 has 2"):
        compare_systems("bleu", [["a", "b"]], {"old": [["a", "b"]], "new": [["a"]]})
    with pytest.raises(InputError, match="'new' has 2 replicas, 'old' has 1"):
        compare_systems("bleu", [["a"]], {"old": [["a"]], "new": [["a"], ["b"]]})


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences"):
        evaluate("bleu", [], [[]])
    with pytest.raises(InputError, match="no references"):
        evaluate("bleu", ["a"], [])
    with pytest.raises(InputError, match="no systems"):
        compare_systems("bleu", [["a"]], {})
    with pytest.raises(InputError, match="at least one"):
        compare_systems("bleu", [["a"]], {"old": []})
    with pytest.raises(InputError, match="single text"):
        evaluate("bleu", "a sentence", ["a sentence"])
    with pytest.raises(OptionError, match="did you mean"):
        evaluate("blue", ["a"], [["a"]])


def test_the_baseline_comes_first_and_has_no_p_value(generated: Any) -> None:
    corpus, other = generated(40), generated(40, seed=2)
    systems = {"old": [corpus.hypotheses], "new": [other.hypotheses]}
    comparison = compare_systems("bleu, ter", corpus.references, systems, resamples=200, trials=200)
    assert comparison.baseline == "old"
    assert [(row.metric, row.system) for row in comparison.rows] == [
        ("bleu", "old"),
        ("bleu", "new"),
        ("ter", "old"),
        ("ter", "new"),
    ]
    old, new = comparison.rows[:2]
    assert old.difference is old.p_randomization is old.p_bootstrap is None
    first, second = (
        Bleu().measure(Segments.of(texts, corpus.references))
        for texts in (corpus.hypotheses, other.hypotheses)
    )
    assert new.p_bootstrap == paired_bootstrap(Bleu(), first, second, 200).p_value
    assert new.p_randomization == approximate_randomization(Bleu(), first, second, 200).p_value
    assert new.difference == pytest.approx(new.mean - old.mean)
    assert new.s_test is None
    record = json.loads(json.dumps(comparison.to_dict()))
    assert record["rows"][1]["p_bootstrap"] == new.p_bootstrap
    assert record["signatures"]["ter"] == Ter().signature


def test_replicas_show_both_spreads(multi30k: Callable[[str], list[str]]) -> None:
    systems = {
        "tuned": [multi30k("mert"), multi30k("mira"), multi30k("pro")],
        "other": [multi30k("mert.cp1000"), multi30k("mert"), multi30k("default")],
    }
    comparison = compare_systems("bleu", [multi30k("reference")], systems, resamples=300, trials=300)
    for row in comparison.rows:
        assert row.mean == pytest.approx(np.mean(row.scores))
        assert row.s_test == pytest.approx(np.std(row.scores, ddof=1))
        assert row.interval.low < row.mean < row.interval.high
        # 1,000 captions: the choice of sentences moves BLEU more than the optimizer does.
        assert row.s_test is not None
        assert row.s_test < row.s_sel < 0.01
        assert row.p_bootstrap is None
    assert comparison.rows[1].p_randomization is not None


def test_the_spread_of_one_replica_is_that_of_its_test_set(generated: Any) -> None:
    corpus = generated(60)
    stats = Bleu().measure(Segments.of(corpus.hypotheses, corpus.references))
    single = optimizer_variance(Bleu(), stats, resamples=100)
    assert single.s_test is None
    assert single.scores == (single.mean,)
    twice = optimizer_variance(Bleu(), np.stack([stats, stats]), resamples=100)
    assert (twice.s_test, twice.s_sel, twice.interval) == (0, single.s_sel, single.interval)
