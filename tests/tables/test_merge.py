"""Tables interpolated and merged, against the same in Python."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tables.toy_tables import Key, Row, as_float32, as_rows, build, random_rows

from tunesmith.errors import InputError, OptionError
from tunesmith.tables import interpolate_tables, merge_tables


@pytest.fixture
def rows() -> list[dict[Key, Row]]:
    return [counted(random_rows(seed, sources=120, reordering=4)) for seed in range(3)]


def counted(rows: dict[Key, Row]) -> dict[Key, Row]:
    """Return the rows with the counts of phrases that the counts of pairs sum to."""
    sums: Counter[tuple[int, str]] = Counter()
    for key, row in rows.items():
        sums.update({(side, key[side]): row.counts[2] for side in (0, 1)})
    return {
        key: replace(row, counts=(sums[1, key[1]], sums[0, key[0]], row.counts[2]))
        for key, row in rows.items()
    }


def marginal(rows: list[dict[Key, Row]], weights: list[float], key: Key, *, of: int) -> int:
    """Return c(f) (of = 0) or c(e) (of = 1) in all the text that the weighted tables are of."""
    used = [each for weight, each in zip(weights, rows, strict=True) if weight > 0]
    return sum(row.counts[2] for each in used for other, row in each.items() if other[of] == key[of])


def interpolated(rows: list[dict[Key, Row]], weights: list[float], key: Key) -> Row:
    having = [
        (weight, as_float32(each[key])) for weight, each in zip(weights, rows, strict=True) if key in each
    ]
    total = sum(weight for weight, _ in having) or 1.0
    return Row(
        tuple(sum(weight * row.scores[i] for weight, row in having) for i in range(4)),
        max(having, key=lambda pair: pair[0])[1].alignment,
        (
            marginal(rows, weights, key, of=1),
            marginal(rows, weights, key, of=0),
            sum(row.counts[2] for weight, row in having if weight > 0),
        ),
        tuple(sum(weight * row.reordering[i] for weight, row in having) / total for i in range(4)),
    )


@pytest.mark.parametrize("weights", [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.75, 0.0, 0.25]])
def test_interpolation_is_the_weighted_sum_of_probabilities(rows, weights, tmp_path: Path) -> None:
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    found = as_rows(interpolate_tables(tables, weights, tmp_path / "joined"))
    keys = {key for weight, each in zip(weights, rows, strict=True) for key in each if weight > 0}
    assert set(found) == keys
    assert len(keys) < sum(len(each) for each in rows)  # some pairs are in several tables
    for key, row in found.items():
        expected = interpolated(rows, weights, key)
        assert row.scores == pytest.approx(expected.scores, rel=1e-6)
        assert row.reordering == pytest.approx(expected.reordering, rel=1e-6)
        assert row.counts == expected.counts
        assert row.alignment == expected.alignment


def test_each_score_may_have_weights_of_its_own(rows, tmp_path: Path) -> None:
    """Each score is that of the interpolation with its weights; all else has the mean of the weights."""
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    vectors = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.75, 0.0, 0.25], [1.0, 0.0, 0.0]]
    found = as_rows(interpolate_tables(tables, vectors, tmp_path / "joined"))
    mean = [sum(column) / 4 for column in zip(*vectors, strict=True)]
    assert set(found) == {key for each in rows for key in each}
    for key, row in found.items():
        expected = interpolated(rows, mean, key)
        scores = [interpolated(rows, vector, key).scores[i] for i, vector in enumerate(vectors)]
        assert row.scores == pytest.approx(scores, rel=1e-6)
        assert row.reordering == pytest.approx(expected.reordering, rel=1e-6)
        assert (row.counts, row.alignment) == (expected.counts, expected.alignment)


def test_equal_weights_for_all_scores_give_the_bytes_of_one_vector(rows, tmp_path: Path) -> None:
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    one = interpolate_tables(tables, [0.7, 0.2, 0.1], tmp_path / "one").path.read_bytes()
    four = interpolate_tables(tables, [[0.7, 0.2, 0.1]] * 4, tmp_path / "four").path.read_bytes()
    assert one == four


def test_merging_takes_each_pair_from_the_first_table_that_has_it(rows, tmp_path: Path) -> None:
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    expected = {key: as_float32(row) for each in reversed(rows) for key, row in each.items()}
    assert as_rows(merge_tables(tables, tmp_path / "joined")) == expected
    marked = merge_tables(tables, tmp_path / "marked", indicators=True)
    assert marked.score_names[4:] == ("from_table_1", "from_table_2")
    for pair in marked:
        origin = next(i for i, each in enumerate(rows) if (pair.source, pair.target) in each)
        logs = [math.log(pair.scores[f"from_table_{i}"]) for i in (1, 2)]
        assert logs == pytest.approx([float(origin == 1), float(origin == 2)], abs=1e-6)


def test_joining_gives_the_same_bytes_every_time(rows, tmp_path: Path) -> None:
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    first = interpolate_tables(tables, [0.5, 0.25, 0.25], tmp_path / "a").path.read_bytes()
    assert interpolate_tables(tables, [0.5, 0.25, 0.25], tmp_path / "b").path.read_bytes() == first


def test_a_table_interpolated_with_itself_is_itself(rows, tmp_path: Path) -> None:
    table = build(tmp_path, rows[0])
    joined = as_rows(interpolate_tables([table, table], [0.5, 0.5], tmp_path / "joined"))
    for key, row in as_rows(table).items():
        assert joined[key].scores == row.scores
        assert joined[key].reordering == row.reordering


def test_tables_that_do_not_fit_and_wrong_weights_are_refused(rows, tmp_path: Path) -> None:
    tables = [build(tmp_path, each, f"t{i}") for i, each in enumerate(rows)]
    for weights in ([0.5, 0.5], [0.5, 0.5, 0.5], [1.5, -0.5, 0], [float("nan"), 0.5, 0.5]):
        with pytest.raises(OptionError, match="weights"):
            interpolate_tables(tables, weights, tmp_path / "joined")
        with pytest.raises(OptionError, match="weights"):
            interpolate_tables(tables, [weights] + [[0.5, 0.5, 0]] * 3, tmp_path / "joined")
    with pytest.raises(OptionError, match=r"weights has 2 vectors for 4 scores .*give one for each"):
        interpolate_tables(tables, [[0.5, 0.5, 0]] * 2, tmp_path / "joined")
    with pytest.raises(OptionError, match="weights must be numbers, or one list of numbers per score"):
        interpolate_tables(tables, [[0.5, 0.5, 0], 1.0, 0.0, 0.0], tmp_path / "joined")  # type: ignore[list-item]
    with pytest.raises(OptionError, match="two or more tables"):
        merge_tables(tables[:1], tmp_path / "joined")
    other = build(tmp_path, random_rows(5, width=5), "other")
    with pytest.raises(InputError, match="has the scores"):
        merge_tables([tables[0], other], tmp_path / "joined")
    bare = build(tmp_path, random_rows(5), "bare")
    with pytest.raises(InputError, match="has the reordering models"):
        merge_tables([tables[0], bare], tmp_path / "joined")
    assert not (tmp_path / "joined").exists()
