from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from tests.candidates.compare import candidates
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.errors import InputError

LINES = """\
0 ||| das haus  ||| LM= -1.5 TM= 1 2e-3 pair_a_b= 1 ||| -3.25
0 |||  ||| LM= -2 TM= 0 -0 ||| -4 ||| 0-0 1-1
1 ||| ja ||| LM= -7 TM= .5 5. ||| 1e2
"""


def test_values_of_a_label_are_numbered_and_a_single_one_is_not(make: Make) -> None:
    pool = Pool.read(make(LINES))
    assert pool.feature_names == ("LM", "TM_0", "TM_1", "pair_a_b")
    assert candidates(pool) == [
        [
            ("das haus", {"LM": -1.5, "TM_0": 1.0, "TM_1": 0.002, "pair_a_b": 1.0}),
            ("", {"LM": -2.0, "TM_0": 0.0, "TM_1": -0.0}),
        ],
        [("ja", {"LM": -7.0, "TM_0": 0.5, "TM_1": 5.0})],
    ]
    assert pool.ids == ("0", "1")
    assert pool.totals is not None and pool.totals.tolist() == [-3.25, -4.0, 100.0]


def test_a_label_whose_number_of_values_changes_is_an_error(make: Make) -> None:
    path = make("0 ||| a ||| TM= 1 2 ||| 0\n0 ||| b ||| TM= 1 ||| 0\n")
    with pytest.raises(InputError, match=r"nbest:2: label 'TM' has 1 values; expected 2"):
        Pool.read(path)


def test_labels_must_not_give_one_name_twice(make: Make) -> None:
    with pytest.raises(InputError, match=r":1: two features are named 'A_0'"):
        Pool.read(make("0 ||| a ||| A= 1 2 A_0= 3 ||| 0\n"))


@pytest.mark.parametrize(
    ("features", "complaint"),
    [
        ("LM= 1 LM= 2", "feature 'LM' is repeated in one candidate"),
        ("LM= 1 x 2", "found 'x' among the features; expected 'Label=' or a number"),
        ("LM= TM= 1", "label 'LM' has no value"),
        ("LM= 1 TM=", "label 'TM' has no value"),
        ("= 1", "a label without a name"),
        ("LM= nan", "feature 'LM' is nan; expected a finite number"),
        ("LM= 1 TM= 1 -inf", "feature 'TM_1' is -inf; expected a finite number"),
        ("LM= 1e999", "feature 'LM' is inf; expected a finite number"),
    ],
)
def test_bad_features_are_errors_with_the_line(make: Make, features: str, complaint: str) -> None:
    path = make(f"0 ||| a ||| Z= 1 ||| 0\n1 ||| b ||| Z= 2 {features} ||| 0\n")
    with pytest.raises(InputError, match=":2: " + ".*" + re.escape(complaint)):
        Pool.read(path)


def test_a_number_too_small_for_a_double_is_zero(make: Make) -> None:
    pool = Pool.read(make("0 ||| a ||| A= 1e-999 -0.0000001e-400 5e-324 ||| 0\n"))
    assert pool.features.values.tolist() == [0.0, 0.0, 5e-324]
    assert np.signbit(pool.features.values).tolist() == [False, True, False]


def test_totals_may_be_left_out_by_all_lines_but_not_by_some(make: Make) -> None:
    assert Pool.read(make("0 ||| a ||| LM= 1\n0 ||| b ||| LM= 2\n")).totals is None
    with pytest.raises(InputError, match=":2: some candidates have a total and some"):
        Pool.read(make("0 ||| a ||| LM= 1\n0 ||| b ||| LM= 2 ||| 3\n"))


def test_columns_rise_in_every_row_whatever_the_order_in_the_file(make: Make) -> None:
    pool = Pool.read(make("0 ||| a ||| A= 1 B= 2 C= 3\n0 ||| b ||| C= 4 A= 5\n0 ||| c ||| D= 6 B= 7\n"))
    assert pool.features.columns.tolist() == [0, 1, 2, 0, 2, 1, 3]
    assert pool.features.values.tolist() == [1, 2, 3, 5, 4, 7, 6]


@pytest.mark.slow
def test_moses_lists_are_read_as_a_plain_split_reads_them(shared_data: Path) -> None:
    path = shared_data / "moses" / "val.default.nbest100.gz"
    pool = Pool.read(path)
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        fields = [[field.strip() for field in line.split("|||")] for line in stream]
    assert list(pool.texts or []) == [field[1] for field in fields]
    values = [[float(token) for token in field[2].split() if not token.endswith("=")] for field in fields]
    assert np.array_equal(pool.features.to_dense(), np.array(values))
    assert pool.totals is not None and pool.totals.tolist() == [float(field[3]) for field in fields]
    ids = np.repeat([int(name) for name in pool.ids], np.diff(pool.offsets))
    assert ids.tolist() == [int(field[0]) for field in fields]


def test_mosess_own_weights_times_the_features_give_its_totals(shared_data: Path) -> None:
    folder = shared_data / "moses"
    pool = Pool.read(folder / "val.default.nbest100.gz")
    section = (folder / "moses.default.ini").read_text().split("[weight]")[1]
    weights = dict(re.findall(r"^(\w+)= (.*)$", section, flags=re.MULTILINE))
    vector = []
    for name in pool.feature_names:
        label, _, number = name.rpartition("_")
        values = weights[label or name].split()
        vector.append(float(values[int(number) if label else 0]))
    normalized = np.array(vector) / np.abs(vector).sum()  # as mert-moses.pl hands them to the decoder
    assert pool.totals is not None
    gap = (pool.totals - pool.features.dot(normalized)) / -100.0  # -100 for each unknown word
    assert np.abs(gap - np.round(gap)).max() < 1e-4
    assert gap.min() > -0.01


def test_lists_of_moses_chart_start_features_with_two_blanks(shared_data: Path) -> None:
    path = shared_data / "moses-hiero" / "test_2016.first200.cp200.nbest100.gz"
    pool = Pool.read(path)
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    assert pool.n_candidates == len(lines)
    assert (len(pool), pool.features.width) == (200, 8)
    assert pool.texts is not None
    assert pool.texts[0] == lines[0].split("|||")[1].strip()
