"""A large sample of the generated corpus, made once per process: it takes seconds."""

from __future__ import annotations

from functools import cache

from tunesmith.generated import SentencePair, generate


@cache
def large_sample() -> list[SentencePair]:
    """Return 25,000 pairs without noise."""
    return list(generate(25_000, seed=6, noise=0))
