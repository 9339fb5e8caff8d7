"""A sentence pair, and how a tree becomes one."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith.generated.draw import Draw
from tunesmith.generated.grammar.derivation import Derivation
from tunesmith.generated.grammar.derive_clause import relativize
from tunesmith.generated.grammar.derive_sentence import draw_sentence
from tunesmith.generated.grammar.sentence import Sentence
from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.morphology.english import is_vowel_sound

__all__ = [
    "LONGEST",
    "Alignment",
    "SentencePair",
    "derive",
    "say_in_english",
    "say_in_german",
    "sentence_case",
]

Alignment = tuple[tuple[int, int], ...]
"""Links (German position, English position), from 0, sorted."""

LONGEST = 40
"""Trees with more German words than this are drawn again."""

END = 0
"""The anchor of the sentence-final punctuation."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A German sentence and its English translation, tokenized, with the true word alignment.

    `references` are translations of the same sentence; the first is `target`.
    """

    source: str
    target: str
    alignment: Alignment
    references: tuple[str, ...]


def derive(draw: Draw) -> tuple[Sentence, Tokens]:
    """Draw a tree and say it in German."""
    while True:
        state = Derivation(draw, relativize)
        state.anchors()
        sentence = draw_sentence(state)
        german = say_in_german(sentence)
        if len(german.words) <= LONGEST:
            return sentence, german


def say_in_german(sentence: Sentence) -> Tokens:
    """Return the German words with the mark."""
    out = Tokens()
    sentence.german(out)
    if sentence.mark:
        out.stop(sentence.mark, END)
    return out


def say_in_english(sentence: Sentence, draw: Draw) -> Tokens:
    """Return one English translation with the mark; the draws choose which."""
    out = Tokens()
    sentence.english(out, draw)
    if sentence.mark:
        out.stop(sentence.mark, END)
    words = out.words
    for i in range(len(words) - 1):
        if words[i] == "a" and is_vowel_sound(words[i + 1]):
            words[i] = "an"
    return out


def sentence_case(words: list[str]) -> None:
    """Put a capital at the start of the sentence."""
    words[0] = words[0][:1].upper() + words[0][1:]
