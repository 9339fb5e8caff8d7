"""Generating pairs by number: pair i of a seed does not depend on the number of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tunesmith.errors import OptionError
from tunesmith.generated.draw import Stream
from tunesmith.generated.grammar.tokens import Tokens, link
from tunesmith.generated.noise import disturb
from tunesmith.generated.pairs import SentencePair, derive, say_in_english, sentence_case
from tunesmith.options import check_seed

__all__ = ["MOST_REFERENCES", "check_options", "generate"]

MOST_REFERENCES = 4

# What a random stream is for; the English of reference r is drawn from stream ENGLISH + r.
TREE, NOISE, OTHER_TREE, OTHER_ENGLISH, ENGLISH = 0, 1, 2, 3, 8


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
    `references` of 2 to 4 draw the English anew from the same tree; reference r is the same
    however many are asked for. `noise` is the probability that a pair is disturbed.
    """
    check_options(n, seed=seed, first=first, references=references, noise=noise)
    return _generate(range(first, first + n), seed, references, noise, lowercase)


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


def _generate(
    indices: range, seed: int, references: int, noise: float, lowercase: bool
) -> Iterator[SentencePair]:
    stream, other = Stream(), Stream()
    for index in indices:
        tree, source = derive(stream.start(seed, index, TREE))
        targets = [say_in_english(tree, stream.start(seed, index, ENGLISH + r)) for r in range(references)]
        draw = stream.start(seed, index, NOISE) if noise else None
        if draw is not None and draw() < noise:
            disturb(source, targets[0], draw, partial(_another, seed, index, other))
        else:
            sentence_case(source.words)
            sentence_case(targets[0].words)
        for tokens in targets[1:]:
            sentence_case(tokens.words)
        texts = [" ".join(tokens.words) for tokens in (source, *targets)]
        if lowercase:
            texts = [text.lower() for text in texts]
        yield SentencePair(texts[0], texts[1], link(source, targets[0]), tuple(texts[1:]))


def _another(seed: int, index: int, stream: Stream) -> Tokens:
    """Return the English of a sentence that has nothing to do with this one."""
    tree, _ = derive(stream.start(seed, index, OTHER_TREE))
    return say_in_english(tree, stream.start(seed, index, OTHER_ENGLISH))
