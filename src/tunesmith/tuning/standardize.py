"""Features of unlike scale: how much each varies within lists, and learning from standardized features."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import Message, OptionError
from tunesmith.optimizers.space import Space
from tunesmith.tuning.data import TrainingData
from tunesmith.types import BoolArray, FloatArray, Int32Array, IntArray

__all__ = ["Scaling", "Spreads", "Standardized", "dense_deviations", "spreads", "unlike_scales"]

Standardized: TypeAlias = Literal["none", "dense", "all", "mean"]
"""Which features are divided by their deviation: dense ones are those that all candidates have. `mean` learns
from all features as they are, and with dense ones divided, and takes the mean of both weights: in loops."""

SAMPLED = 100
"""A warning needs no more lists: the deviations of features differ little between such samples."""
UNLIKE = 20.0
"""Spreads that differ by more than this factor are unlike. Those of decoders' features differ by about ten.
On Moses' lists a factor of 9 costs mira and pl 0.2 BLEU, one of 27 costs 0.7, one of 90 costs 2
(docs/methods.md)."""

BLOCK = 1000
"""Lists whose values are in memory at once."""

_ROUNDING = 1e-12
"""A sum of squares around the mean below this share of the sum of squares is rounding error."""


class Spreads(NamedTuple):
    """Per feature: its standard deviation within the lists where it varies, and the share of these lists."""

    deviations: FloatArray
    shares: FloatArray


def spreads(pool: Pool) -> Spreads:
    """Return the root mean square distance of each feature from its mean in the list. O(nonzeros).

    Lists in which a feature has the same value everywhere do not count: the deviation of a rare feature says
    how much it differs where it matters, not how rare it is. A feature that varies nowhere has 0.
    """
    from scipy.sparse import csr_array

    rows, sizes = pool.features, np.diff(pool.offsets)
    ones = np.ones(len(rows))
    member = csr_array((ones, np.arange(len(rows)), pool.offsets), shape=(len(pool), len(rows)))
    shape = (len(rows), rows.width)
    sums: Any = member @ csr_array((rows.values, rows.columns, rows.offsets), shape=shape)
    squares: Any = member @ csr_array((rows.values**2, rows.columns, rows.offsets), shape=shape)
    around = (squares - (sums * sums).multiply((1.0 / sizes)[:, None])).tocsr()
    varies = around > _ROUNDING * squares
    total = np.asarray(around.multiply(varies).sum(axis=0)).reshape(-1)
    counted = np.asarray(varies.astype(np.float64).multiply(sizes[:, None]).sum(axis=0)).reshape(-1)
    lists = np.asarray(varies.sum(axis=0)).reshape(-1)
    deviations = np.sqrt(np.maximum(total, 0.0) / np.maximum(counted, 1.0))
    return Spreads(deviations, lists / len(pool))


def unlike_scales(pool: Pool, space: Space, usual: Standardized = "none") -> Message | None:
    """Return a warning with the names of features if the spreads of some differ by more than `UNLIKE`.

    It advises what the method does by default, the `usual`: all if that is none.

    At most `SAMPLED` lists, evenly spaced, are looked at. Only dense features are compared, which all
    their candidates have: a sparse one varies little where it is rare. A frozen feature counts unless its
    weight is 0.
    """
    lists = np.unique(np.linspace(0, len(pool) - 1, SAMPLED).astype(np.int64))
    sizes = np.diff(pool.offsets)[lists]
    begins = np.cumsum(sizes) - sizes
    rows = pool.features.take(np.repeat(pool.offsets[lists] - begins, sizes) + np.arange(sizes.sum()))
    compared = rows.dense & (space.free | (space.start != 0))
    chosen = np.flatnonzero(compared)
    found = _deviations(*_around(rows.values, rows.columns, compared, sizes))
    order = np.argsort(found, kind="stable")[np.count_nonzero(found == 0) :]
    if not len(order) or found[order[-1]] <= UNLIKE * found[order[0]]:
        return None
    factor = found[order[-1]] / found[order[0]]
    widest, narrowest = (pool.feature_names[chosen[place]] for place in (order[-1], order[0]))
    wide, narrow = (f"{found[place]:.3g}" for place in (order[-1], order[0]))
    return Message(
        "{widest!r} varies {factor:.3g} times as much within lists as {narrowest!r} (standard deviations"
        " {wide} and {narrow}), and this method depends on the scale of features; try {} {which}",
        "standardize",
        which="all" if usual == "none" else usual,
        widest=widest,
        factor=factor,
        narrowest=narrowest,
        wide=wide,
        narrow=narrow,
    )


def dense_deviations(pool: Pool) -> FloatArray:
    """Return the deviations of `spreads` of the features that all candidates have, and 0 for others.

    Blocks of lists, so that only they are copied; without a sparse matrix, whose import takes longer.
    """
    rows, dense = pool.features, pool.features.dense
    around, counted = np.zeros(np.count_nonzero(dense)), np.zeros(np.count_nonzero(dense))
    for first in range(0, len(pool), BLOCK):
        offsets = pool.offsets[first : first + BLOCK + 1]
        entries = slice(rows.offsets[offsets[0]], rows.offsets[offsets[-1]])
        part = _around(rows.values[entries], rows.columns[entries], dense, np.diff(offsets))
        around, counted = around + part[0], counted + part[1]
    found = np.zeros(rows.width)
    found[dense] = _deviations(around, counted)
    return found


def _around(
    values: FloatArray, columns: Int32Array, dense: BoolArray, sizes: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return sums of squares around the mean, and of candidates, over the lists where a feature varies.

    Of features that all candidates have: their values are a matrix.
    """
    chosen = values if dense.all() else values[dense[columns]]
    matrix = chosen.reshape(int(sizes.sum()), np.count_nonzero(dense))
    begins = np.cumsum(sizes) - sizes
    sums, squares = (np.add.reduceat(each, begins, axis=0) for each in (matrix, matrix**2))
    around = squares - sums**2 / sizes[:, None]
    varies = around > _ROUNDING * squares
    return (around * varies).sum(axis=0), (varies * sizes[:, None]).sum(axis=0)


def _deviations(around: FloatArray, counted: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(around / np.maximum(counted, 1)))


@dataclass(frozen=True, eq=False)
class Scaling:
    """Lists and space of standardized features, and what they were divided by.

    Feature j is divided by its deviation s_j (see `spreads`; 1 if it varies nowhere or is not to be divided),
    so that weights v_j of standardized features and w_j = v_j / s_j of the original ones give candidates the
    same scores. Start weights and bounds are multiplied by s_j; penalties apply to v.
    """

    pool: Pool
    space: Space
    scales: FloatArray
    which: Standardized = "all"

    @classmethod
    def of(cls, pool: TrainingData, space: Space, which: Standardized = "all") -> Scaling:
        """Return the standardized lists and their space. Copies the values of the features."""
        if not isinstance(pool, Pool):
            raise OptionError("{} needs candidate lists, not {noun}", "standardize", noun=pool.noun)
        if which == "mean":
            raise OptionError("{} can be 'mean' in tuning loops only", "standardize")
        deviations = dense_deviations(pool) if which == "dense" else spreads(pool).deviations
        scales = np.where(deviations > 0, deviations, 1.0)
        rows = pool.features
        features = Features(rows.names, rows.offsets, rows.columns, rows.values / scales[rows.columns])
        with np.errstate(over="ignore"):  # bounds that overflow are none
            lower, upper = space.lower * scales, space.upper * scales
        scaled = dataclasses.replace(space, start=space.start * scales, lower=lower, upper=upper)
        return cls(dataclasses.replace(pool, features=features), scaled, scales, which)
