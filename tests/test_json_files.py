"""JSON that was damaged or made to hurt: an InputError that says what is wrong, in linear time."""

from __future__ import annotations

import codecs
import json
import os
import time
from pathlib import Path

import pytest

from tunesmith.errors import InputError
from tunesmith.json_files import parse_json, read_json
from tunesmith.weights import Weights


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": 2, "a": 1}', "repeated key 'a'"),
        ('{"x": [{"b": 1, "b": null}]}', "repeated key 'b'"),
        ('{"' + "k" * 9999 + '": 1, "' + "k" * 9999 + '": 1}', "repeated key 'kkk"),
        ('"\\ud800"', "is not a toy: the text '\\ud800' contains a lone surrogate"),
        ('{"a": {"\\udfff": 1}}', "contains a lone surrogate"),
        ('[["a", "\\ud83d\\ude00 \\ude00"]]', "contains a lone surrogate"),
        (b'"\xed\xa0\x80"', "is not UTF-8"),
        ("[" * 60 + "]" * 60, "lists within lists"),
        ("[" * 100_000, "lists within lists"),
        ('{"a":' * 100_000, "lists within lists"),
        ("1" * 5000, "exceeds the limit"),
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("\0", "is not JSON"),
    ],
)
def test_what_no_record_has_is_an_error_with_the_file(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_json(text, "a toy", path="toy.json")
    assert str(error.value).startswith("toy.json: ")
    assert message in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("value", ["\U0001f600", "\\ud83d", {"a": ["\0", ""]}, 10**400, None, [[]] * 5])
def test_what_json_may_have_is_read(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode()):
        assert parse_json(text, "a toy") == value
    assert parse_json(codecs.BOM_UTF8 + json.dumps(value).encode(), "a toy") == value


def test_a_repeated_key_is_found_in_linear_time() -> None:
    """As it was, each key was counted: 16 times the keys took 256 times the time."""

    def seconds(count: int) -> float:
        text = json.dumps({f"feature {i}": 1 for i in range(count)})[:-1] + f', "feature {count - 1}": 1}}'
        begin = time.perf_counter()
        with pytest.raises(InputError, match=f"repeated key 'feature {count - 1}'"):
            parse_json(text, "weights")
        return time.perf_counter() - begin

    assert seconds(32_000) < 80 * min(seconds(2_000) for _ in range(3)) + 0.1


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_records_and_weights_are_regular_files(tmp_path: Path, make) -> None:
    path = tmp_path / "weights.json"
    make(path)
    for read in (lambda place: Weights.read(place, regular=True), lambda place: read_json(place, "a toy")):
        with pytest.raises(InputError, match=r"weights\.json: is not a regular file"):
            read(path)


def test_weights_of_a_model_that_repeat_a_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text('{"format": "tunesmith-weights", "version": 1, "weights": {"LM0": 1, "TM": 2, "LM0": 3}}')
    with pytest.raises(InputError, match=r"weights\.json: repeated key 'LM0'"):
        Weights.read(path)
