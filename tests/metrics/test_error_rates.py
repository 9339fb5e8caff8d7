"""TER, WER and exact match: ratios of edits to words, of hits to sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.errors import OptionError
from tunesmith.metrics import Exact, Segments, Ter, Wer

texts = st.lists(st.sampled_from("abcd"), max_size=80).map(" ".join)
few_words = st.lists(st.sampled_from("abcd"), max_size=24).map(" ".join)  # TER's band holds them whole


def slow_distance(left: list[str], right: list[str]) -> int:
    row = list(range(len(right) + 1))
    for i, word in enumerate(left, 1):
        previous, row = row, [i]
        for j, other in enumerate(right, 1):
            row.append(min(previous[j - 1] + (word != other), previous[j] + 1, row[-1] + 1))
    return row[-1]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(texts, texts, texts)
def test_wer_counts_the_fewest_edits_to_any_reference(hypothesis: str, first: str, second: str) -> None:
    edits, length = Wer().stats(hypothesis, [first, second])
    assert edits == min(slow_distance(hypothesis.split(), text.split()) for text in (first, second))
    assert length == (len(first.split()) + len(second.split())) / 2


@settings(max_examples=100, deadline=None, derandomize=True)
@given(few_words, few_words)
def test_ter_needs_no_more_edits_than_wer(hypothesis: str, reference: str) -> None:
    shifted, plain = (
        metric.stats(hypothesis, [reference])[0] for metric in (Ter(case_sensitive=True), Wer())
    )
    assert shifted <= plain


def test_a_moved_block_is_one_edit_for_ter_and_many_for_wer() -> None:
    assert Ter().stats("d e f g a b c", ["a b c d e f g"])[0] == 1
    assert Wer().stats("d e f g a b c", ["a b c d e f g"])[0] == 6


def test_ter_ignores_case_unless_told() -> None:
    assert Ter().stats("A b", ["a B"])[0] == 0
    assert Ter(case_sensitive=True).stats("A b", ["a B"])[0] == 2
    assert Wer().stats("A b", ["a B"])[0] == 2
    assert Wer(lowercase=True).stats("A b", ["a B"])[0] == 0


def test_an_empty_reference_makes_all_words_superfluous() -> None:
    for metric in (Ter(), Wer()):
        assert metric.stats("a b", [""]).tolist() == [2, 0]
        assert float(metric.score(metric.stats("a b", [""]))) == 1
        assert float(metric.score(metric.stats("", [""]))) == 0
        assert metric.stats("", ["a b"]).tolist() == [2, 2]


def test_exact_match_compares_words() -> None:
    metric = Exact()
    segments = Segments.of([" a  b", "a c", ""], [["a b", "a b", ""], ["x", "y", "z"]])
    stats = metric.measure(segments)
    assert stats.tolist() == [[1, 1], [0, 1], [1, 1]]
    assert float(metric.score(stats.sum(axis=0))) == pytest.approx(2 / 3)
    assert Exact(lowercase=True).stats("A", ["a"])[0] == 1
    assert Exact(tokenize="13a").stats("a.", ["a ."])[0] == 1


def test_error_rates_are_turned_into_gains() -> None:
    for metric in (Ter(), Wer()):
        assert not metric.higher_is_better
        stats = metric.stats("a b c", ["a x c d"])
        assert float(metric.gain(stats)) == -float(metric.score(stats)) < 0
    assert float(Exact().gain(np.array([1.0, 2.0]))) == 0.5


def test_lists_of_many_hypotheses_share_their_references(generated: Any) -> None:
    corpus = generated(30)
    doubled = [text for text in corpus.hypotheses for _ in range(2)]
    one = Segments.of(corpus.hypotheses, corpus.references)
    two = Segments(Segments.of(doubled, []).hypotheses, np.arange(0, 62, 2), one.references)
    for metric in (Ter(), Wer()):
        np.testing.assert_array_equal(metric.measure(two)[1::2], metric.measure(one))


def test_a_line_of_many_thousand_words_is_no_problem() -> None:
    line = " ".join(str(i % 997) for i in range(20_000))
    assert Wer().stats(line, [line + " more"]).tolist() == [1, 20_001]
    assert Ter().stats(line, [line + " more"]).tolist() == [1, 20_001]


def test_misspelt_options_are_refused() -> None:
    with pytest.raises(OptionError, match="true or false"):
        Ter(normalized="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="unknown tokenizer"):
        Wer(tokenize="mteval")
