"""Each test is a row of the table of bad input in docs/candidates.md."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.errors import InputError

LINE = "0 ||| das haus ||| f=1 g=-2.5 ||| -1\n"


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file"):
        Pool.read(tmp_path / "absent")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; expected a file"):
        Pool.read(tmp_path)


@pytest.mark.parametrize("name", ["empty", "empty.gz", "empty.jsonl"])
def test_an_empty_file(make: Make, name: str) -> None:
    with pytest.raises(InputError, match=f"{name}: the file is empty"):
        Pool.read(make(gzip.compress(b"") if name.endswith("gz") else b"", name))


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstandard.compress)],
)
def test_a_truncated_or_damaged_compressed_file(
    make: Make, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    content = "".join(f"{i} ||| w{i * 7919} ||| f={i * 31} ||| 0\n" for i in range(4000)).encode()
    data = compress(content)
    assert len(Pool.read(make(data, f"whole{suffix}"))) == 4000
    for cut in (len(data) // 2, len(data) - 1, 1):
        with pytest.raises(InputError, match=rf"cut{suffix}: (truncated|damaged) compressed file"):
            Pool.read(make(data[:cut], f"cut{suffix}"))
    with pytest.raises(InputError, match=rf"no{suffix}: damaged compressed file"):
        Pool.read(make(content, f"no{suffix}"))


def test_bad_utf8(make: Make) -> None:
    with pytest.raises(InputError, match=r"nbest:2: not UTF-8: '\\xff' at byte 8"):
        Pool.read(make(LINE.encode() + b"0 ||| a\xff ||| f=1 ||| 0\n"))


def test_an_empty_hypothesis_is_legal(make: Make) -> None:
    for empty in ("0 |||  ||| f=1 ||| 0\n", "0 ||| ||| f=1 ||| 0\n", "0 |||||| f=1 ||| 0\n"):
        assert Pool.read(make(empty)).texts == [""]


def test_one_candidate_is_legal(make: Make) -> None:
    assert Pool.read(make(LINE)).n_candidates == 1


def test_no_features_at_all_are_legal(make: Make) -> None:
    assert Pool.read(make("0 ||| a ||| ||| 1\n0 ||| b ||| ||| 2\n")).feature_names == ()


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "NaN", "1e400"])
def test_values_that_are_not_finite(make: Make, value: str) -> None:
    with pytest.raises(InputError, match=r"nbest:2: feature 'f' is (nan|-?inf); expected a finite number"):
        Pool.read(make(LINE + f"0 ||| a ||| f={value} g=1 ||| 0\n"))
    with pytest.raises(InputError, match=r"nbest:2: the total is (nan|-?inf); expected a finite number"):
        Pool.read(make(LINE + f"0 ||| a ||| f=1 g=1 ||| {value}\n"))


def test_a_repeated_feature(make: Make) -> None:
    with pytest.raises(InputError, match=r"nbest:1: feature 'f' is repeated in one candidate"):
        Pool.read(make("0 ||| a ||| f=1 g=2 f=1 ||| 0\n"))


@pytest.mark.parametrize("line", ["", "0", "0 ||| a", "garbage"])
def test_a_line_without_its_fields(make: Make, line: str) -> None:
    with pytest.raises(InputError, match=r"nbest:2: expected 'ID \|\|\| text \|\|\| .*', found '"):
        Pool.read(make(f"{LINE}{line}\n{LINE}"))


def test_bars_in_a_text_move_the_features_and_are_seen(make: Make) -> None:
    with pytest.raises(InputError, match=r":2: found 'haus' among the features; expected name=value"):
        Pool.read(make(LINE + "0 ||| das ||| haus ||| f=1 ||| 0\n"))


def test_windows_line_ends_a_missing_last_one_and_a_byte_order_mark_are_legal(make: Make) -> None:
    expected = Pool.read(make(LINE + LINE.replace("haus", "tor")))
    for content in (
        (LINE + LINE.replace("haus", "tor")).replace("\n", "\r\n"),
        LINE + LINE.replace("haus", "tor").removesuffix("\n"),
        "\ufeff" + LINE + LINE.replace("haus", "tor"),
    ):
        pool = Pool.read(make(content))
        assert pool.texts == expected.texts
        assert pool.features.values.tolist() == expected.features.values.tolist()


def test_a_null_byte_is_a_character_like_others(make: Make) -> None:
    assert Pool.read(make("0 ||| a\0b ||| f=1 ||| 0\n")).texts == ["a\0b"]
    with pytest.raises(InputError, match=r"feature 'f' is '1\\x000'; expected a number"):
        Pool.read(make("0 ||| a ||| f=1\0000 ||| 0\n"))


def test_a_line_of_tens_of_megabytes(make: Make) -> None:
    word, count = "häuser ", 3_000_000
    features = " ".join(f"f{i}=1" for i in range(200_000))
    pool = Pool.read(make(f"0 ||| {word * count} ||| {features} ||| 0\n{LINE}"))
    assert pool.texts is not None
    assert pool.texts.offsets.tolist() == [0, 8 * count - 1, 8 * count + 7]
    assert pool.features.width == 200_002


def test_messages_show_only_the_start_of_a_long_line(make: Make) -> None:
    with pytest.raises(InputError) as caught:
        Pool.read(make(LINE + "ü" * 1_000_000 + "\n"))
    assert len(str(caught.value)) < 500
    assert caught.value.line == 2
