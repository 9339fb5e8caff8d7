"""The candidate that the metric likes best, with expected counts as the reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus.brute_force import Words, best_scores, distribution, expected, largest
from tests.forest.enumeration import ngram_counts
from tests.forest.rolled_forests import forests, scores

from tunesmith.consensus import FastConsensus
from tunesmith.errors import OptionError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.metrics import Bleu

METRICS = ["bleu", "bleu(order=2, sentence='none')", "bleu(sentence='exp')"]


@given(forests(), st.sampled_from(METRICS), st.sampled_from([0.0, 0.4, 1.0]))
def test_the_choice_is_the_best_of_all_yields(forest: Forest, metric: str, scale: float) -> None:
    some = scores(forest)
    yields = distribution(forest, some, scale)
    rule = FastConsensus(scale=scale, metric=metric, size=1000)
    bleu = rule._metric
    assert isinstance(bleu, Bleu)
    reference = expected(yields, bleu.order)
    words = sum(p * len(each) for each, p in yields.items())

    def value(candidate: Words) -> float:
        row = np.zeros(bleu.width)
        row[-1] = words
        for ngram, count in ngram_counts(candidate, bleu.order).items():
            row[2 * len(ngram) - 2] += min(count, reference[ngram])
            row[2 * len(ngram) - 1] += count
        return float(bleu.sentence_score(row))

    most, best = largest(yields, value)
    chosen = rule.over_forest(forest, some)
    assert chosen.score == pytest.approx(most, abs=1e-9)
    assert chosen.derivation.words in best
    assert chosen.derivation.score == pytest.approx(best_scores(forest, some)[chosen.derivation.words])


def test_only_the_best_strings_are_candidates() -> None:
    edges = [
        Edge((), ("a", "b", "c"), {"s": 3.0}),
        Edge((), ("x", "y", "z"), {"s": 2.9}),
        Edge((), ("x", "y", "w"), {"s": 2.9}),
    ]
    forest = build_forest([edges])
    assert FastConsensus(scale=1.0).over_forest(forest, {"s": 1.0}).text == "x y z"
    assert FastConsensus(scale=1.0, size=1).over_forest(forest, {"s": 1.0}).text == "a b c"


@pytest.mark.parametrize("metric", ["chrf", "ter", "bleu(tokenize='13a')", "bleu(lowercase=True)", "blue"])
def test_metrics_that_are_no_functions_of_ngram_counts_are_refused(metric: str) -> None:
    with pytest.raises(OptionError):
        FastConsensus(metric=metric)


@pytest.mark.parametrize("options", [{"size": 0}, {"max_edges": 0}, {"size": 1.5}])
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        FastConsensus(**options)
