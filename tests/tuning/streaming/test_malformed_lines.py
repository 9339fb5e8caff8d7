"""Whatever lines a mapper or a reducer gets, it takes them or names the line that is wrong: no traceback."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.mutations import changed_bytes, changed_json
from tests.tuning.streaming.test_stream_refusals import learned, line

from tunesmith.errors import InputError, OptionError, TunesmithError
from tunesmith.metrics import get_metric
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.streaming import lines as stream_lines
from tunesmith.tuning.streaming.lines import StreamLine, read_shards, write_lines
from tunesmith.tuning.streaming.reading import decoded_lines
from tunesmith.tuning.streaming.reducer import reduce_lines
from tunesmith.weights import WeightStore
from tunesmith.weights.writing import write_store

DIGITS = "9" * 4301
"""More than Python converts."""


@pytest.fixture
def start(tmp_path: Path) -> Path:
    WeightStore.of({"a": 1.0}).save(tmp_path / "start")
    return tmp_path / "start"


def reduced(start: Path, lines: Iterable[str]) -> None:
    reduce_lines(lines, start, MixingOptions())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"size": -4}, "size must be at least 1, not -4"),
        ({"size": 0}, "size must be at least 1, not 0"),
        ({"shards": 0}, "shards must be at least 1, not 0"),
        ({"shards": 1}, "shard must be at most 0, not 1"),
        ({"shard": 2**70}, "shard is a whole number of more than 64 bits"),
        ({"iteration": -1}, "iteration must be at least 1, not -1"),
        ({"sentences": 2}, "sentences must be at most 1, not 2"),
        ({"skipped": 2}, "skipped must be at most the size, 1, not 2"),
        ({"failed": -1}, "failed must be at least 0, not -1"),
        ({"loss": math.nan}, "loss"),
        ({"document": [math.inf]}, "document"),
        ({"document": [2**70]}, "document is a whole number of more than 64 bits"),
        ({"size": None}, "size must be"),
        ({"build": {"version": 1}}, "build 'version' must be"),
    ],
)
def test_a_record_with_an_impossible_value_is_named(start: Path, fields: dict[str, Any], reason: str) -> None:
    second = learned(start, 1)
    record = json.dumps(json.loads(second[0].split("\t")[2]) | fields)
    with pytest.raises(
        InputError, match=r"^standard input:3: the record of shard 1 is damaged: .*"
    ) as caught:
        reduced(start, [*learned(start, 0), f"00001\t00000000\t{record}\n", second[1]])
    assert reason in str(caught.value)


def test_columns_numbers_and_pieces_that_cannot_be_are_named_by_their_line(start: Path) -> None:
    first, second = learned(start, 0), learned(start, 1)
    content = second[1].split("\t")[2]
    for wrong in (
        "00001",
        "00001\t00001",
        f"{DIGITS}\t00001\tx",
        f"00001\t{DIGITS}\tx",
        "-1\t1\tx",
        "\u0661\t1\tx",
    ):
        with pytest.raises(
            InputError, match=r"^standard input:4: expected what `tunesmith stream map` writes"
        ):
            reduced(start, [*first, second[0], f"{wrong}\n"])
    for wrong, reason in (
        (f"00001\t00000002\t{content}", "piece 1 of 1 is missing"),
        ("00001\t00000001\t?", "."),
        (f"00001\t00000001\t{content[4:]}", "checksum"),
    ):
        with pytest.raises(InputError, match=rf"^standard input:[34]: the weights of shard 1 .*{reason}"):
            reduced(start, [*first, second[0], f"{wrong}\n"])
    with pytest.raises(InputError, match=r"^standard input:3: the record of shard 1 is missing"):
        reduced(start, [*first, second[1]])
    for number in (DIGITS, "[" * 5000):
        record = second[0].replace('"size": 1', f'"size": {number}')
        with pytest.raises(InputError, match=r"^standard input:3: the record of shard 1 is damaged"):
            reduced(start, [*first, record, second[1]])


def test_random_damages_of_the_input_of_a_reducer_give_no_traceback(start: Path) -> None:
    whole = "".join([*learned(start, 0), *learned(start, 1)]).encode()
    record = learned(start, 1)[0].split("\t")[2].encode()
    contents = [*changed_bytes(whole, 150, seed=1)]
    contents += [whole.replace(record, each + b"\n") for each in changed_json(record, 150, seed=2)]
    refused = 0
    for content in contents:
        try:
            reduced(start, decoded_lines(content.splitlines(keepends=True)))
        except TunesmithError as error:
            refused += 1
            assert str(error).startswith("standard input") or "shard" in str(error), error
    assert refused > 200


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"size": -1}, "size must be at least 1, not -1"),
        ({"sentence": -1}, "sentence must be at least 0, not -1"),
        ({"sentence": 2**70}, "sentence is a whole number of more than 64 bits"),
        ({"fold": -2}, "fold must be at least -1, not -2"),
        ({"shards": 10**9}, "these are too many"),
        ({"references": ()}, "there are no references"),
        ({"source": "\ud83d"}, "contains a lone surrogate"),
        ({"references": ("b", 3)}, "references must be"),
    ],
)
def test_a_line_with_an_impossible_value_is_named(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=r"^standard input:2: expected the number of a shard") as caught:
        list(read_shards([line(0), line(1, **fields)]))
    assert reason in str(caught.value)


def test_lines_that_are_no_lines_are_named() -> None:
    text = line(1).partition("\t")[2]
    deep = text.replace('"a"', "[" * 5000)
    for wrong in (
        "00001",
        f"00001\t{text[:-1]}",
        f"{DIGITS}\t{text}",
        f"1.5\t{text}",
        f"00001\t{deep}",
        "00001\t[]",
    ):
        with pytest.raises(InputError, match=r"^standard input:2: expected the number of a shard"):
            list(read_shards([line(0), wrong]))
    with pytest.raises(InputError, match=rf"^standard input:1: .*{re.escape('found ')}"):
        StreamLine.parse(line(1).replace('"size": 1', f'"size": {DIGITS}'), 1)


def test_random_damages_of_a_line_are_refused_or_read() -> None:
    text = line(1, source="a b", references=("c d", "e"))
    for content in (
        *changed_bytes(text.encode(), 200, seed=3),
        *changed_json(text[6:].encode(), 200, seed=4),
    ):
        for each in (content, b"00001\t" + content):
            try:
                list(read_shards(decoded_lines([line(0, references=("c", "d")).encode(), each])))
            except TunesmithError as error:
                assert str(error).startswith("standard input:"), error


def test_what_lines_do_not_agree_in_is_said_of_a_line() -> None:
    two = line(1, size=2)
    with pytest.raises(InputError, match=r"^standard input:2: shard 1 has 1 sentences in 1 lines, not 2"):
        list(read_shards([line(0), two]))
    with pytest.raises(InputError, match=r"^standard input:2: the lines of shard 1 differ in size or fold"):
        list(read_shards([two, line(1, size=2, sentence=1, fold=3)]))
    with pytest.raises(InputError, match=r"^standard input:2: lines have different numbers of references"):
        list(read_shards([line(0), line(1, references=("b", "c"))]))


def test_a_sentence_that_cannot_be_read_is_named_by_its_line(small_model: Path) -> None:
    words = ("stream", "map", small_model, "--weights", small_model / "weights.start.json", "--nbest", 5)
    given = [
        line(1, source="das haus"),
        line(0, source='<seg id="1" grammar="/nowhere/rules"> das haus </seg>'),
    ]
    done = run(*words, stdin="\n".join(given))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "error: standard input:2: " in done.stderr, done.stderr


def test_more_shards_than_keys_can_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_lines, "MOST_SHARDS", 2)
    (tmp_path / "text").write_text("a\nb\nc\n")
    text = tmp_path / "text"
    assert len(list(write_lines(text, [text], shards=2, seed=1))) == 3
    with pytest.raises(OptionError, match="shards must be at most 2, not 3"):
        list(write_lines(text, [text], shards=3, seed=1))


@pytest.mark.slow
def test_random_damages_of_the_weights_of_a_reducer_are_refused_or_taken(
    small_model: Path, tmp_path: Path
) -> None:
    store = WeightStore.open(small_model / "weights.start.json")
    store.save(tmp_path / "start")
    about = {"dense": list(store), "document": [1.0] * (get_metric("bleu").width + 1)}
    lines = [*learned(tmp_path / "start", 0, **about), *learned(tmp_path / "start", 1, **about)]
    mixed = reduce_lines(lines, tmp_path / "start", MixingOptions())
    write_store(mixed, tmp_path / "w.json", "json")
    refused, data = 0, (tmp_path / "w.json").read_bytes()
    words = ("stream", "map", small_model, "--weights", tmp_path / "w.json", "--nbest", 2, "-q")
    assert run(*words, stdin=line(0, source="das haus")).returncode == 0
    for content in changed_json(data, 30, seed=5):
        (tmp_path / "w.json").write_bytes(content)
        done = run(*words, stdin=line(0, source="das haus"))
        assert done.returncode in (0, 1, 2) and "Traceback" not in done.stderr, done.stderr
        refused += done.returncode != 0
    assert refused > 20
