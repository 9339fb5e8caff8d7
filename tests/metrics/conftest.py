"""Texts for the metrics: generated ones for everybody, real ones where the shared data is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tunesmith.files import read_lines


@dataclass(frozen=True)
class Corpus:
    """A system's output and references; `references[r][i]` is reference r of sentence i."""

    hypotheses: list[str]
    references: list[list[str]]


@pytest.fixture(scope="session")
def generated() -> Callable[..., Corpus]:
    """Make a corpus by seed: references, and hypotheses that drop, change and move words of them."""
    words = ["the", "a", "of", "and", "to", "in", "is", "that", "for", "it", "as", "was", "with", "be", "not"]
    words += ["(hi)", "don't", "I", "I'm", "Straße", "ΟΔΥΣΣΕΥΣ", "naïve", "3,000", "end.", "«quoted»", "中文"]
    words += ["Zürich", "2.5", "he", "his", "but", "on", "by"]

    def make(sentences: int = 60, references: int = 1, seed: int = 1, longest: int = 30) -> Corpus:
        rng = random.Random(seed)
        hypotheses: list[str] = []
        texts: list[list[str]] = [[] for _ in range(references)]
        for _ in range(sentences):
            base = [rng.choice(words) for _ in range(rng.randint(1, longest))]
            for text in texts:
                text.append(" ".join(_edit(rng, base, words, 0.1)))
            hypotheses.append(" ".join(_edit(rng, base, words, 0.2)))
        return Corpus(hypotheses, texts)

    return make


def _edit(rng: random.Random, base: list[str], words: list[str], rate: float) -> list[str]:
    text = [rng.choice(words) if rng.random() < rate else word for word in base if rng.random() >= rate]
    if len(text) > 3 and rng.random() < 0.5:
        start, end = sorted(rng.sample(range(len(text) + 1), 2))
        block, rest = text[start:end], text[:start] + text[end:]
        place = rng.randint(0, len(rest))
        text = rest[:place] + block + rest[place:]
    return text


@pytest.fixture(scope="session")
def multi30k(shared_data: Path) -> Callable[[str], list[str]]:
    """Read the reference ("reference") or a Moses output ("mert", "pro", ...) of test_2016."""

    def read(name: str) -> list[str]:
        if name == "reference":
            return read_lines(shared_data / "multi30k.test_2016.en.xz")
        return read_lines(shared_data / "moses" / f"out.{name}.test_2016.en")

    return read
