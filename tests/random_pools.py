"""Small random pools with dense and sparse features: texts with references, or a column of qualities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

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


def pool_of(sizes: Sequence[int], matrix: FloatArray, quality: FloatArray, keep_zeros: bool = False) -> Pool:
    """Make a pool of lists of these sizes; zeros of the matrix are absent features."""
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    present = np.ones_like(matrix, dtype=bool) if keep_zeros else matrix != 0
    features = Features(
        tuple(f"f{index}" for index in range(matrix.shape[1])),
        np.concatenate([[0], np.cumsum(present.sum(axis=1))]).astype(np.int64),
        np.nonzero(present)[1].astype(np.int32),
        matrix[present],
    )
    ids = tuple(str(index) for index in range(len(sizes)))
    return Pool(ids, offsets, features, scores={"quality": np.asarray(quality, dtype=np.float64)})


def scored_pool(seed: int, lists: int = 12, most: int = 9, dense: int = 3, sparse: int = 9) -> Pool:
    """Lists of 1 to `most` candidates without texts; sparse features fire in a fifth; qualities have ties."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, most + 1, lists)
    rows = int(sizes.sum())
    matrix = random.standard_normal((rows, dense + sparse))
    matrix[:, dense:] *= random.random((rows, sparse)) < 0.2
    planted = random.standard_normal(dense + sparse)
    noisy = matrix @ planted + random.standard_normal(rows)
    quality = np.round(1 / (1 + np.exp(-noisy)), 1) * 0.8 + 0.1
    return pool_of(sizes.tolist(), matrix, quality)


def lists_of(pool: Pool) -> list[IntArray]:
    """Return the rows of each list."""
    return [np.arange(begin, end) for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True)]
