"""Forests with several weighted features combined into one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.folders import temporary_folder
from tunesmith.forest.build import from_arrays
from tunesmith.forest.file import ForestFile, ForestWriter
from tunesmith.forest.forest import Forest
from tunesmith.forest.pool import ForestPool
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, FloatArray

__all__ = ["with_combined_feature"]


def with_combined_feature(pool: ForestPool, weights: FloatArray, kept: BoolArray, name: str) -> ForestPool:
    """Return forests with the `kept` features, and a new one: the sum of all features times `weights`.

    The forests are written to a file that is gone when the pool is, so that they share one set of names.
    Features that occur in no forest have no name in the pool. O(size).
    """
    with temporary_folder() as folder:
        path = Path(folder) / "combined.forests"
        with ForestWriter(path) as writer:
            for id_, forest in zip(pool.ids, pool.forests, strict=True):
                columns = pool.columns(forest)
                writer.add(_combined(forest, weights[columns], kept[columns], name), id_)
        return replace(pool, forests=ForestFile.open(path))  # mapped: it does not need its name


def _combined(forest: Forest, weights: FloatArray, kept: BoolArray, name: str) -> Forest:
    native, column = forest.native, len(forest.feature_names)
    names = Texts.of([*forest.feature_names, name])
    own = native.edge_feature_offsets, native.edge_feature_columns, native.edge_feature_values
    shared = native.rule_feature_offsets, native.rule_feature_columns, native.rule_feature_values
    return from_arrays(
        native.edge_offsets,
        (native.tail_offsets, native.tails),
        native.edge_rules,
        native.spans,
        _with_sums(*own, weights, kept, column),
        (native.source_offsets, native.sources),
        (native.target_offsets, native.targets),
        (native.link_offsets, native.links),
        _with_sums(*shared, weights, kept, column),
        native.rule_ids,
        (forest.words.blob, forest.words.offsets),
        (names.blob, names.offsets),
    )


def _with_sums(
    offsets: npt.NDArray[np.uint32],
    columns: npt.NDArray[np.uint32],
    values: npt.NDArray[np.float32],
    weights: FloatArray,
    kept: BoolArray,
    column: int,
) -> tuple[Any, Any, Any]:
    """Return rows of the kept columns, each with the weighted sum of all its values in the last column."""
    before = np.concatenate([[0.0], np.cumsum(values * weights[columns])])
    sums = before[offsets[1:]] - before[offsets[:-1]]
    chosen = kept[columns]
    ends = np.concatenate([[0], np.cumsum(chosen)])[offsets[1:]]
    counts = np.concatenate([[0], ends + np.arange(1, len(ends) + 1)])
    return counts, np.insert(columns[chosen], ends, column), np.insert(values[chosen], ends, sums)
