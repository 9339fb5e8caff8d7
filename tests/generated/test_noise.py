"""Noise: how much, what kinds, and what it must leave alone."""

import random

import pytest

from tunesmith.generated import generate
from tunesmith.generated.noise import KINDS, disturbed
from tunesmith.generated.tokens import Token, link, literal

N = 2000


def tokens(text: str) -> list[Token]:
    return [(word, (number,)) for number, word in enumerate(text.split())]


def text(words: list[Token]) -> str:
    return " ".join(word for word, _ in words)


@pytest.mark.slow
def test_noise_touches_about_as_many_pairs_as_asked() -> None:
    clean = list(generate(N, noise=0))
    noisy = list(generate(N, noise=0.2))
    touched = sum(a != b for a, b in zip(clean, noisy, strict=True))
    assert 0.15 * N < touched < 0.22 * N


@pytest.mark.slow
def test_more_noise_touches_the_same_pairs_and_more() -> None:
    clean, some, more = (list(generate(N, noise=noise)) for noise in (0, 0.1, 0.3))
    for a, b, c in zip(clean, some, more, strict=True):
        assert b in (a, c)


def test_noise_leaves_further_references_clean() -> None:
    for clean, noisy in zip(
        generate(300, references=3, noise=0), generate(300, references=3, noise=1), strict=True
    ):
        assert noisy.references[1:] == clean.references[1:]


def test_links_of_noisy_pairs_stay_in_range() -> None:
    for pair in generate(1000, noise=1):
        source, target = len(pair.source.split()), len(pair.target.split())
        assert all(0 <= i < source and 0 <= j < target for i, j in pair.alignment)


@pytest.mark.parametrize("kind", KINDS.entries)
def test_every_kind_of_noise_changes_something(kind: str) -> None:
    draw = random.Random(3).random
    german, english = "Wir lesen heute keine Zeitungen .", "We read no papers today ."
    sides = tokens(german), tokens(english)
    changed = 0
    for _ in range(50):
        source, target = disturbed(*sides, literal("Something else entirely ."), draw, kind)
        assert source and target
        changed += (text(source), text(target)) != (german, english)
    assert changed > 25


def test_a_misaligned_pair_has_no_links() -> None:
    draw = random.Random(1).random
    source, target = disturbed(
        tokens("Wir lesen ."), tokens("We read ."), literal("It rains .", 1), draw, "other"
    )
    assert text(target) == "It rains ."
    assert link(source, target) == ()


@pytest.mark.parametrize("kind", KINDS.entries)
def test_noise_survives_sentences_of_one_word(kind: str) -> None:
    draw = random.Random(2).random
    for _ in range(20):
        assert all(disturbed(tokens("Ja"), tokens("Yes"), literal("No"), draw, kind))
