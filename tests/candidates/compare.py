"""When two pools are the same."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates import Pool


def assert_identical(found: Pool, expected: Pool) -> None:
    """Every array is the same, bit for bit, in the same order."""
    assert found.ids == expected.ids
    assert np.array_equal(found.offsets, expected.offsets)
    assert found.feature_names == expected.feature_names
    assert np.array_equal(found.features.offsets, expected.features.offsets)
    assert np.array_equal(found.features.columns, expected.features.columns)
    assert found.features.values.tobytes() == expected.features.values.tobytes()
    assert found.texts == expected.texts
    assert found.references == expected.references
    assert found.sources == expected.sources
    assert found.scores.keys() == expected.scores.keys()
    for name, column in expected.scores.items():
        assert found.scores[name].tobytes() == column.tobytes()
    assert (found.totals is None) == (expected.totals is None)
    if expected.totals is not None:
        assert found.totals is not None and found.totals.tobytes() == expected.totals.tobytes()


def candidates(pool: Pool) -> list[list[tuple[str | None, dict[str, float]]]]:
    """Return texts and named features list by list: what stays the same if columns are numbered anew."""
    names, offsets = pool.feature_names, pool.features.offsets
    columns, values = pool.features.columns.tolist(), pool.features.values.tolist()
    rows = [
        (
            None if pool.texts is None else pool.texts[row],
            {names[columns[k]]: values[k] for k in range(offsets[row], offsets[row + 1])},
        )
        for row in range(pool.n_candidates)
    ]
    return [rows[pool.offsets[g] : pool.offsets[g + 1]] for g in range(len(pool))]
