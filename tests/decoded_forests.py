"""Pools of forests that decoders made."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tunesmith.decode import open_decoder
from tunesmith.forest.pool import ForestPool
from tunesmith.generated import generate
from tunesmith.types import FloatArray


def decoded_pool(model: Path, sentences: int, **options: object) -> tuple[ForestPool, FloatArray]:
    """Return forests of sentences that a model of the small corpus has not seen, and the model's weights."""
    pairs = list(generate(sentences, seed=2, lowercase=True))
    return pool_of(model, [pair.source for pair in pairs], [pair.target for pair in pairs], **options)


def pool_of(
    model: Path, source: list[str], references: list[str], **options: object
) -> tuple[ForestPool, FloatArray]:
    """Return the forests of given sentences, and the weights that the model has for the features."""
    decoder = open_decoder(model, options=options)
    found = decoder.translate_all(source, forest=True)
    forests = [translation.forest for translation in found if translation.forest is not None]
    pool = ForestPool.of(forests, [references])
    return pool, np.array([decoder.weights.get(name, 0.0) for name in pool.feature_names])
