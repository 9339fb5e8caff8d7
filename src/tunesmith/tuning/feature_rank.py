"""In how many dimensions the features of candidate lists vary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.types import BoolArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["MOST_FEATURES", "feature_rank"]

MOST_FEATURES = 2000
"""With more features the rank is not computed: it takes O(features^3)."""

ROWS = 4096
"""Candidates whose features are in memory at once, or those of one list if it is longer."""

SMALLEST = 1e-10
"""Least eigenvalue that counts, as a share of the largest: rounding errors are below 1e-13."""


def feature_rank(pool: Pool, free: BoolArray | None = None) -> int | None:
    """Return in how many dimensions candidates differ from the others of their list; None if costly.

    That is the rank of D, each candidate's features minus those of the first of its list. Features that are
    sums of others add nothing to it, nor do features that are constant in each list, which no ranking depends
    on: weights can change in (features - rank) dimensions without any effect. `free` is the mask of the
    features that count. It is the number of positive eigenvalues of D'D, columns scaled to length 1.
    O(nonzeros^2 per candidate + features^3); None for more than MOST_FEATURES. Features are read some lists
    at a time, so that those of mapped files stay on disk.
    """
    used = np.flatnonzero(np.ones(len(pool.feature_names), dtype=np.bool_) if free is None else free)
    if len(used) > MOST_FEATURES:
        return None
    products, squares = np.zeros((len(used), len(used))), np.zeros(len(used))
    for matrix, firsts in _parts(pool):
        own = matrix[:, used]
        differences = own - own[firsts]
        products += (differences.T @ differences).toarray()
        squares += (own * own).sum(axis=0)
    sizes = np.sqrt(np.diag(products))
    # A difference that is tiny beside the values is rounding.
    varying = sizes > SMALLEST * np.sqrt(squares)
    scaled = products[np.ix_(varying, varying)] / np.outer(sizes[varying], sizes[varying])
    eigenvalues = np.linalg.eigvalsh(scaled) if len(scaled) else np.zeros(0)
    return int(np.count_nonzero(eigenvalues > SMALLEST * eigenvalues.max(initial=0.0)))


def _parts(pool: Pool) -> Iterator[tuple[csr_array, IntArray]]:
    """Yield the features of some lists, and for each candidate the row of the first of its list."""
    from scipy.sparse import csr_array

    begin = 0
    while begin < len(pool):
        end = int(np.searchsorted(pool.offsets, pool.offsets[begin] + ROWS, side="right")) - 1
        offsets = pool.offsets[begin : max(end, begin + 1) + 1]
        rows = pool.features.take(np.arange(offsets[0], offsets[-1]))
        matrix = csr_array((rows.values, rows.columns, rows.offsets), shape=(len(rows), rows.width))
        yield matrix, np.repeat(offsets[:-1] - offsets[0], np.diff(offsets))
        begin += len(offsets) - 1
