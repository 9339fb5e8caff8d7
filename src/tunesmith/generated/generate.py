"""Generating pairs by number: pair i of a seed does not depend on the number of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunesmith.errors import OptionError
from tunesmith.generated.draw import stream
from tunesmith.generated.noise import disturbed
from tunesmith.generated.sentence import derive
from tunesmith.generated.tokens import Alignment, Token, link
from tunesmith.options import check_seed

__all__ = ["ENGLISH", "MOST_REFERENCES", "TREE", "SentencePair", "check_options", "generate", "text_of"]

MOST_REFERENCES = 4

# What a random stream is for; the English of reference r is drawn from stream ENGLISH + r.
TREE, NOISE, OTHER_TREE, ENGLISH = 0, 1, 2, 8


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A German sentence and its English translation, tokenized, with the true word alignment.

    `references` are translations of the same sentence; the first is `target`.
    """

    source: str
    target: str
    alignment: Alignment
    references: tuple[str, ...]


def generate(
    n: int,
    *,
    seed: int = 1,
    first: int = 0,
    references: int = 1,
    noise: float = 0.05,
    lowercase: bool = False,
) -> Iterator[SentencePair]:
    """Yield pairs `first` to `first + n - 1` of the corpus that `seed` names.

    Each pair is a function of (seed, index) alone, so that any range can be made in any process.
    `references` of 2 to 4 draw the English anew from the same derivation; reference r is the same
    however many are asked for. `noise` is the probability that a pair is disturbed.
    """
    check_options(n, seed=seed, first=first, references=references, noise=noise)
    return (_pair(seed, index, references, noise, lowercase) for index in range(first, first + n))


def check_options(n: int, *, seed: int, first: int, references: int, noise: float) -> None:
    """Raise an OptionError for options that make no sense."""
    check_seed(seed)
    for name, value in {"n": n, "first": first}.items():
        if value < 0:
            raise OptionError("{} must be at least 0, not {value}", name, value=value)
    if not 1 <= references <= MOST_REFERENCES:
        raise OptionError(
            "{} must be 1 to {most}, not {found}", "references", most=MOST_REFERENCES, found=references
        )
    if not 0 <= noise <= 1:
        raise OptionError("{} must be a probability, not {noise}", "noise", noise=noise)


def _pair(seed: int, index: int, references: int, noise: float, lowercase: bool) -> SentencePair:
    source, english = derive(stream(seed, index, TREE))
    targets = [english(stream(seed, index, ENGLISH + r)) for r in range(references)]
    draw = stream(seed, index, NOISE)
    if draw() < noise:
        other = derive(stream(seed, index, OTHER_TREE))[1]
        source, targets[0] = disturbed(source, targets[0], other, draw)
    texts = [text_of(tokens) for tokens in (source, *targets)]
    if lowercase:
        texts = [text.lower() for text in texts]
    return SentencePair(texts[0], texts[1], link(source, targets[0]), tuple(texts[1:]))


def text_of(tokens: list[Token]) -> str:
    """Return the words with a capital at the start of the sentence."""
    text = " ".join(word for word, _ in tokens)
    return text[:1].upper() + text[1:]
