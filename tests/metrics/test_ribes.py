"""RIBES against its definition, spelled out without any of the code that is tested."""

from __future__ import annotations

import math
import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.errors import OptionError
from tunesmith.metrics import METRICS, Segments, get_metric
from tunesmith.metrics.ribes import Ribes


def occurrences(ngram: list[str], text: list[str]) -> list[int]:
    return [at for at in range(len(text)) if text[at : at + len(ngram)] == ngram]


def correspondence(hypothesis: list[str], reference: list[str], i: int) -> int | None:
    """The definition of Isozaki et al.: the shortest unique n-gram around a word, leftwards first."""
    ngrams = [(0, hypothesis[i : i + 1])]
    for window in range(1, len(hypothesis)):
        if i - window >= 0:
            ngrams.append((window, hypothesis[i - window : i + 1]))
        if i + window < len(hypothesis):
            ngrams.append((0, hypothesis[i : i + window + 1]))
    for place, ngram in ngrams:
        found = occurrences(ngram, reference)
        if len(found) == len(occurrences(ngram, hypothesis)) == 1:
            return found[0] + place
    return None


def defined(hypothesis: list[str], references: list[list[str]], alpha: float, beta: float) -> float:
    best = 0.0
    for reference in references:
        if not hypothesis:
            continue
        found = [correspondence(hypothesis, reference, i) for i in range(len(hypothesis))]
        ranks = [rank for rank in found if rank is not None]
        pairs = list(combinations(ranks, 2))
        if len(ranks) == len(reference) == 1:
            tau = 1.0
        elif len(ranks) < 2:
            continue
        else:
            tau = sum(one < other for one, other in pairs) / len(pairs)
        brevity = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
        best = max(best, tau * (len(ranks) / len(hypothesis)) ** alpha * brevity**beta)
    return best


words = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(
    words,
    st.lists(words.filter(bool), min_size=1, max_size=3),
    st.sampled_from([(0.25, 0.1), (1, 0), (0.5, 2)]),
)
def test_any_sentence_scores_as_defined(
    hypothesis: list[str], references: list[list[str]], powers: tuple[float, float]
) -> None:
    metric = Ribes(*powers)
    stats = metric.stats(" ".join(hypothesis), [" ".join(reference) for reference in references])
    assert stats.tolist() == [pytest.approx(defined(hypothesis, references, *powers), abs=1e-12), 1.0]


def test_shuffled_sentences_with_repeated_words_score_as_defined() -> None:
    choices = random.Random(1)
    for _ in range(200):
        reference = choices.choices("abcdefghijklmnopqrstuvwxyz", k=choices.randint(2, 40))
        hypothesis = reference[:]
        for _ in range(choices.randint(0, 6)):
            at, to = choices.randrange(len(reference)), choices.randrange(len(reference))
            hypothesis.insert(to, hypothesis.pop(at))
        score = Ribes().stats(" ".join(hypothesis), [" ".join(reference)])[0]
        assert score == pytest.approx(defined(hypothesis, [reference], 0.25, 0.1), abs=1e-12)


def test_the_order_of_unique_words_is_kendalls_tau() -> None:
    """Of a permutation, (1 + tau) / 2, with tau as numpy computes it from signs of differences."""
    choices = np.random.default_rng(2)
    for size in range(2, 12):
        order = choices.permutation(size)
        signs = np.sign(order[None, :] - order[:, None])[np.triu_indices(size, 1)]
        expected = (1 + signs.mean()) / 2
        score = Ribes().stats(" ".join(map(str, order)), [" ".join(map(str, range(size)))])[0]
        assert score == pytest.approx(expected)


def test_the_corpus_score_is_the_mean_over_sentences_that_have_a_reference() -> None:
    metric = Ribes()
    hypotheses = ["a b c", "c b a", "x", "a b", ""]
    first, second = ["a b c", "a b c", "x", "", "a"], ["c a b", "a c b", "y", "", ""]
    stats = metric.measure(Segments.of(hypotheses, [first, second]))
    assert stats[:, 1].tolist() == [1, 1, 1, 0, 1]
    assert float(metric.score(stats.sum(axis=0))) == pytest.approx((1 + 1 / 3 + 1) / 4)
    assert metric.sentence_score(stats).tolist() == pytest.approx([1, 1 / 3, 1, 0, 0])


def test_case_and_tokens_are_options() -> None:
    assert Ribes().stats("The Cat", ["the cat"])[0] == 0
    assert Ribes(lowercase=True).stats("The Cat", ["the cat"])[0] == 1
    assert Ribes(tokenize="13a").stats("a cat.", ["a cat ."])[0] == 1
    assert get_metric("ribes(alpha=0.5)") == Ribes(alpha=0.5)
    assert "ribes" in METRICS
    with pytest.raises(OptionError, match="beta must be at least 0, not -1"):
        Ribes(beta=-1.0)
