"""Lines without an end: an error at a bounded size, however small the compressed file is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.corpus.sets import read_texts
from tunesmith.errors import InputError
from tunesmith.long_lines import LONGEST_TEXT as LONGEST
from tunesmith.metrics import Segments


def compressed(path: Path, word: bytes, count: int) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(b"first line\n")
        for _ in range(count):
            stream.write(word * (1 << 19))
    return path


def test_a_text_that_never_ends_is_refused_where_it_exceeds_the_limit(tmp_path: Path) -> None:
    text = compressed(tmp_path / "out.gz", b"a ", 20)
    (tmp_path / "ref").write_text("first line\nb\n")
    done = run("eval", text, "--references", tmp_path / "ref")
    assert done.returncode == 1
    assert f"out.gz:2: a line of more than {LONGEST:,} bytes" in done.stderr


def test_a_text_of_the_longest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"x" * LONGEST + b"\n")
    assert len(read_texts(tmp_path / "text")[0]) == LONGEST
    (tmp_path / "text").write_bytes(b"a\n" + b"x" * (LONGEST + 1))
    with pytest.raises(InputError, match="text:2: a line of more than"):
        read_texts(tmp_path / "text")


def test_metrics_refuse_a_text_that_is_too_long() -> None:
    with pytest.raises(InputError, match="hypothesis number 2 has 4,194,305 bytes"):
        Segments.of(["a", "x" * (LONGEST + 1)], [["a", "b"]])
    with pytest.raises(InputError, match="reference number 1"):
        Segments.of(["a"], [["x" * (LONGEST + 1)]])


def test_lists_of_one_long_line_are_read(tmp_path: Path) -> None:
    texts = ", ".join(f'{{"text": "{"w" * 1000}{number}"}}' for number in range(10_000))
    path = tmp_path / "lists.jsonl"
    path.write_text(f'{{"id": 0, "hypotheses": [{texts}]}}\n')
    assert Pool.read(path).n_candidates == Pool.read(path, extra_keys="drop").n_candidates == 10_000
