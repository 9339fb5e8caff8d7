"""Every mistake of the system does what it says."""

import random

import pytest

from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.reranking.mistakes import MISTAKES, Hypothesis, blunder, from_tokens
from tunesmith.generated.reranking.system import system


def example() -> Hypothesis:
    source = ["gestern", "hat", "der", "Mann", "die", "Haustür", "gesehen", "."]
    words = ["the", "man", "saw", "the", "front", "door", "yesterday", "."]
    return Hypothesis(source, words, [(2,), (3,), (1, 6), (4,), (5,), (5,), (0,), (7,)])


def after(kind: str, seed: int, hypothesis: Hypothesis) -> Hypothesis:
    MISTAKES[kind][0](hypothesis, system().lexical, random.Random(seed).random)
    assert len(hypothesis.words) == len(hypothesis.links)
    assert all(0 <= i < len(hypothesis.source) for links in hypothesis.links for i in links)
    return hypothesis


def test_german_order_keeps_the_words() -> None:
    changed = 0
    for seed in range(40):
        hypothesis = after("german order", seed, example())
        assert sorted(hypothesis.words) == sorted(example().words)
        changed += hypothesis.words != example().words
    assert changed > 10


def test_words_are_dropped_and_inserted_one_at_a_time() -> None:
    for seed in range(20):
        assert len(after("dropped", seed, example()).words) == 7
        inserted = after("inserted", seed, example())
        assert len(inserted.words) == 9
        assert inserted.links.count(()) == 1


def test_an_untranslated_compound_takes_the_place_of_all_its_words() -> None:
    results = {" ".join(after("untranslated", seed, example()).words) for seed in range(40)}
    assert "the man saw the Haustür yesterday ." in results


def test_agreement_changes_one_form() -> None:
    for seed in range(20):
        words = after("agreement", seed, example()).words
        assert sum(a != b for a, b in zip(words, example().words, strict=True)) == 1


def test_an_idiom_is_taken_at_its_word() -> None:
    source = ["er", "biss", "ins", "Gras", "."]
    links: list[tuple[int, ...]] = [(0,), (1, 2, 3), (1, 2, 3), (1, 2, 3), (4,)]
    results = {
        " ".join(
            after("literal", seed, Hypothesis(source, ["he", "kicked", "the", "bucket", "."], [*links])).words
        )
        for seed in range(20)
    }
    assert "he bit into the grass ." in results


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_survive_sentences_of_one_word(kind: str) -> None:
    for seed in range(10):
        assert after(kind, seed, Hypothesis(["Ja"], ["yes"], [(0,)])).words


def test_links_come_from_shared_anchors() -> None:
    source, target = Tokens(), Tokens()
    for word, anchor in (("im", (0, 1)), ("Haus", 2)):
        source.put(word, anchor)
    for word, number in (("in", 0), ("the", 1), ("house", 2), ("!", -1)):
        target.put(word, number)
    assert from_tokens(source, target).links == [(0,), (0,), (1,), ()]


def test_a_copy_can_be_changed_alone() -> None:
    hypothesis = example()
    copy = hypothesis.copy()
    for seed in range(20):
        blunder(copy, system().lexical, random.Random(seed).random)
    assert hypothesis == example()
    assert copy != hypothesis
