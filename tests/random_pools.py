"""Small random pools for tests: texts with references, dense and sparse features."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.texts import Texts

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "big", "small"]


def random_pool(
    seed: int = 1, lists: int = 12, size: int = 6, dense: int = 3, sparse: int = 4, informative: bool = True
) -> Pool:
    """Lists of up to `size` candidates; with `informative`, feature f0 goes with the overlap."""
    rng = np.random.default_rng(seed)
    references, texts, rows, offsets = [], [], [], [0]
    for _ in range(lists):
        reference = rng.choice(WORDS, size=rng.integers(4, 9)).tolist()
        references.append(" ".join(reference))
        for _ in range(rng.integers(1, size + 1)):
            text = [word if rng.random() < 0.7 else str(rng.choice(WORDS)) for word in reference]
            kept = [word for word in text if rng.random() < 0.9]
            texts.append(" ".join(kept))
            row = rng.normal(size=dense)
            if informative:
                row[0] += 2.0 * np.mean([a == b for a, b in zip(text, reference, strict=True)])
            active = rng.random(sparse) < 0.4
            rows.append((row, np.flatnonzero(active), np.round(rng.normal(size=active.sum()), 1)))
        offsets.append(len(texts))
    columns = [np.concatenate([np.arange(dense), dense + index]) for _, index, _ in rows]
    values = [np.concatenate([row, extra]) for row, _, extra in rows]
    features = Features(
        tuple([f"f{i}" for i in range(dense)] + [f"s{i}" for i in range(sparse)]),
        np.cumsum([0] + [len(c) for c in columns]).astype(np.int64),
        np.concatenate(columns).astype(np.int32),
        np.concatenate(values).astype(np.float64),
    )
    return Pool(
        tuple(str(i) for i in range(lists)),
        np.array(offsets, dtype=np.int64),
        features,
        Texts.of(texts),
        (Texts.of(references),),
    )
