"""Which features fire for a sentence: those of its best derivation, with values and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tunesmith.decode.base import AnyDecoder

__all__ = ["Firing", "count_firing", "firing"]


@dataclass(frozen=True)
class Firing:
    """A feature of the best derivation of a sentence, numbered from 1."""

    sentence: int
    name: str
    value: float
    weight: float


def firing(decoder: AnyDecoder, texts: Iterable[str], *, all_features: bool = False) -> Iterator[Firing]:
    """Yield the features of templates, or all of them, of the best derivation of each sentence.

    Sorted by name; a sentence without a translation has none.
    """
    for number, found in enumerate(decoder.translate_all(list(texts)), 1):
        for name, value in sorted(found.features.items()):
            if value and (all_features or any(each.owns(name) for each in decoder.templates)):
                yield Firing(number, name, value, decoder.weights.get(name, 0.0))


def count_firing(fired: Iterable[Firing]) -> list[tuple[str, int]]:
    """Count the sentences in which each feature fires; most frequent first, then by name."""
    counts = Counter(each.name for each in fired)
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
