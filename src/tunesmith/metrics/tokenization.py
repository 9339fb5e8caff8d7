"""Lowercasing and tokenization within metrics.

For every tokenizer, words are found in its output by Python's `str.split()`, so that counts equal
sacrebleu's. The tokenizers themselves are sacrebleu's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tunesmith.errors import OptionError, suggest
from tunesmith.metrics.base import Segments
from tunesmith.texts import Texts

__all__ = ["check_tokenizer", "prepare", "rewrite"]


def prepare(segments: Segments, *, tokenize: str = "none", lowercase: bool = False) -> Segments:
    """Lowercase and tokenize hypotheses and references; nothing is copied if there is nothing to do."""
    if tokenize != "none":
        tokenizer = _tokenizer(tokenize)
        if lowercase:
            return rewrite(segments, lambda text: tokenizer(text.lower().rstrip()))
        return rewrite(segments, lambda text: tokenizer(text.rstrip()))
    return _map(segments, _lower) if lowercase else segments


def rewrite(segments: Segments, change: Callable[[str], str]) -> Segments:
    """Apply a function to every text."""
    return _map(segments, lambda texts: Texts.of([change(text) for text in texts]))


def check_tokenizer(name: str) -> None:
    """Raise OptionError unless sacrebleu has a tokenizer of that name."""
    if name == "none":
        return
    from sacrebleu.metrics import BLEU

    if name not in BLEU.TOKENIZERS:
        raise OptionError(f"unknown tokenizer {name!r:.60}{suggest(name, BLEU.TOKENIZERS)}")


@lru_cache(maxsize=8)
def _tokenizer(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics import BLEU

    try:
        tokenizer: Callable[[str], str] = BLEU(tokenize=name, force=True).tokenizer
    except (ImportError, RuntimeError) as error:  # an optional dependency of sacrebleu is missing
        raise OptionError(f"tokenizer {name!r}: {' '.join(str(error).split())}") from error
    return tokenizer


def _map(segments: Segments, change: Callable[[Texts], Texts]) -> Segments:
    references = tuple(change(reference) for reference in segments.references)
    return dataclasses.replace(segments, texts=change(segments.hypotheses), references=references)


def _lower(texts: Texts) -> Texts:
    blob = texts.blob.tobytes()
    if blob.isascii():
        return Texts(np.frombuffer(blob.lower(), dtype=np.uint8), texts.offsets)
    return Texts.of([text.lower() for text in texts])
