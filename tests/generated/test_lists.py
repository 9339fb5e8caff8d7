"""Candidate lists: stable, sorted, and worth tuning on."""

import random
from itertools import pairwise

import numpy as np
import pytest

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.generated import HAND_WEIGHTS, CandidateLists, candidate_lists, generate
from tunesmith.generated.system import MISTAKES, Hypothesis, blundered, system
from tunesmith.metrics.bleu import Bleu
from tunesmith.texts import Texts
from tunesmith.types import FloatArray


def to_pool(lists: CandidateLists) -> Pool:
    features = Features(lists.names, lists.rows, lists.columns, lists.values)
    references = tuple(Texts.of(reference) for reference in lists.references)
    return Pool(lists.ids, lists.offsets, features, Texts.of(lists.texts), references)


DENSE = tuple(HAND_WEIGHTS)


def hand(lists: CandidateLists) -> FloatArray:
    return np.array([HAND_WEIGHTS.get(name, 0.0) for name in lists.names])


@pytest.fixture(scope="module")
def lists() -> CandidateLists:
    return candidate_lists(150, seed=1, size=40)


def test_lists_do_not_depend_on_how_many_are_asked_for(lists: CandidateLists) -> None:
    fewer = candidate_lists(20, seed=1, size=40)
    rows = fewer.offsets[-1]
    assert fewer.texts == lists.texts[:rows]
    assert np.array_equal(fewer.values, lists.values[: fewer.rows[-1]])
    assert np.array_equal(fewer.columns, lists.columns[: fewer.rows[-1]])


def test_lists_can_be_made_in_pieces(lists: CandidateLists) -> None:
    later = candidate_lists(10, seed=1, size=40, first=140)
    assert later.ids == lists.ids[140:]
    assert later.texts == lists.texts[lists.offsets[140] :]


def test_sentences_and_references_are_those_of_the_corpus(lists: CandidateLists) -> None:
    pairs = list(generate(150, seed=1, references=4, noise=0))
    assert lists.sources == [pair.source for pair in pairs]
    assert lists.references == tuple([pair.references[r] for pair in pairs] for r in range(4))


def test_candidates_of_a_list_are_different_and_not_empty(lists: CandidateLists) -> None:
    for start, end in pairwise(lists.offsets):
        texts = lists.texts[start:end]
        assert len(set(texts)) == len(texts)
        assert all(texts)
    sizes = np.diff(lists.offsets)
    assert sizes.max() == 40
    assert sizes.min() >= 10


def test_lists_become_a_pool_with_dense_and_sparse_features(lists: CandidateLists) -> None:
    pool = to_pool(lists)
    dense = pool.features.dense
    assert dense[: len(DENSE)].all()
    assert not dense[len(DENSE) :].any()
    assert len(lists.names) > 500
    assert len(np.unique(lists.columns)) > 300


def test_the_first_candidate_is_the_choice_of_the_hand_set_weights(lists: CandidateLists) -> None:
    pool = to_pool(lists)
    scores = pool.features.dot(hand(lists))
    firsts = scores[lists.offsets[:-1]]
    assert np.allclose(firsts, np.maximum.reduceat(scores, lists.offsets[:-1]))


def test_all_seeds_share_one_feature_space() -> None:
    assert candidate_lists(2, seed=1).names == candidate_lists(2, seed=8, first=5).names


def test_features_count_what_they_are_named_for(lists: CandidateLists) -> None:
    matrix = to_pool(lists).features.to_dense()
    words = np.array([len(text.split()) for text in lists.texts])
    assert np.array_equal(-matrix[:, DENSE.index("WordPenalty")], words)
    column = lists.names.index("bigram:of_the")
    counts = [sum(pair == ("of", "the") for pair in pairwise(w)) for w in map(_lower, lists.texts)]
    assert np.array_equal(matrix[:, column], counts)
    assert sum(counts) > 0
    assert (matrix[:, : DENSE.index("WordPenalty")] < 0).all()  # log probabilities


def _lower(text: str) -> list[str]:
    return text.lower().split()


@pytest.mark.slow
def test_tuned_weights_beat_hand_set_ones_and_the_oracle_beats_both() -> None:
    dev, test = (to_pool(candidate_lists(200, seed=1, first=first, references=1)) for first in (0, 200))
    metric = Bleu()

    def bleu(pool: Pool, weights: FloatArray) -> float:
        return float(metric.score(pool.stats(metric)[pool.best(weights)].sum(axis=0)))

    start = np.array([HAND_WEIGHTS.get(name, 0.0) for name in dev.feature_names])
    best, best_score = start, bleu(dev, start)
    rng = np.random.default_rng(1)
    for step in range(160):
        weights = best.copy()
        weights[step % len(DENSE)] += rng.normal(0, 0.8)
        score = bleu(dev, weights)
        if score > best_score:
            best, best_score = weights, score
    oracle = _oracle(test, metric)
    assert bleu(test, start) + 0.03 < bleu(test, best) < oracle - 0.1


def _oracle(pool: Pool, metric: Bleu) -> float:
    """Choose candidates greedily by what they do for the whole."""
    stats = pool.stats(metric)
    chosen = pool.offsets[:-1].copy()
    total = stats[chosen].sum(axis=0)
    for g, (start, end) in enumerate(pairwise(pool.offsets)):
        others = total - stats[chosen[g]]
        chosen[g] = start + int(np.argmax(metric.score(others + stats[start:end])))
        total = others + stats[chosen[g]]
    return float(metric.score(total))


GERMAN = ["neu", "ist", "die", "Haustür", "."]
ENGLISH: Hypothesis = [
    *[("the", (2,)), ("front", (3,)), ("door", (3,))],
    *[("is", (1,)), ("new", (0,)), (".", (4,))],
]


@pytest.mark.parametrize("kind", MISTAKES.entries)
def test_mistakes_change_words_and_keep_links_in_range(kind: str) -> None:
    draw = random.Random(1).random
    results = [blundered(GERMAN, ENGLISH, draw, kind) for _ in range(40)]
    assert any(result != ENGLISH for result in results)
    for result in results:
        assert all(0 <= i < len(GERMAN) for _, links in result for i in links)
        assert abs(len(result) - len(ENGLISH)) <= 1
        if kind == "german order":
            assert sorted(result) == sorted(ENGLISH)
    assert blundered(["ja"], [("yes", (0,))], draw, kind)


def test_words_are_left_in_the_order_of_the_german() -> None:
    words: Hypothesis = [("c", (2,)), ("b", (1,)), ("a", (0,)), (".", (3,))]
    assert [word for word, _ in blundered(["x"] * 4, words, lambda: 0.0, "german order")] == [
        "a",
        "b",
        "c",
        ".",
    ]


def test_lexical_probabilities_of_a_word_sum_to_one() -> None:
    for table in (system().forward, system().inverse):
        for row in table.values():
            assert sum(row.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "options", [{"n": 0}, {"n": 1, "size": 0}, {"n": 1, "references": 5}, {"n": 1, "seed": -1}]
)
def test_senseless_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        candidate_lists(**options)


def test_a_list_may_have_one_candidate() -> None:
    lists = candidate_lists(3, size=1)
    assert np.diff(lists.offsets).tolist() == [1, 1, 1]
