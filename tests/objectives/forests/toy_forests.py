"""Pools of small random forests with references, and of forests that decoders made."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tunesmith.corpus import Alignments
from tunesmith.corpus.generated import generate
from tunesmith.decode import open_decoder
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.pool import ForestPool
from tunesmith.model import train
from tunesmith.types import FloatArray

FEATURES = ("lm", "tm", "wp")
WORDS = ("a", "b", "c", "d", "e")


def toy_forest(
    rng: np.random.Generator, features: tuple[str, ...] = FEATURES, nodes: int = 6, degree: int = 2
) -> Forest:
    """A chain of nodes, each with a few ways to add a word to the one before, or to join two before it."""

    def edge(node: int) -> Edge:
        word = str(rng.choice(WORDS))
        count = min(node, int(rng.integers(1, 3)))
        tails = tuple(int(tail) for tail in rng.integers(max(0, node - 2), node, count))
        symbols: list[str | int] = [word, *(-1 - i for i in range(count))]
        target = tuple(symbols[i] for i in rng.permutation(len(symbols)))
        return Edge(tails, target, {name: float(np.float32(rng.normal())) for name in features})

    return build_forest([[edge(node) for _ in range(degree)] for node in range(nodes)], features)


def toy_pool(
    seed: int, forests: int = 8, *, features: tuple[str, ...] = FEATURES, nodes: int = 4
) -> ForestPool:
    """Random forests whose references are random words."""
    rng = np.random.default_rng(seed)
    made = [toy_forest(rng, features, nodes) for _ in range(forests)]
    references = [" ".join(rng.choice(WORDS, rng.integers(3, 9))) for _ in range(forests)]
    return ForestPool.of(made, [references])


def decoded_pool(kind: str, folder: Path, sentences: int = 12) -> tuple[ForestPool, FloatArray]:
    """Train a small model, and return forests of its decoder with the model's weights."""
    pairs = list(generate(200 + sentences, seed=1, lowercase=True))
    training, held_out = pairs[:200], pairs[200:]
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in training))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in training))
    Alignments.of(pair.alignment for pair in training).write(folder / "align")
    train(folder / "de", folder / "en", folder / "model", alignment=folder / "align", lm_order=3, kind=kind)
    decoder = open_decoder(folder / "model")
    found = decoder.translate_all([pair.source for pair in held_out], forest=True)
    forests = [translation.forest for translation in found if translation.forest is not None]
    pool = ForestPool.of(forests, [[pair.target for pair in held_out]])
    return pool, np.array([decoder.weights.get(name, 0.0) for name in pool.feature_names])
