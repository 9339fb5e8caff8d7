"""Files pass in blocks of lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.corpus.blocks import parallel_blocks, read_blocks
from tunesmith.errors import InputError
from tunesmith.texts import Texts


@given(st.lists(st.text("ab é\r", max_size=6), min_size=1, max_size=20), st.integers(1, 7), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocks_hold_all_lines_in_order(tmp_path: Path, lines: list[str], size: int, ended: bool) -> None:
    lines = [line.rstrip("\r") for line in lines]
    data = "\n".join(lines) + ("\n" if ended or not lines[-1] else "")
    (tmp_path / "text").write_bytes(data.encode())
    blocks = list(read_blocks(tmp_path / "text", size))
    assert [line for block in blocks for line in block] == lines
    assert all(len(block) == size for block in blocks[:-1])


def test_a_file_cut_anywhere_into_chunks_gives_the_same_lines() -> None:
    data = "\ufeffäb\r\n\nc\u2028d\r\ne".encode()
    for cut in range(len(data) + 1):
        collector = _native.LineCollector()
        collector.feed(data[:cut])
        collector.feed(data[cut:])
        collector.finish()
        assert list(Texts(*collector.take(10))) == ["äb", "", "c\u2028d", "e"]


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"a\nb\n" * 5 + b"x\xe4\n")
    with pytest.raises(InputError, match=r"bad:11: not UTF-8") as caught:
        list(read_blocks(tmp_path / "bad", 3))
    assert caught.value.line == 11


def test_an_empty_file_and_a_truncated_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        list(read_blocks(tmp_path / "empty"))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"line\n" * 1000)[:-9])
    with pytest.raises(InputError, match="truncated"):
        list(read_blocks(tmp_path / "cut.gz"))


@pytest.mark.parametrize(("left", "right", "line"), [(3, 5, 4), (5, 4, 5), (2, 9, 3), (4, 2, 3)])
def test_files_of_different_lengths_are_refused_at_the_first_odd_line(
    tmp_path: Path, left: int, right: int, line: int
) -> None:
    (tmp_path / "left").write_text("a\n" * left)
    (tmp_path / "right").write_text("b\n" * right)
    with pytest.raises(InputError, match="no partner") as caught:
        list(parallel_blocks([tmp_path / "left", tmp_path / "right"], 2))
    assert caught.value.line == line
    assert caught.value.path == tmp_path / ("left" if left > right else "right")
