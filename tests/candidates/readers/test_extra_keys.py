"""Lenient JSON lines."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from tests.candidates.compare import assert_identical, candidates
from tests.candidates.readers.conftest import Make
from tests.commands import run
from tests.strategies import pools

from tunesmith.candidates import Pool
from tunesmith.candidates.readers.extra_keys import without_extra_keys
from tunesmith.candidates.writers.jsonl import Jsonl
from tunesmith.errors import IgnoredInputWarning, InputError, OptionError

LINES = (
    '{"id": 0, "lang": "de", "hypotheses": ['
    '{"text": "a", "logprob": -1.5, "features": {"lm": 2}, "tokens": ["a"], "final": true},'
    ' {"text": "b", "logprob": -2, "features": {"lm": 3}}]}\n\n'
    '{"id": 1, "lang": "de", "hypotheses": [{"text": "c", "logprob": 0.25}]}'
)


def test_unknown_keys_are_dropped_counted_and_reported(make: Make) -> None:
    path = make(LINES, "x.jsonl")
    with pytest.raises(InputError, match="lang"):
        Pool.read(path)
    with pytest.warns(IgnoredInputWarning) as caught:
        pool = Pool.read(path, extra_keys="drop")
    assert candidates(pool) == [[("a", {"lm": 2.0}), ("b", {"lm": 3.0})], [("c", {})]]
    (warning,) = caught
    for shown in ("'logprob' (3 times)", "'lang' (2 times)", "'tokens' (1 times)", "'final' (1 times)"):
        assert shown in str(warning.message)


def test_numbers_are_kept_as_features(make: Make) -> None:
    with pytest.warns(IgnoredInputWarning, match="'lang' .2 times.") as caught:
        pool = Pool.read(make(LINES, "x.jsonl"), extra_keys="keep")
    assert "logprob" not in str(caught[0].message)
    assert candidates(pool) == [
        [("a", {"lm": 2.0, "logprob": -1.5}), ("b", {"lm": 3.0, "logprob": -2.0})],
        [("c", {"logprob": 0.25})],
    ]


@given(pools(extras=True, totals=True))
def test_known_keys_are_read_as_without_the_option(pool: Pool) -> None:
    whole = Jsonl().head(pool) + b"".join(Jsonl().chunks(pool))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lines = b"".join(without_extra_keys(iter([whole[:7], whole[7:]]), keep=True))
    assert [json.loads(line) for line in lines.splitlines()] == [
        json.loads(line) for line in whole.splitlines()
    ]


def test_a_pool_reads_back_with_every_choice(make: Make, tmp_path: Path) -> None:
    path = make('{"id": 0, "hypotheses": [{"text": "é", "features": {"f": 0.1, "g": 1e-300}}]}\n', "x.jsonl")
    for choice in ("drop", "keep"):
        assert_identical(Pool.read(path, extra_keys=choice), Pool.read(path))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"id": 0, "id": 1}', "x.jsonl:2: the key 'id' is repeated"),
        (
            '{"id": 0, "hypotheses": [{"f": 1, "features": {"f": 1}}]}',
            "x.jsonl:2: 'f' is a key of a hypothesis",
        ),
        ("{", "x.jsonl:2: "),
        ('{"id": 0, "hypotheses": [{"f": NaN}]}', "x.jsonl:2: "),
        ('{"id": 0, "hypotheses": []}', "x.jsonl:2: .*no candidates"),
    ],
)
def test_other_errors_still_name_the_line(make: Make, line: str, complaint: str) -> None:
    first = '{"id": 7, "hypotheses": [{"features": {"f": 1}}]}\n'
    with pytest.raises(InputError, match=complaint):
        Pool.read(make(first + line, "x.jsonl"), extra_keys="keep")


def test_another_choice_or_format_is_an_error(make: Make) -> None:
    with pytest.raises(OptionError, match="extra_keys cannot be 'ignore'; choose from drop, error, keep"):
        Pool.read(make(LINES, "x.jsonl"), extra_keys="ignore")
    with pytest.raises(OptionError, match="no such option: extra_keys of"):
        Pool.read(make("0 ||| a ||| f= 1 ||| 1\n"), extra_keys="drop")


def test_the_command_line_takes_the_choice_and_reports(make: Make, tmp_path: Path) -> None:
    make(LINES, "x.jsonl")
    arguments = ["convert", "--candidates", "x.jsonl", "-o", "y.jsonl"]
    assert run(*arguments, folder=tmp_path).returncode == 1
    done = run(*arguments, "--extra-keys", "keep", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 features (logprob, lm)" in done.stderr or "2 features (lm, logprob)" in done.stderr
    assert Pool.read(tmp_path / "y.jsonl").n_candidates == 3
    done = run(
        "rerank", "--candidates", "x.jsonl", "--extra-keys", "keep", "--weight", "logprob=1", folder=tmp_path
    )
    assert done.stdout.splitlines() == ["a", "c"]
