from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_text, number, word

from tunesmith.errors import InputError
from tunesmith.weights import Weights


def read(folder: Path, content: str | bytes, name: str = "weights") -> Weights:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Weights.read(path)


@pytest.mark.parametrize("name", ["w.json", "w.json.gz", "w.json.zst"])
@given(values=st.dictionaries(any_text, number, min_size=1))
def test_json_gives_back_every_name_and_value(
    tmp_path_factory: pytest.TempPathFactory, name: str, values: dict[str, float]
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    Weights(values).write(path, method="mert", score=0.5)
    assert dict(Weights.read(path)) == values


@given(
    values=st.dictionaries(
        word.filter(lambda name: not name.startswith(("#", '{"')) and name[-1] != "="), number, min_size=1
    )
)
def test_lines_give_back_names_without_blanks(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, float]
) -> None:
    path = tmp_path_factory.getbasetemp() / "weights.txt"
    Weights(values).write(path)
    assert dict(Weights.read(path)) == values


@pytest.mark.parametrize("name", ["", "a b", "#a", '{"a', "a=", "a\tb", "a\nb", "\u00a0"])
def test_names_that_a_line_cannot_hold_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"a text line cannot contain .*; write \.json"):
        Weights({name: 1.0}).write(tmp_path / "weights")
    assert list(tmp_path.iterdir()) == []


def test_lines_may_look_as_the_peers_write_them(tmp_path: Path) -> None:
    content = "# cdec\nLM -0.5\n  Glue\t1e-3\nx=y=2\nW = 3\r\n\nPP0= 0.25\nTM0= 1 -2 +.5\n"
    assert dict(read(tmp_path, content)) == {
        "LM": -0.5,
        "Glue": 0.001,
        "x=y": 2.0,
        "W": 3.0,
        "PP0": 0.25,
        "TM0_0": 1.0,
        "TM0_1": -2.0,
        "TM0_2": 0.5,
    }


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "weights: no weights in this file"),
        ("# only a comment\n", "weights: no weights in this file"),
        ("{}", "weights: no weights in this file"),
        ("a 1\na 2\n", "weights:2: repeated feature 'a'"),
        ("a_0 1\na= 1 2\n", "weights:2: repeated feature 'a_0'"),
        ("a nan\n", "weights:1: the weight of 'a' is 'nan'; expected a finite number"),
        ("a 1\nb inf\n", "weights:2: the weight of 'b' is 'inf'"),
        ("a 1e999\n", "weights:1: the weight of 'a' is '1e999'; expected a finite number"),
        ("a 1_000\n", "weights:1: the weight of 'a' is '1_000'"),
        ("a \u0661\n", "weights:1: the weight of 'a' is"),
        ("a b 1\n", "weights:1: expected 'name value', found 'a b 1'"),
        ("a\n", "weights:1: expected 'name value', found 'a'"),
        ("= 1\n", "weights:1: expected 'name value', found '= 1'"),
        ('{"a": 1, "a": 2}', "weights: repeated key 'a'"),
        ('{"weights": {"a": 1, "a": 2}}', "weights: repeated key 'a'"),
        ('{"a": NaN}', "weights: the weight of 'a' is nan; expected a finite number"),
        ('{"a": 1e999}', "weights: the weight of 'a' is inf; expected a finite number"),
        ('{"a": 1' + "0" * 400 + "}", "weights: the weight of 'a' is inf; expected a finite number"),
        ('{"a": 1' + "0" * 9999 + "}", "weights: is not a file of weights: exceeds the limit"),
        ('{"a": "1"}', "weights: the weight of 'a' is '1'; expected a number"),
        ('{"a": true}', "weights: the weight of 'a' is True; expected a number"),
        ('{"a": null}', "weights: the weight of 'a' is None; expected a number"),
        ('{"\\ud800": 1}', "the text '\\ud800' contains a lone surrogate"),
        ('\n{\n"a": 1,\n}', "weights: is not a file of weights: it is not JSON (expecting property name"),
        ('{"weights": [1]}', "weights: expected an object of names and numbers under 'weights'"),
        (
            '{"format": "other", "weights": {"a": 1}}',
            "expected format 'tunesmith-weights' version 1, found 'other'",
        ),
        (
            '{"format": "tunesmith-weights", "version": 2, "weights": {"a": 1}}',
            "found 'tunesmith-weights' version 2",
        ),
        ('{"format": "tunesmith-weights", "version": 1}', "expected an object of names and numbers"),
        ('{"a":' * 100_000, "weights: is not a file of weights: it has lists within lists"),
        (b"a 1\n\xff 2\n", "weights:2: not UTF-8"),
    ],
)
def test_bad_files_are_errors_with_the_place(tmp_path: Path, content: str | bytes, complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        read(tmp_path, content)


@given(st.binary(max_size=60) | st.text(st.sampled_from('{}":,=# \t\n019.e-ab[]\\u')).map(str.encode))
def test_any_bytes_are_weights_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    try:
        weights = read(tmp_path_factory.getbasetemp(), content)
    except InputError:
        return
    assert len(weights) > 0


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Weights.read(tmp_path / "absent.json")


def test_what_is_known_about_the_weights_is_kept(tmp_path: Path) -> None:
    Weights({"a": 1.0}).write(tmp_path / "w.json", method="pl", seed=3)
    record = json.loads((tmp_path / "w.json").read_text())
    assert (record["method"], record["seed"], record["weights"]) == ("pl", 3, {"a": 1.0})


@pytest.mark.parametrize("value", [np.nan, np.inf, "x", None])
def test_weights_are_finite_numbers(value: object) -> None:
    with pytest.raises(InputError, match=r"the weight of 'a' is .*; expected a"):
        Weights({"a": value})  # type: ignore[dict-item]


def test_arrays_are_paired_with_names() -> None:
    assert dict(Weights.from_array(["a", "b"], np.array([1.0, 2.0]))) == {"a": 1.0, "b": 2.0}


def test_weights_know_the_file_that_they_were_read_from_and_so_do_copies(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    Weights({"lm": 1.0}).write(path)
    read = Weights.read(path)
    assert (read.path, Weights(read).path, Weights(dict(read)).path) == (path, path, None)
    assert read == Weights({"lm": 1.0})
