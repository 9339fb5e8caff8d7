"""Every feature, against the features that Moses printed for its own derivations."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tunesmith.decode.phrase import PhraseDecoder


@dataclass(frozen=True)
class Derivation:
    source: str
    phrases: list[tuple[int, int, str]]
    features: dict[str, float]
    total: float


def derivations(shared_data: Path) -> Iterator[Derivation]:
    with lzma.open(shared_data / "multi30k.test_2016.de.xz", "rt", encoding="utf-8") as stream:
        sources = stream.read().split("\n")
    path = shared_data / "moses" / "test_2016.mert.cp1000.1best-with-segmentation.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            number, text, features, total, segments, _ = (field.strip() for field in line.split("|||"))
            words = text.split()
            phrases = []
            for segment in segments.split():
                source, target = ([int(word) for word in side.split("-")] for side in segment.split("="))
                phrases.append((source[0], source[-1] + 1, " ".join(words[target[0] : target[-1] + 1])))
            yield Derivation(sources[int(number)], phrases, named(features), float(total))


def named(field: str) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for token in field.split():
        if token.endswith("="):
            label = values.setdefault(token[:-1], [])
        else:
            label.append(float(token))
    return {
        name if len(row) == 1 else f"{name}_{i}": value
        for name, row in values.items()
        for i, value in enumerate(row)
    }


@pytest.mark.slow
def test_all_features_of_moses_derivations_are_recomputed(shared_data: Path, moses_model: Path):
    decoder = PhraseDecoder.open(moses_model)
    seen = 0
    for derivation in derivations(shared_data):
        found: dict[str, float] = {}
        for step in decoder.replay(derivation.source, derivation.phrases):
            for name, value in step.items():
                found[name] = found.get(name, 0.0) + value
        # Moses prints six digits.
        expected = {name: pytest.approx(value, abs=1e-3) for name, value in derivation.features.items()}
        assert {name: found.get(name, 0.0) for name in expected} == expected
        score = sum(decoder.weights[name] * value for name, value in found.items())
        assert score == pytest.approx(derivation.total, abs=1e-3)
        seen += 1
    assert seen == 1000
