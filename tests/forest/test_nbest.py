"""Candidate lists that are written while forests are read."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest, kbest_pool, write_nbest
from tunesmith.forest.nbest import BATCH, CANDIDATES, DENSE, portion

WEIGHTS = {"lm": 1.0, **{f"sparse{n}": 0.5 for n in range(5)}}


def forest(number: int) -> Forest:
    """Two candidates with a dense and a sparse feature: batches meet sparse ones in different orders."""
    return build_forest(
        [
            [
                Edge((), (f"w{number}",), {f"sparse{(7 * number) % 5}": 1.0, "lm": float(number)}),
                Edge((), ("x",), {"lm": -1.0}),
            ]
        ]
    )


def items(count: int) -> list[tuple[str, Forest]]:
    return [(str(number), forest(number)) for number in range(count)]


@pytest.mark.parametrize("format_", ["moses", "cdec", "jsonl", "parquet"])
def test_lists_of_many_batches_are_those_of_one_pool(format_: str, tmp_path: Path):
    given = items(2 * BATCH + 3)
    counts = write_nbest(tmp_path / "lists.gz", given, WEIGHTS, 2, format=format_)
    assert counts == (2 * BATCH + 3, 2 * (2 * BATCH + 3))
    read = Pool.read(tmp_path / "lists.gz")
    whole = kbest_pool([one for _, one in given], WEIGHTS, 2)
    assert read.ids == whole.ids
    assert list(read.texts or ()) == list(whole.texts or ())
    assert read.totals.tolist() == whole.totals.tolist()
    for pool in (read, whole):
        by_column = [WEIGHTS[name] for name in pool.feature_names]
        assert pool.features.dot(by_column) == pytest.approx(whole.totals)


def test_forests_are_held_a_batch_at_a_time(tmp_path: Path):
    alive, most = 0, 0

    def gone() -> None:
        nonlocal alive
        alive -= 1

    def stream() -> Iterator[tuple[str, Forest]]:
        nonlocal alive, most
        for number in range(5 * BATCH):
            one = forest(number)
            weakref.finalize(one, gone)
            alive += 1
            most = max(most, alive)
            yield str(number), one

    write_nbest(tmp_path / "lists.jsonl", stream(), WEIGHTS, 1)
    assert most <= 2 * BATCH + 1  # those at hand, and those that come next


def test_portions_shrink_as_lists_grow():
    assert [portion(k) for k in (1, 1000, CANDIDATES // 10, CANDIDATES, 2**24)] == [BATCH, BATCH, 10, 1, 1]


def test_long_lists_are_made_a_forest_at_a_time(tmp_path: Path):
    taken: list[str] = []

    def stream() -> Iterator[tuple[str, Forest]]:
        for name, one in items(3):
            taken.append(name)
            yield name, one

    with pytest.raises(InputError, match="not a whole number"):
        # The second id fails when the first forest has its list, and the third was never asked for.
        write_nbest(tmp_path / "a", ((f"x{n}" if n == "1" else n, f) for n, f in stream()), WEIGHTS, 2**24)
    assert taken == ["0", "1"]


def test_every_candidate_has_every_feature_of_the_first_forest_unless_they_are_many(tmp_path: Path):
    few = {"a": 0.0, "b_0": 1.0, "b_1": 0.0}
    write_nbest(
        tmp_path / "few", [("0", build_forest([[Edge((), ("x",), few)]]))], dict.fromkeys(few, 1.0), 1
    )
    assert (tmp_path / "few").read_text() == "0 ||| x ||| a= 0 b= 1 0 ||| 1\n"
    names = [f"s{n}" for n in range(DENSE + 1)]
    edges = [Edge((), (name,), {name: 1.0}) for name in names]
    write_nbest(tmp_path / "many", [("0", build_forest([edges]))], dict.fromkeys(names, 1.0), 1)
    assert (tmp_path / "many").read_text() == "0 ||| s0 ||| s0= 1 ||| 1\n"


def test_forests_without_derivations_have_no_list_where_they_may_be_missing(tmp_path: Path):
    empty = build_forest([])
    given = [*((f"e{n}", empty) for n in range(BATCH)), ("0", forest(0))]
    with pytest.raises(InputError, match="'e0' has no derivation"):
        write_nbest(tmp_path / "a", given, WEIGHTS, 1)
    assert write_nbest(tmp_path / "a", given, WEIGHTS, 1, allow_missing=True) == (1, 1)
    with pytest.raises(InputError, match="no forest has a derivation"):
        write_nbest(tmp_path / "b", given[:-1], WEIGHTS, 1, allow_missing=True)
    with pytest.raises(InputError, match="no forest has a derivation"):
        write_nbest(tmp_path / "b", [], WEIGHTS, 1)
    assert not (tmp_path / "b").exists()


def test_what_fails_leaves_no_file(tmp_path: Path):
    with pytest.raises(InputError, match="'0' occurs twice"):
        write_nbest(tmp_path / "a", [*items(BATCH), ("0", forest(0))], WEIGHTS, 1)
    with pytest.raises(InputError, match="not a whole number"):
        write_nbest(tmp_path / "a", [("zero", forest(0))], WEIGHTS, 1)
    with pytest.raises(OptionError, match="at least 1"):
        write_nbest(tmp_path / "a", items(1), WEIGHTS, 0)
    assert list(tmp_path.iterdir()) == []
