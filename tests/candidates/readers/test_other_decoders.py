from __future__ import annotations

import pytest
from tests.candidates.compare import candidates
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.errors import InputError


def test_old_moses_lists_have_labels_with_colons_and_may_lack_blanks(make: Make) -> None:
    pool = Pool.read(
        make("0||| das haus ||| d: -1 0 lm: -3.5 w: -2 ||| -9\n0||| x ||| d: 0 0 lm: -4 w: -1|||-8\n")
    )
    assert candidates(pool) == [
        [
            ("das haus", {"d_0": -1.0, "d_1": 0.0, "lm": -3.5, "w": -2.0}),
            ("x", {"d_0": 0.0, "d_1": 0.0, "lm": -4.0, "w": -1.0}),
        ]
    ]


def test_in_cdec_lists_the_last_equals_sign_separates(make: Make) -> None:
    pool = Pool.read(make("0 ||| a ||| Rule=x=y=1 LM=-2e1 ||| -1 ||| more\n0 ||| b ||| LM=3 ||| 2\n"))
    assert candidates(pool) == [[("a", {"Rule=x=y": 1.0, "LM": -20.0}), ("b", {"LM": 3.0})]]
    assert pool.totals is not None and pool.totals.tolist() == [-1.0, 2.0]


def test_travatar_lists_have_the_total_before_the_features(make: Make) -> None:
    pool = Pool.read(make("0 ||| a ||| -1.5 ||| lm=-2 tm=3\n1 ||| b ||| 2 ||| lm=4\n"))
    assert candidates(pool) == [[("a", {"lm": -2.0, "tm": 3.0})], [("b", {"lm": 4.0})]]
    assert pool.totals is not None and pool.totals.tolist() == [-1.5, 2.0]


@pytest.mark.parametrize("features", ["=1", "a", "a=", "a=x", "a=1 a=2", "a=nan"])
def test_bad_pairs_are_errors_with_the_line(make: Make, features: str) -> None:
    path = make(f"0 ||| a ||| f=1 ||| 0\n0 ||| b ||| {features} ||| 0\n")
    with pytest.raises(InputError, match=":2: "):
        Pool.read(path, format="cdec")


def test_a_sparse_feature_is_absent_where_a_list_does_not_have_it(make: Make) -> None:
    pool = Pool.read(make("0 ||| a ||| x=1\n1 ||| b ||| y=2\n"))
    assert pool.features.to_dense().tolist() == [[1.0, 0.0], [0.0, 2.0]]
    assert pool.features.dense.tolist() == [False, False]
