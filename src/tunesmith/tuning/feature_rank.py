"""In how many dimensions the features of candidate lists vary."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.types import BoolArray

__all__ = ["MOST_FEATURES", "feature_rank"]

MOST_FEATURES = 2000
"""With more features the rank is not computed: it takes O(features^3)."""

SMALLEST = 1e-10
"""Least eigenvalue that counts, as a share of the largest: rounding errors are below 1e-13."""


def feature_rank(pool: Pool, free: BoolArray | None = None) -> int | None:
    """Return in how many dimensions candidates differ from the others of their list; None if costly.

    That is the rank of D, each candidate's features minus those of the first of its list. Features that are
    sums of others add nothing to it, nor do features that are constant in each list, which no ranking depends
    on: weights can change in (features - rank) dimensions without any effect. `free` is the mask of the
    features that count. It is the number of positive eigenvalues of D'D, columns scaled to length 1.
    O(nonzeros^2 per candidate + features^3); None for more than MOST_FEATURES.
    """
    from scipy.sparse import csr_array

    used = np.flatnonzero(np.ones(len(pool.feature_names), dtype=np.bool_) if free is None else free)
    if len(used) > MOST_FEATURES:
        return None
    rows = pool.features
    matrix = csr_array((rows.values, rows.columns, rows.offsets), shape=(len(rows), rows.width))[:, used]
    differences = matrix - matrix[np.repeat(pool.offsets[:-1], np.diff(pool.offsets))]
    products = (differences.T @ differences).toarray()
    sizes = np.sqrt(np.diag(products))
    # A difference that is tiny beside the values is rounding.
    varying = sizes > SMALLEST * np.sqrt(np.asarray((matrix * matrix).sum(axis=0)).ravel())
    scaled = products[np.ix_(varying, varying)] / np.outer(sizes[varying], sizes[varying])
    eigenvalues = np.linalg.eigvalsh(scaled) if len(scaled) else np.zeros(0)
    return int(np.count_nonzero(eigenvalues > SMALLEST * eigenvalues.max(initial=0.0)))
