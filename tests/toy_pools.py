"""Small random pools with dense and sparse features and a column of qualities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.types import FloatArray, IntArray


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


def random_pool(seed: int, lists: int = 12, most: int = 9, dense: int = 3, sparse: int = 9) -> Pool:
    """Lists of 1 to `most` candidates; sparse features fire in about a fifth; qualities have ties."""
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
