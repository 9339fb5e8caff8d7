"""Smoothing of BLEU: replacements of the match and total counts of each order.

Chen and Cherry (2014) compare these methods for sentences; sacrebleu uses them for corpora. With
m and t the matches and totals of order n, which may be fractional:

- `none`: m / t.
- `floor`: `value` in place of m where an order has n-grams but no match.
- `exp`: 1/2, 1/4, 1/8, ... there, one half more for each such order (mteval-v13a).
- `add-k`: (m + value) / (t + value) for n > 1 (Lin and Och 2004).
- `add-all`: the same for all n.
- `gao-he`: (m + value q) / (t + value) for n > 2, with q = p_{n-1}^2 / p_{n-2} of the precisions before it,
  smoothed ones too (He and Deng 2012; Gao and He 2013); q is 0 where p_{n-2} is. One word has no bigrams: its
  second precision is the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tunesmith.types import BoolArray, FloatArray

__all__ = ["Method", "Precisions", "smooth"]

Method = Literal["none", "floor", "exp", "add-k", "add-all", "gao-he"]


@dataclass(frozen=True, eq=False)
class Precisions:
    """Smoothed counts, one order per entry of the last axis.

    `counted` selects the orders of the mean: all, or (effective order) those before the first without
    n-grams. `alive` is false where the score is zero for any brevity penalty.
    """

    matches: FloatArray
    totals: FloatArray
    replaced: BoolArray
    counted: BoolArray
    alive: BoolArray

    def log_mean(self) -> FloatArray:
        """Return the log of the geometric mean of the precisions; undefined where not alive."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(self.counted, np.log(self.matches / self.totals), 0.0)
            return np.asarray(logs.sum(axis=-1) / self.counted.sum(axis=-1))

    def log_mean_gradient(self) -> tuple[FloatArray, FloatArray]:
        """Return d log_mean / d matches and d log_mean / d totals."""
        with np.errstate(divide="ignore", invalid="ignore"):
            share = self.counted / self.counted.sum(axis=-1, keepdims=True)
            kept = self.counted & ~self.replaced
            return (
                np.where(kept, share / self.matches, 0.0),
                np.where(self.counted, -share / self.totals, 0.0),
            )


def smooth(
    method: Method, matches: FloatArray, totals: FloatArray, value: float, *, effective: bool = False
) -> Precisions:
    """Smooth the counts of all orders (last axis).

    A text without any match, or without words, has score zero, except that with `add-all` a text
    without a match may score above zero.
    """
    missing = (matches <= 0) & (totals > 0)
    added = np.zeros(np.shape(matches)[-1])
    replaced = np.zeros(np.shape(matches), dtype=np.bool_)
    numerators = matches
    if method == "floor":
        replaced, numerators = missing, np.where(missing, value, matches)
    elif method == "exp":
        replaced, numerators = missing, np.where(missing, 0.5 ** np.cumsum(missing, axis=-1), matches)
    elif method == "add-k":
        added[1:] = value
    elif method == "add-all":
        added[:] = value
    numerators, denominators = numerators + added, totals + added
    if method == "gao-he":
        numerators, denominators = _extrapolated(matches, totals, value)
    counted = np.logical_and.accumulate(~(denominators <= 0), axis=-1) if effective else np.ones_like(missing)
    dead = (((numerators <= 0) | (denominators <= 0)) & counted).any(axis=-1) | (totals[..., 0] <= 0)
    if method != "add-all":
        dead = dead | (matches <= 0).all(axis=-1)
    return Precisions(numerators, denominators, replaced, counted, ~dead)


def _extrapolated(matches: FloatArray, totals: FloatArray, value: float) -> tuple[FloatArray, FloatArray]:
    """Return the counts of `gao-he`."""
    numerators, denominators = matches.astype(np.float64), totals.astype(np.float64)
    orders = numerators.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.nan_to_num(numerators / denominators)
        if orders > 1:
            single = (totals[..., 1] <= 0) & (totals[..., 0] > 0)
            precisions[..., 1] = np.where(single, precisions[..., 0], precisions[..., 1])
            numerators[..., 1] = np.where(single, precisions[..., 0], numerators[..., 1])
            denominators[..., 1] = np.where(single, 1.0, denominators[..., 1])
        for n in range(2, orders):
            before, last = precisions[..., n - 2], precisions[..., n - 1]
            expected = np.where(before > 0, last**2 / before, 0.0)
            numerators[..., n] += value * expected
            denominators[..., n] += value
            precisions[..., n] = numerators[..., n] / denominators[..., n]
    return numerators, denominators
