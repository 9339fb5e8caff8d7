"""The trigram model is a distribution, and prefers what it has seen."""

import itertools
import math

import pytest

from tunesmith.generated.reranking.language_model import END, START, TrigramModel

SENTENCES = ["the dog sleeps .", "the dog barks .", "a cat sleeps ."]


@pytest.fixture
def model() -> TrigramModel:
    return TrigramModel([sentence.split() for sentence in SENTENCES])


def test_probabilities_sum_to_one_after_any_history(model: TrigramModel) -> None:
    words = {word for sentence in SENTENCES for word in sentence.split()} | {END, "unseen"}
    histories = [(), ("the",), (START, "the"), ("the", "dog"), ("never", "seen"), ("cat", "dog")]
    for history in histories:
        assert sum(model.probability((*history, word)) for word in words) == pytest.approx(1.0)


def test_a_score_is_the_sum_of_log_probabilities(model: TrigramModel) -> None:
    words = (START, START, "a", "dog", "barks", END)
    expected = sum(math.log(model.probability(words[i - 2 : i + 1])) for i in range(2, len(words)))
    assert model.score(["a", "dog", "barks"]) == pytest.approx(expected)


def test_the_best_order_of_words_is_one_that_was_seen(model: TrigramModel) -> None:
    best = max(itertools.permutations(["the", "dog", "barks", "."]), key=model.score)
    assert " ".join(best) == "the dog barks ."


def test_an_unseen_word_has_a_probability(model: TrigramModel) -> None:
    assert math.isfinite(model.score(["zebra"]))
    assert math.isfinite(model.score([]))
