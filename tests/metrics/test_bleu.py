from __future__ import annotations

import importlib.util
import math
import sys
from typing import Any

import numpy as np
import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import Bleu, PseudoDocument, Segments

HYPOTHESIS, REFERENCE = "the cat sat on a mat", "the cat sat on the big mat"


def precisions(hypothesis: str, reference: str, order: int = 4) -> list[tuple[int, int]]:
    """Count matches and totals the slow way."""
    left, right = hypothesis.split(), reference.split()
    counts = []
    for n in range(1, order + 1):
        ours = [tuple(left[i : i + n]) for i in range(len(left) - n + 1)]
        theirs = [tuple(right[i : i + n]) for i in range(len(right) - n + 1)]
        counts.append((sum(min(ours.count(g), theirs.count(g)) for g in set(ours)), len(ours)))
    return counts


def geometric_mean(values: list[float]) -> float:
    return math.prod(values) ** (1 / len(values))


def sentence(variant: str, hypothesis: str = HYPOTHESIS, reference: str = REFERENCE) -> float:
    metric = Bleu(sentence=variant)  # type: ignore[arg-type]
    return float(metric.sentence_score(metric.stats(hypothesis, [reference])))


BREVITY = math.exp(1 - 7 / 6)


def test_add_one_smooths_all_orders_but_the_first() -> None:
    (m, t), *rest = precisions(HYPOTHESIS, REFERENCE)
    expected = geometric_mean([m / t, *((m + 1) / (t + 1) for m, t in rest)])
    assert sentence("add-one") == pytest.approx(BREVITY * expected, rel=1e-12)


def test_add_one_all_smooths_the_first_order_too() -> None:
    expected = geometric_mean([(m + 1) / (t + 1) for m, t in precisions(HYPOTHESIS, REFERENCE)])
    assert sentence("add-one-all") == pytest.approx(BREVITY * expected, rel=1e-12)
    assert sentence("add-one-all", "no word in common", REFERENCE) > 0


def test_grounded_smooths_the_brevity_penalty_and_starts_at_zero() -> None:
    counts = precisions(HYPOTHESIS, REFERENCE)
    smoothed = geometric_mean([(m + 1) / (t + 1) for m, t in counts])
    ground = geometric_mean([1 / (t + 1) for _, t in counts])
    assert sentence("grounded") == pytest.approx(math.exp(1 - 8 / 6) * (smoothed - ground), rel=1e-12)
    assert sentence("grounded", "no word in common", REFERENCE) == 0
    # The fix against short output: of a perfect text the longer repetition loses less.
    assert sentence("grounded", "a b c d", "a b c d") < sentence("grounded", "a b c d e", "a b c d e")


def test_gao_he_predicts_longer_matches_from_shorter_ones() -> None:
    (p1, p2), (third, fourth) = (precisions(HYPOTHESIS, REFERENCE)[i : i + 2] for i in (0, 2))
    one, two = p1[0] / p1[1], p2[0] / p2[1]
    three = (third[0] + 5 * two**2 / one) / (third[1] + 5)
    four = (fourth[0] + 5 * three**2 / two) / (fourth[1] + 5)
    assert sentence("gao-he") == pytest.approx(BREVITY * geometric_mean([one, two, three, four]), rel=1e-12)


def test_gao_he_rewards_long_sentences_beyond_one() -> None:
    assert sentence("gao-he", "a b c d", "a b c d") == pytest.approx(1)
    assert sentence("gao-he", "a b c d e", "a b c d") > 0.5 * math.exp(1 - 4 / 5)
    longer, clipped = Bleu(sentence="gao-he"), Bleu(sentence="add-one")
    stats = np.array([6.0, 6, 5, 5, 4, 4, 3, 3, 4])  # all six words match a reference of four
    assert float(longer.sentence_score(stats)) == pytest.approx(math.exp(1 - 4 / 6))
    assert float(clipped.sentence_score(stats)) == pytest.approx(1)


def test_gao_he_is_zero_without_matches_and_never_undefined() -> None:
    assert sentence("gao-he", "no word in common", REFERENCE) == 0
    assert sentence("gao-he", "cat the", "the cat") == 0  # no bigram matches
    assert sentence("gao-he", "cat", "cat") == pytest.approx(
        1
    )  # no bigrams: the second precision is the first
    assert sentence("gao-he", "cat", "the cat") == pytest.approx(math.exp(1 - 2))
    counts = np.array([[m, t] for t in range(4) for m in range(t + 1)], dtype=np.float64)
    rows = [
        [*counts[i], *counts[j], 0, 0, 0, 0, r] for i in range(10) for j in range(10) for r in (0.0, 1.0, 3.0)
    ]
    scores = Bleu(sentence="gao-he").sentence_score(np.array(rows))
    assert np.isfinite(scores).all()


def test_floor_and_exp_use_the_orders_that_a_short_hypothesis_has() -> None:
    assert sentence("exp", "the cat", "the cat") == pytest.approx(1)
    assert sentence("floor", "the cat", "the dog") == pytest.approx(geometric_mean([1 / 2, 0.1 / 1]))
    assert sentence("exp", "the cat", "the dog") == pytest.approx(geometric_mean([1 / 2, 0.5 / 1]))


def test_a_sentence_alone_is_scored_like_a_corpus() -> None:
    metric = Bleu(sentence="none", smooth="none")
    stats = metric.stats(HYPOTHESIS, [REFERENCE])
    assert float(metric.sentence_score(stats)) == pytest.approx(float(metric.score(stats)))


def test_a_background_replaces_the_smoothing() -> None:
    metric = Bleu(sentence="add-one")
    stats, background = metric.stats(HYPOTHESIS, [REFERENCE]), np.full(9, 3.5)
    assert float(metric.sentence_score(stats, background)) == float(metric.score(stats + background))
    assert sentence("pseudo-document") == float(metric.score(stats + 1))


def test_a_pseudo_document_decays() -> None:
    metric = Bleu()
    stats = metric.stats(HYPOTHESIS, [REFERENCE])
    document = PseudoDocument.start(metric, decay=0.5).add(stats).add(stats)
    np.testing.assert_allclose(document.background, 0.5 * (0.5 * (1 + stats) + stats))
    assert float(document.gain(metric, stats)) == float(metric.score(document.background + stats))
    with pytest.raises(OptionError, match="0 to 1"):
        PseudoDocument.start(metric, decay=1.5)


@pytest.mark.parametrize("variant", ["add-one", "add-one-all", "grounded", "exp", "floor", "none"])
def test_sentence_scores_stay_between_zero_and_one(variant: str, generated: Any) -> None:
    corpus = generated(100, 2, seed=5)
    metric = Bleu(sentence=variant)  # type: ignore[arg-type]
    scores = metric.sentence_score(metric.measure(Segments.of(corpus.hypotheses, corpus.references)))
    assert scores.shape == (100,)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert sentence(variant, "", "a b") == sentence(variant, "", "") == 0


@pytest.mark.parametrize(("choice", "expected"), [("closest", 6), ("shortest", 2), ("average", 5)])
def test_the_reference_length_is_chosen_as_asked(choice: Any, expected: float) -> None:
    references = ["a b c d e f", "a b", "a b c d e f g"]
    assert Bleu(reference_length=choice).stats("a b c d e", references)[-1] == expected


def test_of_two_equally_close_references_the_shorter_counts() -> None:
    assert Bleu().stats("a b c", ["a b c d", "a b"])[-1] == 2


@pytest.mark.slow
def test_words_are_split_exactly_where_python_splits() -> None:
    points = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
    texts = [f"a{chr(point)}b" for point in points]
    totals = Bleu(order=1).measure(Segments.of(texts, [[""] * len(texts)]))[:, 1]
    expected = [2 if chr(point).isspace() else 1 for point in points]
    np.testing.assert_array_equal(totals, expected)


def test_a_sum_of_statistics_is_not_a_mean_of_scores() -> None:
    metric = Bleu()
    stats = metric.measure(Segments.of(["a b c d", "x y z w v"], [["a b c d", "x q q q q"]]))
    assert float(metric.score(stats.sum(axis=0))) != pytest.approx(float(metric.score(stats).mean()))


def test_an_order_filled_by_smoothing_has_no_slope_in_its_matches() -> None:
    gradient = Bleu(order=2).score_gradient(np.array([1.0, 2.0, 0.0, 1.0, 2.0]))
    assert gradient[2] == 0
    assert gradient[0] > 0 > gradient[3]


def test_bad_options_are_refused_with_a_hint() -> None:
    for options, message in [
        ({"order": 0}, "1 to 16"),
        ({"order": 2.0}, "whole number"),
        ({"order": True}, "whole number"),
        ({"lowercase": 1}, "true or false"),
        ({"tokenize": "13"}, "did you mean '13a'"),
        ({"smooth": "ad-k"}, "did you mean 'add-k'"),
        ({"sentence": "grounding"}, "did you mean 'grounded'"),
        ({"smooth_value": 0.5}, "belongs to 'floor' or 'add-k'"),
        ({"smooth": "floor", "smooth_value": -1.0}, "at least 0"),
        ({"smooth": "floor", "smooth_value": math.nan}, "finite"),
    ]:
        with pytest.raises(OptionError, match=message):
            Bleu(**options)  # type: ignore[arg-type]


@pytest.mark.skipif(importlib.util.find_spec("MeCab") is not None, reason="the extra is installed")
def test_a_tokenizer_that_needs_an_extra_says_so() -> None:
    with pytest.raises(OptionError, match=r"ja-mecab.*install"):
        Bleu(tokenize="ja-mecab").stats("a", ["a"])


def test_missing_references_are_an_error() -> None:
    with pytest.raises(InputError, match="no references"):
        Bleu().measure(Segments.of(["a"], []))
    with pytest.raises(InputError, match="2 lines for 1 sentences"):
        Segments.of(["a"], [["a", "b"]])
